public import RhumbCore

/// A source whose tiles are drawn with other colours: every pixel whose colour is in the table
/// gets the table's, all others stay. Made for flat cartography with a fixed palette, which so
/// has a second theme at no cost in bytes.
public struct RecolouredSource: TileLayerDataSource {
    private let source: any TileLayerDataSource
    private let decoder: any ImageDecoder
    private let table: [UInt32: UInt32]

    /// - Parameters:
    ///   - source: one that answers at once.
    ///   - table: from each colour to the one drawn instead.
    public init(
        _ source: any TileLayerDataSource, decoder: any ImageDecoder, table: [RGB: RGB]
    ) {
        self.source = source
        self.decoder = decoder
        self.table = Dictionary(
            table.map { (RecolouredSource.key($0), RecolouredSource.key($1)) },
            uniquingKeysWith: { first, _ in first })
    }

    public func hasTile(_ tile: TileID) -> Bool { source.hasTile(tile) }

    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        guard let answer = try source.tile(tile) else { return nil }
        guard case .bitmap(let bitmap) = answer else { return answer }
        switch bitmap {
        case .encoded(let bytes):
            do {
                return .bitmap(.raster(recoloured(try decoder.decode(bytes, limits: .tile))))
            } catch {
                throw TileFailure(.badContent, "\(tile): \(error)")
            }
        case .raster(let raster): return .bitmap(.raster(recoloured(raster)))
        case .pixels: return answer
        }
    }

    /// The colours as four bytes in memory order, opaque.
    private static func key(_ colour: RGB) -> UInt32 {
        UInt32(colour.red) | UInt32(colour.green) << 8 | UInt32(colour.blue) << 16 | 255 << 24
    }

    private func recoloured(_ raster: Raster) -> Raster {
        var pixels = raster.pixels
        pixels.withUnsafeMutableBytes { bytes in
            let words = bytes.assumingMemoryBound(to: UInt32.self)
            var last: UInt32 = 0, drawn: UInt32 = 0
            for at in words.indices {
                if words[at] != last {
                    last = words[at]
                    drawn = table[last] ?? last
                }
                words[at] = drawn
            }
        }
        return Raster(width: raster.width, height: raster.height, pixels: pixels) ?? raster
    }
}
