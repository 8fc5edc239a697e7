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

    /// Takes some milliseconds: not for the thread that draws.
    /// - Parameter labels: of each tile that can be had.
    public init(_ question: NameQuestion, labels: [TileID: [VectorLabel]]) {
        self.question = question
        names = Dictionary(uniqueKeysWithValues: labels.map { tile, labels in
            (tile, labels.compactMap { MapName($0, of: tile) })
        })
    }
}
