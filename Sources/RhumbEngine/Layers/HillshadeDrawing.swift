public import RhumbCore

/// Draws light and shade from tiles whose colours are heights.
public struct HillshadeDrawing: TileDrawing {
    /// The zooms of the heights that pictures are drawn from.
    public let dataZooms: ClosedRange<Int>
    /// Heights come as PNG or WebP.
    public let content = ExpectedContent.imageTile
    private let name: String
    private let encoding: ElevationEncoding
    private let shade: Hillshade
    private let decoder: any ImageDecoder

    /// - Parameters:
    ///   - info: what is known of the source of heights.
    ///   - decoder: makes pictures of its tiles, with their colours as they are.
    public init(_ info: TileSourceInfo, _ encoding: ElevationEncoding, _ shade: Hillshade, decoder: any ImageDecoder) {
        (name, dataZooms) = (info.name, info.zooms)
        (self.encoding, self.shade, self.decoder) = (encoding, shade, decoder)
    }

    /// Draws the shading of a tile.
    public func picture(
        of tile: TileID, from data: TileID, _ bytes: [UInt8], side: Int
    ) throws(TileFailure) -> Raster {
        let heights: Raster
        do throws(ImageFailure) {
            heights = try decoder.decode(bytes, limits: .tile)
        } catch {
            throw TileFailure(.badContent, "\(name) \(data): \(error)")
        }
        guard let picture = shade.picture(of: tile, from: data, ElevationGrid(heights, encoding), side: side) else {
            throw TileFailure(.sourceFailed, "\(name) \(tile): there is nothing to draw")
        }
        return picture
    }
}
