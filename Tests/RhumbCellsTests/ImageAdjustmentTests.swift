import RhumbCore
import Testing

@testable import RhumbCells

struct ImageAdjustmentTests {
    private func adjusted(
        _ colour: SIMD3<Double>, _ change: (inout ImageAdjustment) -> Void
    ) -> SIMD3<Double> {
        var adjustment = ImageAdjustment()
        change(&adjustment)
        return SIMD3<Double>(ImageAdjustment.Transform(adjustment).applied(to: SIMD3<Float>(colour)))
    }

    private func isNear(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
        (0..<3).allSatisfy { abs(a[$0] - b[$0]) < 2e-3 }
    }

    private let orange = SIMD3(0.8, 0.4, 0.2)

    @Test func `the hue is rotated as in other style renderers`() {
        #expect(isNear(adjusted(SIMD3(1, 0, 0)) { $0.hueRotate = 120 }, SIMD3(0, 1, 0)))
        #expect(isNear(adjusted(SIMD3(1, 0, 0)) { $0.hueRotate = 240 }, SIMD3(0, 0, 1)))
    }

    @Test func `saturation ranges from grey to fully saturated`() {
        #expect(isNear(adjusted(orange) { $0.saturation = -1 }, SIMD3(repeating: 0.4667)))
        #expect(isNear(adjusted(orange) { $0.saturation = 0.5 }, SIMD3(1, 0.3336, 0)))
    }

    @Test func `contrast spreads the tones around the middle`() {
        #expect(isNear(adjusted(orange) { $0.contrast = -0.5 }, SIMD3(0.65, 0.45, 0.35)))
        #expect(isNear(adjusted(orange) { $0.contrast = 0.5 }, SIMD3(1, 0.3, 0)))
    }

    @Test func `brightness sets the values of black and white`() {
        let result = adjusted(orange) {
            $0.brightnessMin = 0.2
            $0.brightnessMax = 0.6
        }
        #expect(isNear(result, SIMD3(0.52, 0.36, 0.28)))
    }

    @Test func `gamma raises the midtones and preserves the ends`() {
        #expect(isNear(adjusted(SIMD3(0, 0.25, 1)) { $0.gamma = 2 }, SIMD3(0, 0.5, 1)))
        #expect(isNear(adjusted(orange) { $0.gamma = 1 }, orange))
    }

    @Test func `a raster is adjusted where it is opaque, and keeps its opacity`() {
        var picture = Picture(columns: 2, rows: 1, symbols: .half)
        let left = FixedPointRect(x0: 0, y0: 0, x1: FixedPointRect.one, y1: FixedPointRect.one)
        picture.draw(Raster(width: 4, height: 4, filledWith: RGB(0xCC6633)), at: left)
        var adjustment = ImageAdjustment()
        adjustment.saturation = -1
        picture.adjust(adjustment)
        #expect(abs(picture[0, 0].x - 119) < 1 && abs(picture[0, 0].z - 119) < 1 && picture[0, 0].w == 255)
        #expect(picture[0, picture.width - 1] == .zero)
    }
}
