public import RhumbCore
public import RhumbEngine

/// Which names stand on some tiles of a layer?
public struct NameQuestion: Equatable, Sendable {
    /// The layer whose tiles are asked about.
    public let layer: TileLayer.ID
    /// Tiles of the layer's data.
    public let tiles: [TileID]
    /// Of the pictures the names are for.
    public let zoom: Int
    /// The language names are wanted in, where a tile has several.
    public let language: NameLanguage

    /// The same question about other tiles.
    func about(_ tiles: [TileID]) -> NameQuestion {
        NameQuestion(layer: layer, tiles: tiles, zoom: zoom, language: language)
    }

    /// Whether the answers to both may stand on one map.
    public func isLike(_ other: NameQuestion) -> Bool {
        layer == other.layer && zoom == other.zoom && language == other.language
    }
}

/// What stands on the tiles that were asked about.
public struct NameAnswer: Sendable {
    /// What was asked.
    public let question: NameQuestion
    /// A tile that is missing could not be had.
    let names: [TileID: [MapName]]

    /// - Parameter names: of each tile that can be had.
    public init(_ question: NameQuestion, names: [TileNames]) {
        self.question = question
        self.names = Dictionary(names.map { ($0.tile, $0.names) }) { first, _ in first }
    }
}

/// The names on a tile, ready to be laid out.
public struct TileNames: Sendable {
    let tile: TileID
    let names: [MapName]

    /// Takes some milliseconds: not for the thread that draws.
    public init(_ labels: [VectorLabel], on tile: TileID) {
        self.tile = tile
        names = labels.compactMap { MapName($0, of: tile) }
    }
}
