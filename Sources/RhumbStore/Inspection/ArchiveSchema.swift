public import RhumbCore

/// The layers of an archive of vector tiles with their attributes, and the differences from its metadata.
public struct ArchiveSchema: Sendable, Equatable {
    /// A layer that occurs in the tiles.
    public struct Layer: Sendable, Equatable {
        /// The name, not sanitised.
        public let name: String
        /// The number of tiles with the layer.
        public internal(set) var tiles = 0
        /// The zooms at which the layer occurs, at least one.
        public internal(set) var zooms: Set<Int> = []
        /// The features of all tiles together. A feature counts once for each of its tiles, but once for
        /// tiles that share a body.
        public internal(set) var summary = LayerSummary()
        /// The zooms of each attribute.
        public internal(set) var fieldZooms: [String: Set<Int>] = [:]
        /// True if the metadata declares the layer; nil if it declares no layers at all.
        public internal(set) var isDeclared: Bool?
        /// The attributes in the tiles that the metadata lacks; empty if the layer isn't declared.
        public internal(set) var undeclaredFields: [String] = []
        /// The attributes in the metadata that no tile has; empty if only a sample was read.
        public internal(set) var absentFields: [String] = []
    }

    /// The layers, in the order of their first tiles.
    public let layers: [Layer]
    /// The layers in the metadata that no tile has; empty if only a sample was read.
    public let absentLayers: [String]
    /// The number of tiles in the archive.
    public let tileCount: Int
    /// The number of tiles that were read.
    public let readCount: Int
    /// The tiles that aren't vector tiles, such as images.
    public let otherCount: Int
    /// The damaged tiles and directories.
    public let problems: TileProblems
    /// True if there are more than `layerLimit` layers, so that some are missing.
    public let isTruncated: Bool

    /// Maximum number of layers. It limits memory for archives with arbitrary names.
    public static let layerLimit = 1000

    /// True if the metadata declares layers, and they differ from those in the tiles.
    public var differsFromMetadata: Bool {
        !absentLayers.isEmpty
            || layers.contains {
                $0.isDeclared == false || !$0.undeclaredFields.isEmpty || !$0.absentFields.isEmpty
            }
    }
}

/// Tiles and directories that can't be read.
public struct TileProblems: Sendable, Equatable {
    /// The number of damaged tiles and directories.
    public private(set) var count = 0
    /// The first five problems, sanitised for terminal output.
    public private(set) var examples: [String] = []

    mutating func add(_ problem: String) {
        count += 1
        if examples.count < 5 { examples.append(SafeText.sanitised(problem)) }
    }
}

extension TileArchive {
    /// Decodes the tiles and collects their layers and attributes. Uses all cores.
    /// - Parameters:
    ///   - file: The archive's path, for messages.
    ///   - sample: The maximum number of tiles to read at each zoom; nil for all tiles.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed, or none is a vector tile.
    public func schema(of file: String, sample: Int? = nil) throws -> ArchiveSchema {
        var scan = SchemaScan(file: file)
        let counts = try TileTraversal(archive: self, sample: sample).visit(scan.examine) { scan.add($0, $1) }
        return try scan.result(DeclaredLayers(metadata), counts: counts)
    }

    /// Decodes one tile. The result has no differences from the metadata.
    /// - Parameter file: The archive's path, for messages.
    /// - Throws: `ArchiveFailure` if the archive has no such vector tile.
    public func schema(of file: String, tile: TileID) throws -> ArchiveSchema {
        var scan = SchemaScan(file: file)
        if let run = StoredTileRun(tile, of: self) { scan.add(run, scan.examine(run)) }
        return try scan.result(DeclaredLayers(.null), counts: [tile.zoom: 1])
    }
}

/// The layers and attributes that an archive's metadata declares.
struct DeclaredLayers {
    /// The attributes of each layer; nil if the metadata has no list of layers.
    let fields: [String: Set<String>]?
    /// The names of the layers, in order.
    let names: [String]

    /// Reads "vector_layers" from PMTiles or TileJSON metadata, or from the row "json" of MBTiles.
    init(_ metadata: JSON) {
        guard let layers = (metadata["vector_layers"] ?? metadata["json"]?["vector_layers"])?.array else {
            fields = nil
            names = []
            return
        }
        var fields: [String: Set<String>] = [:], names: [String] = []
        for layer in layers {
            guard let id = layer["id"]?.string else { continue }
            if fields[id] == nil { names.append(id) }
            fields[id, default: []].formUnion(layer["fields"]?.object?.names ?? [])
        }
        self.fields = fields
        self.names = names
    }
}
