import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct TileReaderTests {
    private let view = Viewport.small(10, 50, zoom: 5)

    private func state(of bitmap: TileBitmap, _ change: (inout TileLayer) -> Void = { _ in }) async -> TileState? {
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

    @Test func `an image of another size than the layer's is not drawn and is reported as that`() async {
        let failure = await failure(of: .raster(Raster(width: 512, height: 512, filledWith: RGB(0))))
        #expect(failure?.reason == .wrongSize)
        #expect(failure?.message.contains("512×512") == true)
    }

    @Test(arguments: PixelFormat.allCases.filter { $0 != .rgba })
    func `pixels in another format than RGBA are refused by its name`(format: PixelFormat) async {
        let failure = await failure(of: .pixels([UInt8](repeating: 0, count: 256 * 256 * 4), format: format))
        #expect(failure?.reason == .unsupportedFormat)
        #expect(failure?.message.contains(format.rawValue) == true)
    }

    @Test func `RGBA pixels of the wrong length are refused, and of the right length drawn`() async {
        let short = await failure(of: .pixels([1, 2, 3, 4], format: .rgba))
        #expect(short?.reason == .wrongSize)
        let exact = [UInt8](repeating: 255, count: 256 * 256 * 4)
        #expect(await state(of: .pixels(exact, format: .rgba)) == .ready(Raster(width: 256, height: 256, filledWith: RGB(0xFFFFFF))))
    }

    @Test func `bytes that are no image fail as bad content`() async {
        #expect(await failure(of: .encoded([1, 2, 3, 4, 5]))?.reason == .badContent)
    }

    @Test func `an opaque layer composites alpha over its background and a transparent one keeps it`() async throws {
        let half = Array([[UInt8]](repeating: [0, 0, 0, 128], count: 256 * 256).joined())
        let raster = try #require(Raster(width: 256, height: 256, pixels: half))
        let opaque = await state(of: .raster(raster)) { $0.background = RGB(0xFFFFFF) }
        #expect(opaque == .ready(Raster(width: 256, height: 256, filledWith: RGB(0x7F7F7F))))
        let transparent = await state(of: .raster(raster)) { $0.isTransparent = true }
        #expect(transparent == .ready(raster))
    }
}
