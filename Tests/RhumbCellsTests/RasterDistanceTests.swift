import RhumbCore
import Testing

struct RasterDistanceTests {
    private func picture(_ pixels: [UInt8]) throws -> Raster {
        try #require(Raster(width: pixels.count / 4, height: 1, pixels: pixels))
    }

    @Test func `black and white have the distance 1, and equal pictures 0`() throws {
        let black = Raster(width: 2, height: 2, filledWith: RGB(0x000000))
        let white = Raster(width: 2, height: 2, filledWith: RGB(0xFFFFFF))
        #expect(abs(try #require(black.meanDistance(to: white)) - 1) < 0.001)
        #expect(black.meanDistance(to: black) == 0)
        #expect(black.meanDistance(to: Raster(width: 2, height: 1, filledWith: RGB(0))) == nil)
    }

    @Test func `the distance is the mean over all pixels`() throws {
        let first = try picture([0, 0, 0, 255, 9, 9, 9, 255, 7, 7, 7, 255, 5, 5, 5, 255])
        let second = try picture([255, 255, 255, 255, 9, 9, 9, 255, 7, 7, 7, 255, 5, 5, 5, 255])
        #expect(abs(try #require(first.meanDistance(to: second)) - 0.25) < 0.001)
    }

    @Test func `transparent pixels are white, whatever their colour`() throws {
        #expect(try picture([1, 2, 3, 0]).meanDistance(to: picture([255, 255, 255, 255])) == 0)
    }
}
