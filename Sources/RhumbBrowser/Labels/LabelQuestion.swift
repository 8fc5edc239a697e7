public import RhumbCore
public import RhumbEngine

/// A query for the labels on tiles of a layer.
public struct LabelQuestion: Equatable, Sendable {
    /// The layer of the tiles.
    public let layer: TileLayer.ID
    /// The data tiles of the layer.
    public let tiles: [TileID]
    /// The zoom of the pictures that the labels belong to.
    public let zoom: Int
    /// The zoom of the tiles.
    let tileZoom: Int
    /// The preferred language of labels.
    public let language: NameLanguage
    /// True if labels may contain letters outside ASCII.
    public let isUnicode: Bool

    /// Returns the same query for other tiles.
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

    /// Prepares labels for the layout. It takes some milliseconds, so it must not run on the drawing thread.
    public init(_ labels: [VectorLabel], on tile: TileID, isUnicode: Bool = true) {
        self.tile = tile
        self.labels = labels.compactMap { MapLabel($0, of: tile, isUnicode: isUnicode) }
    }
}
