import RhumbCore
import Testing

struct ReliefTileTests {
    private let table = ReliefShades(shadow: 0.5, light: 0.5).table(strength: 1)

    /// Returns a relief whose grey values are those of a function.
    private func relief(_ grey: (_ x: Int, _ y: Int) -> UInt8) -> ReliefTile {
        let pixels: [UInt8] = (0..<64).flatMap { at -> [UInt8] in [grey(at % 8, at / 8), 0, 0, 255] }
        return ReliefTile(
            Raster(width: 8, height: 8, pixels: pixels) ?? Raster(width: 8, height: 8, filledWith: RGB(0)))
    }

    private func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileID {
        try #require(TileID(zoom: zoom, x: x, y: y))
    }

    private let ground = Raster(width: 32, height: 32, filledWith: RGB(0x6080A0))

    @Test func `flat ground is unchanged`() throws {
        let tile = try tile(3, 1, 2)
        #expect(relief { _, _ in 128 }.shading(ground, of: tile, from: tile, table) == ground)
    }

    @Test func `slopes towards the light are lighter, others darker, and alpha never changes`()
        throws
    {
        let tile = try tile(3, 1, 2)
        let shaded = relief { x, _ in x < 4 ? 28 : 228 }.shading(ground, of: tile, from: tile, table)
        let first = Array(shaded.pixels.prefix(4)), last = Array(shaded.pixels.suffix(4))
        #expect(first[0] < 0x60 && first[1] < 0x80 && first[2] < 0xA0 && first[3] == 255)
        #expect(last[0] > 0x60 && last[1] > 0x80 && last[2] > 0xA0 && last[3] == 255)
    }

    @Test func `a deeper tile has its part of the relief, without seams between parts`() throws {
        let relief = relief { x, y in UInt8(100 + 8 * x + y) }, data = try tile(3, 1, 2)
        let west = relief.shading(ground, of: try tile(4, 2, 4), from: data, table)
        let east = relief.shading(ground, of: try tile(4, 3, 4), from: data, table)
        let steps = (0..<32).map { row in
            abs(Int(west.pixels[(row * 32 + 31) * 4]) - Int(east.pixels[row * 32 * 4]))
        }
        #expect(steps.allSatisfy { $0 <= 2 })
        #expect(west.pixels[0] < east.pixels[31 * 4])
    }

    @Test(arguments: [(4, 5, 4, 6, 4), (4, 4, 5, 4, 6), (5, 31, 9, 0, 9)])
    func `an enlarged relief has no seam between its tiles`(
        zoom: Int, x: Int, y: Int, nextX: Int, nextY: Int
    ) throws {
        let ids = [try tile(zoom, x, y), try tile(zoom, nextX, nextY)]
        let data = try ids.map { try #require($0.ancestor(levels: zoom - 3)) }
        let reliefs = [data[0]: relief { _, _ in 30 }, data[1]: relief { _, _ in 226 }]
        // The line of pixels across the edge, through the middle of both images.
        let line = try zip(ids, data).flatMap { id, data in
            let image = try #require(reliefs[data]).shading(ground, of: id, from: data, table) { reliefs[$0] }
            return (0..<32).map { Int(image.pixels[(x == nextX ? $0 * 32 + 16 : 16 * 32 + $0) * 4]) }
        }
        #expect(zip(line, line.dropFirst()).allSatisfy { abs($0 - $1) <= 17 })
        #expect(Set(line).count >= 8)
    }

    @Test func `only neighbours nearer to pixels than the outermost greys are read`() throws {
        let relief = relief { x, y in UInt8(20 + 25 * x + 5 * y) }, data = try tile(3, 1, 0)
        func read(_ id: TileID, seen: PixelBox? = nil) -> [TileID] {
            var read: [TileID] = []
            _ = relief.shading(ground, of: id, from: data, table, seen: seen) {
                read.append($0)
                return nil
            }
            return read
        }
        #expect(read(data).isEmpty)
        #expect(read(try tile(5, 5, 1)).isEmpty)
        #expect(Set(read(try tile(4, 2, 0))) == [try tile(3, 0, 0)])
        let corner = try tile(4, 3, 1)
        #expect(read(corner) == [try tile(3, 2, 0), try tile(3, 1, 1), try tile(3, 2, 1)])
        #expect(read(corner, seen: PixelBox(x: 0..<32, y: 0..<20)) == [try tile(3, 2, 0)])
        #expect(read(corner, seen: PixelBox(x: 0..<32, y: 40..<50)).isEmpty)
    }

    @Test func `the visible part is shaded as in the complete image, and the rest is unchanged`() throws {
        let tile = try tile(3, 1, 2), relief = relief { x, y in UInt8(20 + 25 * x + 5 * y) }
        let whole = relief.shading(ground, of: tile, from: tile, table)
        let seen = PixelBox(x: 5..<20, y: 9..<40)
        let part = relief.shading(ground, of: tile, from: tile, table, seen: seen)
        for at in 0..<(32 * 32) {
            let isSeen = seen.x.contains(at % 32) && seen.y.contains(at / 32), pixel = at * 4..<(at * 4 + 4)
            #expect(part.pixels[pixel].elementsEqual((isSeen ? whole : ground).pixels[pixel]))
        }
        #expect(whole != ground)
    }

    @Test func `without strength nothing changes`() {
        let table = ReliefShades(shadow: 1, light: 1).table(strength: 0)
        #expect((0..<65536).allSatisfy { table[$0] == UInt8($0 & 255) })
    }
}
