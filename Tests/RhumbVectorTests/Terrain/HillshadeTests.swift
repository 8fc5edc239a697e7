import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbVector

struct HillshadeTests {
    @Test(
        arguments: [
            (.mapbox, (1, 134, 160), 0), (.mapbox, (2, 224, 73), 8848.9), (.mapbox, (1, 134, 170), 1),
            (.terrarium, (134, 100, 128), 1636.5), (.terrarium, (162, 144, 220), 8848.859),
            (.custom(red: 256, green: 1, blue: 1.0 / 256, base: 32768), (134, 100, 128), 1636.5),
        ] as [(ElevationEncoding, (UInt8, UInt8, UInt8), Double)])
    func `colours represent heights`(
        encoding: ElevationEncoding, colour: (UInt8, UInt8, UInt8), metres: Double
    ) {
        #expect(abs(encoding.metres(colour.0, colour.1, colour.2) - metres) < 0.001)
    }

    @Test(
        arguments: [
            (.mapbox, true), (.terrarium, true),
            (.custom(red: 6553.6, green: 25.6, blue: 0.1, base: 10_000), true),
            (.custom(red: 256, green: 1, blue: 0, base: 500), false),
        ] as [(ElevationEncoding, Bool)])
    func `black is no height where it would be below every terrain`(
        encoding: ElevationEncoding, isMissing: Bool
    ) throws {
        let pixels: [UInt8] = [0, 0, 0, 255, 1, 134, 160, 255]
        let grid = ElevationGrid(try #require(Raster(width: 2, height: 1, pixels: pixels)), encoding)
        #expect(grid.metres[0].isNaN == isMissing)
        #expect(encoding == .terrarium || !grid.metres[1].isNaN)
    }

    @Test func `the greatest depth of the sea is a height in Terrarium`() throws {
        let pixels: [UInt8] = [85, 72, 0, 255]
        let grid = ElevationGrid(try #require(Raster(width: 1, height: 1, pixels: pixels)), .terrarium)
        #expect(grid.metres == [-10_936])
    }

    /// Returns a grid with the heights of a function, decoded from Terrarium colours.
    private func grid(_ side: Int = 16, _ height: (Int, Int) -> Int) throws -> ElevationGrid {
        var pixels: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side {
                let coded = height(x, y) + 32768
                pixels += [UInt8(coded >> 8), UInt8(coded & 255), 0, 255]
            }
        }
        return ElevationGrid(try #require(Raster(width: side, height: side, pixels: pixels)), .terrarium)
    }

    private let tile = TileID.world.children[0].children[3].children[0].children[3].children[0]

    @Test func `flat ground is transparent`() throws {
        let picture = try #require(Hillshade().picture(of: tile, from: tile, grid { _, _ in 300 }, side: 16))
        #expect(picture.pixels.allSatisfy { $0 == 0 })
    }

    @Test func `slopes towards the light are lit, others are shaded`() {
        let shade = Hillshade()
        let lit = shade.colour(east: 1, south: 1), dark = shade.colour(east: -1, south: -1)
        #expect(lit.red > 0.5 && dark.red < 0.3 && lit.alpha > 0.2 && dark.alpha > 0.2)
        #expect(shade.colour(east: 2, south: 2).alpha > lit.alpha)
    }

    @Test func `the shade changes steadily around the default exaggeration`() {
        var stronger = Hillshade()
        stronger.exaggeration = 0.5001
        for (east, south) in [(1.0, 0.5), (0, -2), (0, 3), (-0.1, 0.02), (40, 7)] {
            let usual = Hillshade().colour(east: east, south: south)
            let other = stronger.colour(east: east, south: south)
            #expect(usual.alpha > 0 && abs(usual.alpha - other.alpha) < 0.001)
            #expect(abs(usual.red - other.red) < 0.001)
        }
    }

    @Test func `without exaggeration there is no shade`() {
        var shade = Hillshade()
        shade.exaggeration = 0
        #expect(shade.colour(east: 3, south: 3).alpha == 0)
    }

    @Test func `an even slope looks the same up to the edge`() throws {
        // At low zooms, a tile's rows have different scales.
        let tile = try #require(TileID(zoom: 14, x: 8700, y: 5900))
        let picture = try #require(
            Hillshade().picture(of: tile, from: tile, grid { x, y in 90 * x + 40 * y }, side: 16))
        let first = Array(picture.pixels[0..<4])
        #expect(first[3] > 0)
        #expect(
            picture.pixels.indices.allSatisfy { abs(Int(picture.pixels[$0]) - Int(first[$0 % 4])) <= 1 })
    }

    @Test func `a slope has the same shade on both sides of a border between rows of tiles`() throws {
        let grid = try grid { x, y in 900 * x + 400 * y }
        let edges = try [(7, 255), (8, 0)].map { y, row in
            let tile = try #require(TileID(zoom: 5, x: 2, y: y))
            let picture = try #require(Hillshade().picture(of: tile, from: tile, grid, side: 256))
            return Int(picture.pixels[row * 1024 + 3])
        }
        #expect(edges[0] > 20 && abs(edges[0] - edges[1]) <= 2)
    }

    @Test func `a part of a tile is the same ground enlarged`() throws {
        let grid = try grid { x, y in (x < 8 ? 0 : 90 * x) + y }
        let child = tile.children[1]
        let part = try #require(Hillshade().picture(of: child, from: tile, grid, side: 16))
        let whole = try #require(Hillshade().picture(of: tile, from: tile, grid, side: 16))
        // The middle of the child's eastern edge, and the same position in the tile.
        #expect(abs(Int(part.pixels[(8 * 16 + 15) * 4 + 3]) - Int(whole.pixels[(4 * 16 + 15) * 4 + 3])) < 12)
    }

    @Test(arguments: [0.5, 0.8], [1, 2])
    func `each pixel has the shade of its slope`(exaggeration: Double, parts: Int) throws {
        var random = SplitMix(seed: 7)
        let side = 21, heights = (0..<side * side).map { _ in Int.random(in: 0...900, using: &random) }
        let grid = try grid(side) { x, y in heights[y * side + x] }
        var shade = Hillshade()
        shade.exaggeration = exaggeration
        let tile = try #require(TileID(zoom: 12, x: 2175, y: 1490))
        let drawn = parts == 1 ? tile : tile.children[3]
        let picture = try #require(shade.picture(of: drawn, from: tile, grid, side: side))
        func height(_ x: Double, _ y: Double) -> Double { grid.metres(x: x, y: y) }
        for row in 0..<side {
            for column in 0..<side {
                func position(_ pixel: Int) -> Double {
                    (Double(pixel) + 0.5) / Double(parts) + Double(parts - 1) * Double(side) / 2
                }
                let x = position(column) - 0.5, y = position(row) - 0.5
                let south = height(x - 1, y + 1) + 2 * height(x, y + 1) + height(x + 1, y + 1)
                let north = height(x - 1, y - 1) + 2 * height(x, y - 1) + height(x + 1, y - 1)
                let east = height(x + 1, y - 1) + 2 * height(x + 1, y) + height(x + 1, y + 1)
                let west = height(x - 1, y - 1) + 2 * height(x - 1, y) + height(x - 1, y + 1)
                let scale = Hillshade.scale(of: tile, cells: side, south: position(row) / Double(side))
                let colour = shade.colour(east: (east - west) * scale, south: (south - north) * scale)
                let at = (row * side + column) * 4
                let expected = [colour.red, colour.green, colour.blue, colour.alpha].map { $0 * 255 }
                for channel in 0..<4 where expected[3] >= 1 {
                    let difference = abs(Double(picture.pixels[at + channel]) - expected[channel])
                    #expect(difference <= (channel == 3 ? 1 : 2), "\(column) \(row) \(channel)")
                }
            }
        }
    }

    @Test func `nothing is drawn where heights are unknown`() throws {
        let pixels = [UInt8](repeating: 0, count: 16 * 16 * 4)
        let grid = ElevationGrid(try #require(Raster(width: 16, height: 16, pixels: pixels)), .mapbox)
        let picture = try #require(Hillshade().picture(of: tile, from: tile, grid, side: 8))
        #expect(picture.pixels.allSatisfy { $0 == 0 })
    }
}
