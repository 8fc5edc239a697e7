import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Writing PNG` {
    @Test(arguments: [(1, 1), (1, 40), (300, 2), (64, 64)])
    func `an encoded picture decodes to itself`(width: Int, height: Int) throws {
        var noise = SplitMix(seed: UInt64(width * 1000 + height))
        let pixels = (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &noise) }
        let raster = try #require(Raster(width: width, height: height, pixels: pixels))
        let file = try PNGEncoder.encode(raster)
        #expect(ImageKind(sniffing: file) == .png)
        #expect(try SniffingDecoder().decode(file, limits: .tile) == raster)
    }

    @Test(arguments: [(1, 1, 1), (7, 5, 2), (9, 3, 4), (33, 20, 16), (320, 320, 256)])
    func `an image with a palette decodes to its colours`(width: Int, height: Int, colours: Int) throws {
        let palette = (0..<colours).map { RGB(UInt32($0 * 65_521)) }
        let pixels = (0..<width * height).map { UInt8($0 * 31 % colours) }
        let image = try #require(
            IndexedImage(width: width, height: height, palette: palette, pixels: pixels))
        let file = try PNGEncoder.encode(image)
        #expect(try SniffingDecoder().decode(file, limits: .tile) == image.raster)
    }

    @Test func `a picture of one colour is encoded in few bytes`() throws {
        let raster = Raster(width: 256, height: 256, filledWith: RGB(0x336699))
        let file = try PNGEncoder.encode(raster)
        #expect(file.count < raster.byteCount / 100)
        #expect(try SniffingDecoder().decode(file, limits: .tile) == raster)
    }
}
