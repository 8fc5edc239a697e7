public import RhumbCore

/// Makes pictures of tiles that are none themselves, such as vector tiles. A port: what draws is
/// behind it. What is fetched and kept are the source's tiles as they come; they are drawn each
/// time a picture is wanted. Called from several threads at once, never from the one that draws
/// the screen.
public protocol TileDrawing: Sendable {
    /// The zooms that the source has tiles for. Deeper pictures are drawn from parts of the
    /// deepest.
    var dataZooms: ClosedRange<Int> { get }

    /// What a server must send for a tile of the source. Default: vector tiles.
    var content: ExpectedContent { get }

    /// The picture of a tile.
    /// - Parameters:
    ///   - tile: what is drawn: `data` or a descendant of it.
    ///   - data: the source's tile.
    ///   - bytes: of the source's tile, as they came.
    ///   - side: of the picture, in pixels.
    /// - Throws: `TileFailure`; `badContent` where the bytes are no such tile.
    func picture(
        of tile: TileID, from data: TileID, _ bytes: [UInt8], side: Int
    ) throws(TileFailure) -> Raster
}

extension TileDrawing {
    /// Drawings are made of vector tiles, unless they say otherwise.
    public var content: ExpectedContent { .vectorTile }
}

extension TileLayer {
    /// The tile of the source that a tile's picture is made from: itself, or the ancestor from a
    /// part of which it is drawn.
    public func dataTile(for tile: TileID) -> TileID {
        guard let deepest = drawing?.dataZooms.upperBound, tile.zoom > deepest else { return tile }
        return tile.ancestor(levels: tile.zoom - deepest) ?? tile
    }

    /// The zooms for which the source has tiles that may be asked for.
    public var dataZooms: ClosedRange<Int> {
        guard let drawing else { return sourceZooms }
        let deepest = min(drawing.dataZooms.upperBound, sourceZooms.upperBound)
        return min(drawing.dataZooms.lowerBound, deepest)...deepest
    }

    /// The layer with pictures that are drawn from its source's tiles, at zooms as deep as tiles go.
    /// - Parameter size: of the pictures, in pixels.
    public func drawn(by drawing: any TileDrawing, size: TileSize = .pixels512) -> TileLayer {
        var layer = self
        layer.drawing = drawing
        layer.info.tileSize = size
        layer.info.zooms = info.zooms.lowerBound...max(info.zooms.upperBound, size.maximumZoom)
        return layer
    }
}
