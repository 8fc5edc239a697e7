public import RhumbCore
public import RhumbEngine
public import RhumbStore
internal import Synchronization

/// Tiles that a server publishes.
public struct ServedTileset: Sendable {
    /// A tile as it is stored.
    public struct Tile: Sendable {
        /// The body, perhaps compressed with gzip.
        public let body: [UInt8]
        /// The time at which it was received or written; nil if unknown.
        public let modified: UnixSeconds?

        /// Creates a tile.
        public init(body: [UInt8], modified: UnixSeconds?) {
            self.body = body
            self.modified = modified
        }
    }

    /// The name in addresses: letters, digits, "-", "_" and ".".
    public var id: String
    /// The description.
    public let info: TileSourceInfo
    /// True for vector tiles.
    public let isVector: Bool
    /// True for MapLibre Tiles.
    var isMapLibre = false
    /// The layers of its vector tiles, as in TileJSON; nil if unknown.
    public let vectorLayers: JSON?
    /// The file or folder of its archive; nil for none.
    let file: ServedFile?
    /// True if ranges of the file are served, too.
    let isPMTiles: Bool
    /// Opens the archive again after it was replaced; nil to publish the opened one for ever.
    public var reopen: (@Sendable () async throws -> ServedTileset)?
    /// The encoding of heights, as in TileJSON; nil for other tiles.
    public var encoding: String?
    /// True if its tiles never change while it is served.
    public var isFixed = true
    /// Returns a tile; nil if there is none. Throws if it can't be read.
    public let tile: @Sendable (TileID) throws -> Tile?
    /// Draws a tile as a picture; nil if tiles can't be drawn. Returns nil if there is no such tile.
    public var draw: (@Sendable (TileID) async throws -> Raster?)?
    /// Returns the tile that a picture is drawn from, with its labels, the most important first; nil if there
    /// is no such tile. The function is nil if there are no names.
    public var names: (@Sendable (TileID) async throws -> (data: TileID, labels: [VectorLabel])?)?

    /// Creates a tileset.
    public init(
        id: String, info: TileSourceInfo, isVector: Bool, vectorLayers: JSON? = nil,
        tile: @escaping @Sendable (TileID) throws -> Tile?
    ) {
        self.init(id, info, isVector, vectorLayers, file: nil, isPMTiles: false, tile)
    }

    private init(
        _ id: String, _ info: TileSourceInfo, _ isVector: Bool, _ vectorLayers: JSON?, file: ServedFile?,
        isPMTiles: Bool, _ tile: @escaping @Sendable (TileID) throws -> Tile?
    ) {
        self.id = id
        self.file = file
        self.isPMTiles = isPMTiles
        self.info = info
        self.isVector = isVector
        self.vectorLayers = vectorLayers
        self.tile = tile
    }

    /// Creates a tileset of an archive.
    /// - Parameter path: The file or folder.
    public init(id: String, _ archive: any TileArchive, path: String) {
        let file = ServedFile(path), modified = file?.facts.modified
        let first = archive.firstTile, found = TileKind(of: first)
        let isVector = (archive.declaredContent.kind ?? found).isVector
        // Clients such as GDAL need the names of the layers.
        let layers = (try? VectorTile(first))?.layerNames.map { ["id": .string($0), "fields": [:]] as JSON }
        self.init(
            id, archive.info, isVector, archive.metadata["vector_layers"] ?? layers.map { .array($0) },
            file: file, isPMTiles: archive is PMTilesArchive
        ) { tile in
            guard let body = try archive.servedBody(tile), !body.isEmpty else { return nil }
            return Tile(body: body, modified: modified)
        }
        isMapLibre = isVector && found == .mapLibre
        encoding = archive.metadata["encoding"]?.string
    }

    /// The extension of its tiles' addresses.
    var ending: String { isMapLibre ? "mlt" : isVector ? "pbf" : "png" }

    /// Returns the TileJSON document.
    /// - Parameter base: The address of the server, without a slash at its end.
    func tileJSON(at base: String) -> JSON {
        var object = JSONObject()
        object["tilejson"] = "3.0.0"
        object["name"] = .string(info.name)
        if !info.attribution.isEmpty { object["attribution"] = .string(info.attribution) }
        if let encoding { object["encoding"] = .string(encoding) }
        object["scheme"] = "xyz"
        object["tiles"] = .array([.string("\(base)/\(id)/{z}/{x}/{y}.\(ending)")])
        object["minzoom"] = .integer(info.zooms.lowerBound)
        object["maxzoom"] = .integer(info.zooms.upperBound)
        if let bounds = info.bounds { object["bounds"] = bounds.json }
        if let center = info.center {
            object["center"] = .array([
                .number(center.longitude), .number(center.latitude),
                .number(info.centerZoom ?? Double(info.zooms.lowerBound)),
            ])
        }
        if !isVector { object["tileSize"] = .integer(info.tileSize.rawValue) }
        if isMapLibre { object["encoding"] = "mlt" }
        if isVector { object["vector_layers"] = vectorLayers ?? .array([]) }
        return .object(object)
    }
}

extension TileArchive {
    /// The first tile, decompressed; empty if there is none.
    fileprivate var firstTile: [UInt8] {
        var first: [UInt8] = []
        try? eachTile { tile in
            guard let body = try servedBody(tile), !body.isEmpty else { return }
            first = (try? Gzip.unpacked(body)) ?? body
            throw CancellationError()
        }
        return first
    }

    /// Returns a tile's body, without Brotli or Zstandard, which many clients don't support; nil if there is
    /// no such tile.
    /// - Throws: Also if the body is neither compressed as declared nor of a known kind.
    fileprivate func servedBody(_ tile: TileID) throws -> [UInt8]? {
        guard let stored = try storedBody(tile) else { return nil }
        if compression == .brotli || compression == .zstd { return try compression.unpacked(stored) }
        if compression == .gzip, !Gzip.isWrapped(stored), !stored.isEmpty, TileKind(of: stored) == .unknown {
            throw TileFailure(.badContent, "\(tile) is damaged")
        }
        return stored
    }
}

/// A tileset under its name. After its archive was replaced, the new one is opened in the background, and the
/// old one is published until then.
final class PublishedTileset: Sendable {
    private struct State {
        var set: ServedTileset
        var edition = 0
        /// The file that is being opened, or could not be; nil for none.
        var attempted: FileFacts?
        var isOpening = false
    }

    /// The tileset to answer a request with.
    enum Current {
        /// The tileset, and the number of its edition.
        case ready(ServedTileset, edition: Int)
        /// The archive was changed in place, and is not open again yet.
        case opening
        /// The archive was changed in place, and can't be opened.
        case damaged
    }

    private let state: Mutex<State>

    init(_ set: ServedTileset) { state = Mutex(State(set: set)) }

    /// The description, for the catalogue.
    var set: ServedTileset { state.withLock { $0.set } }

    /// The tileset to use now. Starts to open an archive that replaced the published one.
    var current: Current {
        let (set, edition) = state.withLock { ($0.set, $0.edition) }
        guard let file = set.file, let reopen = set.reopen, let successor = file.successor else {
            return .ready(set, edition: edition)
        }
        let (isFirst, isOpening) = state.withLock { state in
            let isFirst = !state.isOpening && state.attempted != successor
            if isFirst { (state.isOpening, state.attempted) = (true, successor) }
            return (isFirst, state.isOpening)
        }
        if isFirst { Task { await open(reopen) } }
        guard successor.isSameFile(as: file.facts) else { return .ready(set, edition: edition) }
        return isOpening ? .opening : .damaged
    }

    private func open(_ reopen: @Sendable () async throws -> ServedTileset) async {
        let opened = try? await reopen()
        state.withLock { state in
            state.isOpening = false
            guard var opened else { return }
            opened.id = state.set.id
            opened.reopen = state.set.reopen
            state.set = opened
            state.edition += 1
        }
    }
}
