import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct ReliefDrawingTests {
    /// Draws every tile in one colour.
    private struct Plain: TileDrawing {
        struct Tile: DrawnTile {
            func picture(of tile: TileID, side: Int) throws(TileFailure) -> Raster {
                Raster(width: side, height: side, filledWith: RGB(0x808080))
            }
        }
        let dataZooms = 0...7
        func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile { Tile() }
    }

    /// - Parameter bytes: The picture of every relief tile: its width, height and grey value.
    private func picture(
        _ zoom: Int, relief bytes: [UInt8]?, from lowest: Int? = nil,
        waters: (colour: RGB, flatFrom: Int)? = nil, zoomsAhead: Int = 0
    )
        throws -> Raster
    {
        let drawing = ReliefDrawing(
            over: Plain(), zooms: 0...4, from: lowest, waters: waters,
            shades: ReliefShades(shadow: 0.5, light: 0.5), decoder: ThreeByteDecoder()
        ) { (_) throws(TileFailure) in bytes }
        let tile = try #require(TileID(zoom: zoom, x: 0, y: 0))
        return try drawing.ahead(by: zoomsAhead).tile(tile, from: []).picture(of: tile, side: 16)
    }

    private let ground: UInt8 = 0x80
    private let shadow: [UInt8] = [4, 4, 20]

    @Test func `shade is strongest on the relief's own zooms and fades out within five more`() throws {
        let greys = try (0...10).map { try picture($0, relief: shadow).pixels[0] }
        #expect(greys[0..<6].allSatisfy { $0 == greys[0] } && greys[0] < ground)
        #expect(greys == greys.sorted() && Set(greys[5...]).count == 6 && greys[10] == ground)
    }

    @Test func `with finer tiles shade begins and ends later by as many zooms`() throws {
        let greys = try (0...12).map { try picture($0, relief: shadow, zoomsAhead: 2).pixels[0] }
        #expect(greys[0..<2].allSatisfy { $0 == ground })
        #expect(greys[2..<8].allSatisfy { $0 == greys[2] } && greys[2] < ground)
        #expect(Set(greys[7...]).count == 6 && greys[11] < ground && greys[12] == ground)
    }

    @Test func `beyond the deepest zoom, shade has no step between tiles of the relief`() throws {
        let drawing = ReliefDrawing(
            over: Plain(), zooms: 0...4, shades: ReliefShades(shadow: 0.5, light: 0.5),
            decoder: ThreeByteDecoder()
        ) { (tile) throws(TileFailure) in [4, 4, tile.x == 0 ? 20 : 236] }
        let line = try [1, 2].flatMap { x in
            let tile = try #require(TileID(zoom: 5, x: x, y: 0))
            let image = try drawing.tile(tile, from: []).picture(of: tile, side: 16)
            return (0..<16).map { Int(image.pixels[$0 * 4]) }
        }
        #expect(zip(line, line.dropFirst()).allSatisfy { abs($0 - $1) < 20 }, "\(line)")
        #expect(line[31] > line[0] + 80, "\(line)")
    }

    @Test func `below its lowest zoom a relief has no shade`() throws {
        let greys = try (0...6).map { try picture($0, relief: shadow, from: 4).pixels[0] }
        #expect(greys[..<4].allSatisfy { $0 == ground } && greys[4...].allSatisfy { $0 < ground })
    }

    @Test func `from a zoom on, waters have no shade, and other ground has`() throws {
        let greys = try (2...6).map { zoom in
            try picture(zoom, relief: shadow, waters: (RGB(0x808080), flatFrom: 5), zoomsAhead: 1).pixels[0]
        }
        #expect(greys[..<4].allSatisfy { $0 < ground } && greys[4] == ground)
        #expect(try picture(6, relief: shadow, waters: (RGB(0x808081), flatFrom: 5)).pixels[0] < ground)
    }

    @Test(arguments: [nil, [], [1, 2, 3, 4, 5]] as [[UInt8]?])
    func `a missing or damaged relief leaves the ground unchanged`(bytes: [UInt8]?) throws {
        #expect(try picture(3, relief: bytes).pixels[0] == ground)
    }
}
