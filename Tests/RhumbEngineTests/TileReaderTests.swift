import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct TileReaderTests {
    private let view = Viewport.small(10, 50, zoom: 5)

    private func state(
        of bitmap: TileBitmap, _ change: (inout TileLayer) -> Void = { _ in }
    ) async -> TileState? {
        var layer = TileLayer.test(ScriptedSource { _, _ in .answer(.bitmap(bitmap)) })
        change(&layer)
        let harness = EngineHarness()
        await harness.show(view, [layer])
        return harness.state(layer, TileID(zoom: 5, containing: view.camera.center))
    }

    private func failure(of bitmap: TileBitmap) async -> TileFailure? {
        guard case .failed(let failure) = await state(of: bitmap) else { return nil }
        return failure
    }

    @Test(arguments: [(1, 1), (128, 128), (257, 257), (300, 200), (512, 512)])
    func `images of any size are drawn, even if the layer states another size`(
        width: Int, height: Int
    ) async {
        let raster = Raster(width: width, height: height, filledWith: RGB(0))
        #expect(await state(of: .raster(raster)) == .ready(raster))
    }

    /// One pixel in each format, and its colour as RGBA.
    private static let pixels: [(PixelFormat, [UInt8], rgba: [UInt8])] = [
        (.rgba, [1, 2, 3, 128], [1, 2, 3, 128]),
        (.bgra, [3, 2, 1, 128], [1, 2, 3, 128]),
        (.argb, [128, 1, 2, 3], [1, 2, 3, 128]),
        (.rgb, [1, 2, 3], [1, 2, 3, 255]),
        (.grey, [77], [77, 77, 77, 255]),
        (.rgb565, [0xFF, 0xFF], [255, 255, 255, 255]),
        (.rgb565, [0x00, 0xF8], [255, 0, 0, 255]),
        (.rgb565, [0xE0, 0x07], [0, 255, 0, 255]),
        (.rgb565, [0x10, 0x00], [0, 0, 132, 255]),
    ]

    @Test(arguments: pixels)
    func `raw pixels in every declared format are drawn`(
        format: PixelFormat, pixel: [UInt8], rgba: [UInt8]
    ) async {
        func tile(_ pixel: [UInt8]) -> [UInt8] {
            Array([[UInt8]](repeating: pixel, count: 256 * 256).joined())
        }
        let drawn = await state(of: .pixels(tile(pixel), format: format)) { $0.isTransparent = true }
        #expect(drawn == Raster(width: 256, height: 256, pixels: tile(rgba)).map { .ready($0) })
    }

    @Test(arguments: PixelFormat.allCases)
    func `raw pixels of the wrong length are rejected with the length for their format`(
        format: PixelFormat
    ) async {
        for count in [0, 4, 256 * 256 * format.bytesPerPixel + 1] {
            let failure = await failure(of: .pixels([UInt8](repeating: 0, count: count), format: format))
            #expect(failure?.reason == .wrongSize)
            #expect(
                failure?.message.contains("\(format.rawValue) take \(256 * 256 * format.bytesPerPixel) bytes")
                    == true)
        }
    }

    @Test func `bytes that are not an image fail as bad content`() async {
        #expect(await failure(of: .encoded([1, 2, 3, 4, 5]))?.reason == .badContent)
    }

    @Test func `an opaque layer composites alpha over its background, and a transparent one keeps it`()
        async throws
    {
        let half = Array([[UInt8]](repeating: [0, 0, 0, 128], count: 256 * 256).joined())
        let raster = try #require(Raster(width: 256, height: 256, pixels: half))
        let opaque = await state(of: .raster(raster)) { $0.background = RGB(0xFFFFFF) }
        #expect(opaque == .ready(Raster(width: 256, height: 256, filledWith: RGB(0x7F7F7F))))
        let transparent = await state(of: .raster(raster)) { $0.isTransparent = true }
        #expect(transparent == .ready(raster))
    }
}
