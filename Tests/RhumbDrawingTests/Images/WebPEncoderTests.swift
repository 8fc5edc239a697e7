import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Writing WebP` {
    @Test(arguments: [(1, 1), (1, 40), (300, 2), (64, 64)])
    func `an encoded picture decodes to itself`(width: Int, height: Int) throws {
        var noise = SplitMix(seed: UInt64(width * 1000 + height))
        let pixels = (0..<width * height * 4).map { _ in UInt8.random(in: 1...255, using: &noise) }
        let raster = try #require(Raster(width: width, height: height, pixels: pixels))
        let file = try WebPEncoder.encode(raster)
        #expect(ImageKind(sniffing: file) == .webp)
        #expect(try SniffingDecoder().decode(file, limits: .tile) == raster)
    }

    @Test func `a picture larger than the format allows is rejected with its size`() throws {
        let raster = Raster(width: WebPEncoder.longestSide + 1, height: 1, filledWith: RGB(0))
        let failure = #expect(throws: ImageFailure.self) { try WebPEncoder.encode(raster) }
        #expect(failure.map { "\($0)".contains("16384×1") } == true)
    }
}
