public import RhumbCore
public import RhumbEngine

/// A query for the labels on tiles of a layer. Tiles that are not available are missing in the response.
public struct LabelQuestion: Query {
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

    public static var scheduling: QueryScheduling { .inOrder("labels") }
    public static var isDrawnAtOnce: Bool { false }

    public func isOvertaken(by newest: LabelQuestion) -> Bool { !isLike(newest) }

    public typealias Response = [TileLabels]

    /// Returns the same query for other tiles.
    func about(_ tiles: [TileID]) -> LabelQuestion {
        LabelQuestion(
            layer: layer, tiles: tiles, zoom: zoom, tileZoom: tileZoom, language: language,
            isUnicode: isUnicode)
    }

    /// Returns true if the responses of both may appear on one map.
    func isLike(_ other: LabelQuestion) -> Bool {
        layer == other.layer && zoom == other.zoom && tileZoom == other.tileZoom && language == other.language
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
