import RhumbCore
import RhumbTestSupport
import Testing

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
}
