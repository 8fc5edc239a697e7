public import RhumbCore
public import RhumbEngine

/// A query for the labels on tiles of a layer.
public struct LabelQuestion: Equatable, Sendable {
    /// The layer whose tiles are asked about.
    public let layer: TileLayer.ID
    /// Tiles of the layer's data.
    public let tiles: [TileID]
    /// Of the pictures the labels are for.
    public let zoom: Int
    /// Of the tiles asked about.
    let tileZoom: Int
    /// The language labels are wanted in, where a tile has several.
    public let language: NameLanguage
    /// True if labels may have letters beyond ASCII.
    public let isUnicode: Bool

    /// The same question about other tiles.
    func about(_ tiles: [TileID]) -> LabelQuestion {
        LabelQuestion(
            layer: layer, tiles: tiles, zoom: zoom, tileZoom: tileZoom, language: language,
            isUnicode: isUnicode)
    }

    /// Returns true if the responses of both may appear on one map.
    public func isLike(_ other: LabelQuestion) -> Bool {
        layer == other.layer && zoom == other.zoom && tileZoom == other.tileZoom && language == other.language
    }
}

/// The labels of the requested tiles.
public struct LabelAnswer: Sendable {
    /// The query.
    public let question: LabelQuestion
    /// The labels by tile; tiles that are not available are missing.
    let labels: [TileID: [MapLabel]]

    /// - Parameter labels: The labels of each available tile.
    public init(_ question: LabelQuestion, labels: [TileLabels]) {
        self.question = question
        self.labels = Dictionary(labels.map { ($0.tile, $0.labels) }) { first, _ in first }
    }
}

/// The labels on a tile, ready to be laid out.
public struct TileLabels: Sendable {
    let tile: TileID
    let labels: [MapLabel]

    /// Takes some milliseconds: not for the thread that draws.
    public init(_ labels: [VectorLabel], on tile: TileID, isUnicode: Bool = true) {
        self.tile = tile
        self.labels = labels.compactMap { MapLabel($0, of: tile, isUnicode: isUnicode) }
    }
}
