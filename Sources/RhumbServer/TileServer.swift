internal import Glibc
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore

/// Publishes tilesets: tiles, TileJSON, archives in ranges, pictures and a page with a map.
public final class TileServer: Sendable {
    private let tilesets: [ServedTileset]
    private let places: [String: Int]
    private let trustsForwarded: Bool
    private let memory = ResponseMemory(limit: ResponseMemory.usualLimit)
    private let drawing = DrawingQueue()

    /// - Parameters:
    ///   - tilesets: The tilesets with unique ids; the first one is shown on the page.
    ///   - trustsForwarded: True if a proxy in front sets `X-Forwarded-Host` and `X-Forwarded-Proto`.
    public init(_ tilesets: [ServedTileset], trustsForwarded: Bool = false) {
        self.tilesets = tilesets
        self.trustsForwarded = trustsForwarded
        places = Dictionary(tilesets.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Answers a request.
    public func answer(_ request: ServedRequest) -> ServedResponse {
        switch request.method {
        case "GET", "HEAD": break
        case "OPTIONS":
            return .empty(
                204,
                [
                    "Allow": "GET, HEAD, OPTIONS", "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
                    "Access-Control-Allow-Headers": "Range, If-None-Match, If-Modified-Since, If-Range",
                    "Access-Control-Max-Age": "86400",
                ])
        default: return .empty(405, ["Allow": "GET, HEAD, OPTIONS", "Connection": "close"])
        }
        let parts = request.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        switch parts.count {
        case 1 where parts[0].isEmpty: return document(MapPage.html, "text/html; charset=utf-8", request)
        case 1: return file(named: parts[0], request)
        case 4: return tile(parts, request)
        case 5 where parts[1] == "render": return picture(parts, request)
        case 5 where parts[1] == "names": return names(parts, request)
        default: return TileServer.absent
        }
    }

    private static var absent: ServedResponse { .empty(404, ["Cache-Control": "max-age=60"]) }

    private func tileset(_ name: Substring) -> ServedTileset? { places[String(name)].map { tilesets[$0] } }

    // MARK: Documents

    private func file(named name: Substring, _ request: ServedRequest) -> ServedResponse {
        if name == "catalog.json" { return document(catalog(at: base(of: request)).text, Self.json, request) }
        if name.hasSuffix(".json"), let tileset = tileset(name.dropLast(5)) {
            return document(tileset.tileJSON(at: base(of: request)).text, Self.json, request)
        }
        if name.hasSuffix(".pmtiles"), let path = tileset(name.dropLast(8))?.archivePath {
            return archive(path, request)
        }
        return TileServer.absent
    }

    private static let json = "application/json"

    private func catalog(at base: String) -> JSON {
        [
            "tilesets": .array(
                tilesets.map { tileset in
                    var object = JSONObject()
                    object["id"] = .string(tileset.id)
                    object["name"] = .string(tileset.info.name)
                    object["attribution"] = .string(tileset.info.attribution)
                    object["format"] = .string(tileset.isVector ? "vector" : "raster")
                    object["tilejson"] = .string("\(base)/\(tileset.id).json")
                    if tileset.archivePath != nil {
                        object["pmtiles"] = .string("\(base)/\(tileset.id).pmtiles")
                    }
                    let pictures = "\(tileset.id)/render/{z}/{x}/{y}.png"
                    if tileset.draw != nil { object["pictures"] = .string("\(base)/\(pictures)") }
                    // The addresses for the page are relative to it.
                    if tileset.names != nil {
                        object["names"] = .string("\(tileset.id)/names/{z}/{x}/{y}.json")
                    }
                    if !tileset.isVector {
                        object["shown"] = .string("\(tileset.id)/{z}/{x}/{y}.\(tileset.ending)")
                    } else if tileset.draw != nil {
                        object["shown"] = .string(pictures)
                    }
                    object["tilesize"] = .integer(tileset.isVector ? 512 : tileset.info.tileSize.rawValue)
                    object["minzoom"] = .integer(tileset.info.zooms.lowerBound)
                    object["maxzoom"] = .integer(tileset.info.zooms.upperBound)
                    if let bounds = tileset.info.bounds {
                        object["bounds"] = .array(
                            [bounds.west, bounds.south, bounds.east, bounds.north].map(JSON.number))
                    }
                    if let center = tileset.info.center {
                        object["center"] = .array([.number(center.longitude), .number(center.latitude)])
                    }
                    return .object(object)
                })
        ]
    }

    /// Returns the address of the server as the client knows it.
    private func base(of request: ServedRequest) -> String {
        func name(_ field: String) -> String? {
            request.field(field).flatMap { host in
                host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}/?#@".utf8.contains($0) }
                    ? host : nil
            }
        }
        let forwarded = trustsForwarded ? name("X-Forwarded-Host") : nil
        let scheme = trustsForwarded && request.field("X-Forwarded-Proto") == "https" ? "https" : "http"
        return "\(scheme)://\(forwarded ?? name("Host") ?? "localhost")"
    }

    private func document(_ text: String, _ type: String, _ request: ServedRequest) -> ServedResponse {
        let bytes = Array(text.utf8), etag = "\"\(ContentHash(bytes))\""
        guard !request.has(etag: etag, modified: nil) else {
            return .empty(304, ["ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"])
        }
        guard request.acceptsGzip else {
            return ServedResponse(
                200, bytes,
                fields: [
                    "Content-Type": type, "ETag": etag, "Cache-Control": "no-cache",
                    "Vary": "Accept-Encoding",
                ])
        }
        return ServedResponse(
            200, Gzip.packed(bytes),
            fields: [
                "Content-Type": type, "ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding",
                "Content-Encoding": "gzip",
            ])
    }

    // MARK: Archives

    private func archive(_ path: String, _ request: ServedRequest) -> ServedResponse {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return TileServer.absent }
        guard let facts = FileFacts(descriptor: file), facts.isFile else {
            close(file)
            return TileServer.absent
        }
        let modified = HTTPDate.text(of: facts.modified)
        if request.has(etag: facts.etag, modified: modified) {
            close(file)
            return .empty(
                304, ["ETag": facts.etag, "Last-Modified": modified, "Cache-Control": Self.lifetime])
        }
        let condition = request.field("If-Range")
        let isSame = condition == nil || condition == facts.etag || condition == modified
        switch RangeRequest(isSame ? request.field("Range") : nil, size: facts.size) {
        case .unsatisfiable:
            close(file)
            return .empty(416, ["Content-Range": "bytes */\(facts.size)"])
        case .whole:
            return ServedResponse(
                200, file: file, offset: 0, count: facts.size,
                fields: [
                    "Content-Type": "application/vnd.pmtiles", "ETag": facts.etag, "Last-Modified": modified,
                    "Accept-Ranges": "bytes", "Cache-Control": Self.lifetime,
                ])
        case .part(let offset, let count):
            return ServedResponse(
                206, file: file, offset: offset, count: count,
                fields: [
                    "Content-Type": "application/vnd.pmtiles", "ETag": facts.etag, "Last-Modified": modified,
                    "Accept-Ranges": "bytes", "Cache-Control": Self.lifetime,
                    "Content-Range": "bytes \(offset)-\(offset + count - 1)/\(facts.size)",
                ])
        }
    }

    private static let lifetime = "max-age=3600, stale-while-revalidate=86400, stale-if-error=604800"

    // MARK: Tiles

    private func tile(_ parts: [Substring], _ request: ServedRequest) -> ServedResponse {
        guard let tileset = tileset(parts[0]),
            let tile = TileServer.tile(parts[1...], endings: tileset.endings)
        else { return TileServer.absent }
        let acceptsGzip = request.acceptsGzip, key = acceptsGzip ? "z\(request.path)" : request.path
        if tileset.isFixed, let known = memory[key] { return known.response(to: request) }
        guard let stored = tileset.tile(tile), let answer = PreparedTile(stored, tileset, acceptsGzip)
        else {
            return TileServer.absent
        }
        if tileset.isFixed { memory.insert(answer, for: key) }
        return answer.response(to: request)
    }

    /// Reads a tile's address; nil if it is not one of a tile.
    /// - Parameter parts: Zoom, column, and row with an extension.
    private static func tile(_ parts: ArraySlice<Substring>, endings: [String]) -> TileID? {
        let words = Array(parts)
        let row = words[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard row.count == 2, endings.contains(String(row[1])) else { return nil }
        let numbers = [words[0], words[1], row[0]].map { word in
            word.utf8.count <= 9 && word.utf8.allSatisfy { (48...57).contains($0) } ? Int(word) : nil
        }
        guard let zoom = numbers[0], let x = numbers[1], let y = numbers[2] else { return nil }
        return TileID(zoom: zoom, x: x, y: y)
    }

    // MARK: Pictures

    private func picture(_ parts: [Substring], _ request: ServedRequest) -> ServedResponse {
        guard let tileset = tileset(parts[0]), let draw = tileset.draw,
            let tile = TileServer.tile(parts[2...], endings: ["png"])
        else { return TileServer.absent }
        return computed(request, tileset) {
            guard let raster = await draw(tile), let bytes = try? PNGEncoder.encode(raster) else {
                return nil
            }
            return PreparedTile(bytes, type: "image/png")
        }
    }

    /// Returns the names on a picture, for the page.
    private func names(_ parts: [Substring], _ request: ServedRequest) -> ServedResponse {
        guard let tileset = tileset(parts[0]), let names = tileset.names,
            let tile = TileServer.tile(parts[2...], endings: ["json"])
        else { return TileServer.absent }
        return computed(request, tileset) {
            guard let (data, labels) = await names(tile) else { return nil }
            let list = labels.compactMap { PageLabel($0, of: data, on: tile)?.json }
            return PreparedTile(Array(JSON.array(list).text.utf8), type: Self.json)
        }
    }

    /// Returns a response that is computed while its connection waits, or a computed one again.
    /// - Parameter compute: Returns nil if there is no such tile.
    private func computed(
        _ request: ServedRequest, _ tileset: ServedTileset,
        _ compute: @escaping @Sendable () async -> PreparedTile?
    ) -> ServedResponse {
        if let known = memory[request.path] { return known.response(to: request) }
        guard drawing.begin() else { return .empty(503, ["Retry-After": "1"]) }
        let path = request.path
        // The request is not valid later.
        let known = request.field("If-None-Match")
        return ServedResponse { [self] in
            guard let answer = await drawing.run(compute) else { return TileServer.absent }
            if tileset.isFixed { memory.insert(answer, for: path) }
            return answer.response(
                to: ServedRequest(path, fields: known.map { ["if-none-match": $0] } ?? [:]))
        }
    }
}

extension ServedTileset {
    /// The extensions by which its tiles are known.
    fileprivate var endings: [String] {
        isVector ? ["pbf", "mvt", "mlt"] : ["png", "jpg", "jpeg", "webp"]
    }
}
