import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbCells

struct IndexedImageTests {
    private func raster(_ colours: [RGB], width: Int) throws -> Raster {
        let pixels = colours.flatMap { colour -> [UInt8] in [colour.red, colour.green, colour.blue, 255] }
        return try #require(Raster(width: width, height: colours.count / width, pixels: pixels))
    }

    @Test(arguments: [1, 2, 16, 256])
    func `up to 256 colours are exact`(count: Int) throws {
        var random = SplitMix(seed: UInt64(count))
        let colours = (0..<count).map { _ in RGB(UInt32.random(in: 0...0xFFFFFF, using: &random)) }
        let places: [Int] = (0..<4096).map { $0 * 7 % count }
        let picture = try raster(places.map { colours[$0] }, width: 64)
        let image = IndexedImage(picture)
        #expect(image.raster == picture && image.palette.count <= count)
    }

    @Test func `more colours are reduced with a small error, and flat areas stay exact`() throws {
        let sea = RGB(0x9CC4DE)
        let colours = (0..<128 * 128).map { at -> RGB in
            if at < 128 * 64 { return sea }
            return RGB(red: UInt8(at % 128 * 2), green: UInt8(at / 128), blue: UInt8(at % 251))
        }
        let image = IndexedImage(try raster(colours, width: 128))
        #expect(image.palette.count <= 256)
        #expect((0..<128 * 64).allSatisfy { image[$0 / 128, $0 % 128] == sea })
        func distance(_ one: UInt8, _ other: UInt8) -> Int { abs(Int(one) - Int(other)) }
        let errors = (128 * 64..<128 * 128).map { at -> Int in
            let shown = image[at / 128, at % 128], wanted = colours[at]
            let red = distance(shown.red, wanted.red), green = distance(shown.green, wanted.green)
            return red + green + distance(shown.blue, wanted.blue)
        }
        #expect(errors.reduce(0, +) / errors.count < 30)
    }

    @Test(arguments: [2, 16, 64])
    func `the number of colours can be limited`(limit: Int) throws {
        let colours = (0..<64 * 64).map { RGB(UInt32($0 * 4093)) }
        #expect(IndexedImage(try raster(colours, width: 64), colours: limit).palette.count <= limit)
    }

    /// Returns an image of a colour at each pixel, reduced with a tolerance.
    private func merged(
        width: Int, height: Int, tolerance: UInt8, _ colour: (Int, Int) -> UInt32
    ) -> (palette: [RGB], hues: [[RGB]]) {
        let hues = (0..<width * height).map { colour($0 / width, $0 % width) }
        let (palette, pixels) = ColourMerger(hues, width: width).indexed(limit: 256, tolerance: tolerance)
        return (
            palette,
            (0..<height).map { row in
                pixels[row * width..<(row + 1) * width].map { palette[Int($0)] }
            }
        )
    }

    @Test func `with a tolerance, rare colours at edges become frequent ones, and areas stay exact`() {
        // Two areas, whose edge has mixed colours.
        let (palette, image) = merged(width: 64, height: 64, tolerance: 4) { row, column in
            let mixed = UInt32(0x40 + row)
            return column == 32 ? mixed * 0x010101 : column < 32 ? 0x404040 : 0x808080
        }
        #expect(palette.count < 8)
        for row in 0..<64 {
            #expect(image[row][..<32].allSatisfy { $0.hex == 0x404040 })
            #expect(image[row][33...].allSatisfy { $0.hex == 0x808080 })
            #expect(abs(Int(image[row][32].red) - 0x40 - row) <= 24)
        }
    }

    @Test(arguments: [2 as UInt8, 4, 8])
    func `with a tolerance, smooth areas change by at most that`(tolerance: UInt8) {
        let (palette, image) = merged(width: 200, height: 8, tolerance: tolerance) { _, column in
            UInt32(column) * 0x010101
        }
        #expect(palette.count < 200)
        for column in 0..<200 { #expect(abs(Int(image[3][column].red) - column) <= Int(tolerance)) }
    }

    @Test func `with a tolerance, pictures of more than 256 different colours have at most 256`() {
        var random = SplitMix(seed: 1)
        let (palette, _) = merged(width: 64, height: 64, tolerance: 1) { _, _ in
            UInt32.random(in: 0...0xFFFFFF, using: &random)
        }
        #expect((2...256).contains(palette.count))
    }
}
