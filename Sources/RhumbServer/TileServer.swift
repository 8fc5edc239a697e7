internal import CDefaults
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore
internal import Synchronization

/// Publishes tilesets: tiles, TileJSON, archives in ranges, pictures and a page with a map.
public final class TileServer: Sendable {
    private let tilesets: [PublishedTileset]
    private let indexes: [String: Int]
    private let access: ServedAccess
    private let memory = ResponseMemory(limit: ResponseMemory.usualLimit)
    private let drawing = DrawingQueue()

    /// The name in addresses that no tileset may have.
    public static let reservedID = "catalog"

    /// - Parameters:
    ///   - tilesets: The tilesets with unique ids, none of them `reservedID`; the first one is shown on the
    ///     page.
    ///   - access: The rules about which pages may use the server, and by which names.
    public init(_ tilesets: [ServedTileset], access: ServedAccess = ServedAccess()) {
        self.tilesets = tilesets.map(PublishedTileset.init)
        self.access = access
        indexes = Dictionary(tilesets.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Answers a request.
    public func answer(_ request: ServedRequest) -> ServedResponse {
        let origin = access.origin(of: request), response: ServedResponse
        if let base = access.base(of: request), !request.path.isEmpty {
            response =
                access.allows(host: request.host) ? answer(request, base, origin) : TileServer.misdirected
        } else {
            response = .empty(400)
        }
        return response.completed(with: access.fields(for: origin))
    }

    /// The response to a page that resolved its own name to this machine.
    private static var misdirected: ServedResponse {
        ServedResponse(
            421, Array("This server only answers to localhost, and to the hosts of allowed origins.\n".utf8),
            fields: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
    }

    private static let methods = "GET, HEAD, OPTIONS"

    private func answer(_ request: ServedRequest, _ base: String, _ origin: String?) -> ServedResponse {
        switch request.method {
        case "GET", "HEAD": break
        case "OPTIONS":
            let response = ServedResponse.empty(204, ["Allow": Self.methods])
            if origin != nil {
                response.addField("Access-Control-Allow-Methods", Self.methods)
                response.addField(
                    "Access-Control-Allow-Headers",
                    "Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range")
                response.addField("Access-Control-Max-Age", "86400")
            }
            return response
        case "POST", "PUT", "DELETE", "PATCH", "CONNECT", "TRACE":
            return .empty(405, ["Allow": Self.methods, "Connection": "close"])
        default: return .empty(501, ["Allow": Self.methods, "Connection": "close"])
        }
        let parts = request.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        switch parts.count {
        case 1 where parts[0].isEmpty: return document(Self.mapPage, "text/html; charset=utf-8", request)
        case 1: return file(named: parts[0], base, request)
        case 4: return tile(parts, origin, request)
        case 5 where parts[1] == "render": return picture(parts, origin, request)
        case 5 where parts[1] == "names": return names(parts, origin, request)
        default: return .absent
        }
    }

    /// Calls a closure with the tileset of a name.
    private func with(
        _ name: Substring, _ body: (ServedTileset, _ edition: Int) -> ServedResponse
    ) -> ServedResponse {
        guard let index = indexes[String(name)] else { return .absent }
        switch tilesets[index].current {
        case .ready(let set, let edition): return body(set, edition)
        case .opening: return .unavailable
        case .damaged: return .failed
        }
    }

    // MARK: Documents

    private func file(named name: Substring, _ base: String, _ request: ServedRequest) -> ServedResponse {
        if name == "\(TileServer.reservedID).json" {
            return document(catalog(at: base).text, Self.json, request)
        }
        if name.hasSuffix(".json") {
            return with(name.dropLast(5)) { set, _ in
                document(set.tileJSON(at: base).text, Self.json, request)
            }
        }
        guard name.hasSuffix(".pmtiles") else { return .absent }
        return with(name.dropLast(8)) { set, _ in
            guard let file = set.file, set.isPMTiles else { return .absent }
            return archive(file, request)
        }
    }

    private static let json = "application/json"

    /// The page that shows the tilesets. It needs nothing from other servers.
    private static let mapPage = {
        let bytes = rhumb_asset_map_page()
        return String(decoding: UnsafeBufferPointer(start: bytes.start, count: bytes.count), as: UTF8.self)
    }()

    private func catalog(at base: String) -> JSON {
        [
            "tilesets": .array(
                tilesets.map(\.set).map { tileset in
                    var object = JSONObject()
                    object["id"] = .string(tileset.id)
                    object["name"] = .string(tileset.info.name)
                    object["attribution"] = .string(tileset.info.attribution)
                    object["format"] = .string(tileset.isVector ? "vector" : "raster")
                    object["tilejson"] = .string("\(base)/\(tileset.id).json")
                    if tileset.isPMTiles {
                        object["pmtiles"] = .string("\(base)/\(tileset.id).pmtiles")
                    }
                    let pictures = "\(tileset.id)/render/{z}/{x}/{y}.png"
                    if tileset.draw != nil { object["pictures"] = .string("\(base)/\(pictures)") }
                    // The addresses for the page are relative to it.
                    if tileset.names != nil {
                        object["names"] = .string("\(tileset.id)/names/{z}/{x}/{y}.json")
                    }
                    if let encoding = tileset.encoding {
                        // Pictures of heights are no map.
                        object["encoding"] = .string(encoding)
                    } else if !tileset.isVector {
                        object["shown"] = .string("\(tileset.id)/{z}/{x}/{y}.\(tileset.ending)")
                    } else if tileset.draw != nil {
                        object["shown"] = .string(pictures)
                    }
                    object["tilesize"] = .integer(tileset.isVector ? 512 : tileset.info.tileSize.rawValue)
                    object["minzoom"] = .integer(tileset.info.zooms.lowerBound)
                    object["maxzoom"] = .integer(tileset.info.zooms.upperBound)
                    if let bounds = tileset.info.bounds { object["bounds"] = bounds.json }
                    if let center = tileset.info.center {
                        object["center"] = .array([.number(center.longitude), .number(center.latitude)])
                    }
                    return .object(object)
                })
        ]
    }

    private func document(_ text: String, _ type: String, _ request: ServedRequest) -> ServedResponse {
        let bytes = Array(text.utf8), isPacked = request.acceptsGzip
        let etag = "\"\(ContentHash(bytes))\(isPacked ? "-gz" : "")\""
        let response: ServedResponse
        switch request.preconditions.outcome(etag: etag, modified: nil) {
        case .failed: return .empty(412)
        case .unchanged: response = .empty(304)
        case .proceed:
            response = ServedResponse(
                200, isPacked ? Gzip.packed(bytes) : bytes, fields: ["Content-Type": type])
            if isPacked { response.addField("Content-Encoding", "gzip") }
        }
        response.addField("ETag", etag)
        response.addField("Cache-Control", "no-cache")
        response.addField("Vary", "Accept-Encoding")
        return response
    }

    // MARK: Archives

    private func archive(_ archive: ServedFile, _ request: ServedRequest) -> ServedResponse {
        let facts = archive.facts, modified = HTTPDate.text(of: facts.modified)
        let response: ServedResponse
        switch request.preconditions.outcome(etag: facts.etag, modified: facts.modified) {
        case .failed: return .empty(412)
        case .unchanged: response = .empty(304)
        case .proceed:
            let range = RangeRequest(
                isForPart(request, of: facts) ? request.field("Range") : nil, size: facts.size)
            if range == .unsatisfiable { return .empty(416, ["Content-Range": "bytes */\(facts.size)"]) }
            guard let file = archive.duplicate() else { return .unavailable }
            if case .part(let offset, let count) = range {
                response = ServedResponse(206, file: file, offset: offset, count: count)
                response.addField("Content-Range", "bytes \(offset)-\(offset + count - 1)/\(facts.size)")
            } else {
                response = ServedResponse(200, file: file, offset: 0, count: facts.size)
            }
            response.addField("Content-Type", "application/vnd.pmtiles")
            response.addField("Accept-Ranges", "bytes")
        }
        response.addField("ETag", facts.etag)
        response.addField("Last-Modified", modified)
        response.addField("Cache-Control", PreparedTile.lifetime)
        return response
    }

    /// Returns true if a range of this version may be sent (RFC 9110, 13.1.5 and 14.2).
    private func isForPart(_ request: ServedRequest, of facts: FileFacts) -> Bool {
        guard request.method == "GET" else { return false }
        guard let condition = request.field("If-Range")?.trimmed else { return true }
        if condition.hasSuffix("\"") { return condition == facts.etag }
        return HTTPDate.parse(condition, now: .now) == facts.modified
    }

    // MARK: Tiles

    private func tile(_ parts: [Substring], _ origin: String?, _ request: ServedRequest) -> ServedResponse {
        with(parts[0]) { tileset, edition in
            guard let tile = TileServer.tile(parts[1...], endings: tileset.endings) else { return .absent }
            let acceptsGzip = request.acceptsGzip, conditions = request.preconditions
            let key = ResponseMemory.Key(request.path, edition, origin, isPacked: acceptsGzip)
            if tileset.isFixed, let cached = memory[key] { return cached.response(to: conditions) }
            do {
                guard let stored = try tileset.tile(tile) else { return .absent }
                guard let answer = PreparedTile(stored, tileset, acceptsGzip) else { return .failed }
                if tileset.isFixed { memory.insert(answer, for: key) }
                return answer.response(to: conditions)
            } catch {
                return .failed
            }
        }
    }

    /// Reads a tile's address; nil if it is not one of a tile.
    /// - Parameter parts: Zoom, column, and row with an extension.
    private static func tile(_ parts: ArraySlice<Substring>, endings: [String]) -> TileID? {
        let names = Array(parts)
        let row = names[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard row.count == 2, endings.contains(String(row[1])) else { return nil }
        let numbers = [names[0], names[1], row[0]].map { name in
            name.utf8.count <= 9 && name.utf8.allSatisfy { (48...57).contains($0) } ? Int(name) : nil
        }
        guard let zoom = numbers[0], let x = numbers[1], let y = numbers[2] else { return nil }
        return TileID(zoom: zoom, x: x, y: y)
    }

    // MARK: Pictures

    private func picture(_ parts: [Substring], _ origin: String?, _ request: ServedRequest) -> ServedResponse
    {
        with(parts[0]) { tileset, edition in
            guard let draw = tileset.draw, let tile = TileServer.tile(parts[2...], endings: ["png"]) else {
                return .absent
            }
            return computed(request, ResponseMemory.Key(request.path, edition, origin), tileset) {
                try await draw(tile).map { PreparedTile(try PNGEncoder.encode($0), type: "image/png") }
            }
        }
    }

    /// Returns the names on a picture, for the page.
    private func names(_ parts: [Substring], _ origin: String?, _ request: ServedRequest) -> ServedResponse {
        with(parts[0]) { tileset, edition in
            guard let names = tileset.names, let tile = TileServer.tile(parts[2...], endings: ["json"]) else {
                return .absent
            }
            return computed(request, ResponseMemory.Key(request.path, edition, origin), tileset) {
                guard let (data, labels) = try await names(tile) else { return nil }
                let list = labels.compactMap { PageLabel($0, of: data, on: tile)?.json }
                return PreparedTile(Array(JSON.array(list).text.utf8), type: Self.json)
            }
        }
    }

    /// Returns a response that is computed while its connection waits, or a computed one again.
    /// - Parameter compute: Returns nil if there is no such tile.
    private func computed(
        _ request: ServedRequest, _ key: ResponseMemory.Key, _ tileset: ServedTileset,
        _ compute: @escaping @Sendable () async throws -> PreparedTile?
    ) -> ServedResponse {
        // The request is not valid later.
        let conditions = request.preconditions
        if tileset.isFixed, let cached = memory[key] { return cached.response(to: conditions) }
        guard drawing.begin() else { return .unavailable }
        return ServedResponse { [self] in
            let result = await drawing.run { await Result(awaiting: compute) }
            guard case .success(let found) = result else { return .failed }
            guard let answer = found else { return .absent }
            if tileset.isFixed { memory.insert(answer, for: key) }
            return answer.response(to: conditions)
        }
    }
}

extension ServedTileset {
    /// The extensions by which its tiles are known.
    fileprivate var endings: [String] {
        isVector ? ["pbf", "mvt", "mlt"] : ["png", "jpg", "jpeg", "webp"]
    }
}

/// The requested part of a file (RFC 9110, 14).
enum RangeRequest: Equatable {
    /// The whole file: no range, several, or one that is not understood.
    case whole
    case part(offset: UInt64, count: UInt64)
    /// The range begins after the end of the file.
    case unsatisfiable

    /// Reads the field `Range`.
    /// - Parameter size: The size of the file in bytes.
    init(_ field: String?, size: UInt64) {
        guard let field, field.prefix(6).lowercased() == "bytes=", !field.contains(",") else {
            self = .whole
            return
        }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map(\.trimmed)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            ends != ["", ""]
        else {
            self = .whole
            return
        }
        let first = UInt64(ends[0]), last = UInt64(ends[1])
        if ends[0].isEmpty {
            // The last bytes of the file.
            let count = min(last ?? .max, size)
            self = count == 0 ? .unsatisfiable : .part(offset: size - count, count: count)
        } else if let first, first < size {
            if let last, last < first {
                self = .whole
            } else {
                self = .part(offset: first, count: min(last ?? .max, size - 1) - first + 1)
            }
        } else {
            self = .unsatisfiable
        }
    }
}

/// Draws one picture at a time, and limits the number of waiting ones. Names are read in the same way.
final class DrawingQueue: Sendable {
    private static let limit = 64
    private let waiting = Mutex(0)
    private let worker = Worker()

    private actor Worker {
        private var last: Task<Void, Never>?

        func run<Value: Sendable>(_ draw: @escaping @Sendable () async -> Value) async -> Value {
            let previous = last
            let task = Task {
                await previous?.value
                return await draw()
            }
            last = Task { _ = await task.value }
            return await task.value
        }
    }

    /// Returns false if too many pictures wait.
    func begin() -> Bool {
        waiting.withLock { count in
            guard count < DrawingQueue.limit else { return false }
            count += 1
            return true
        }
    }

    func run<Value: Sendable>(_ draw: @escaping @Sendable () async -> Value) async -> Value {
        defer { waiting.withLock { $0 -= 1 } }
        return await worker.run(draw)
    }
}
