internal import Glibc

/// The colour adjustments of a layer before it is drawn: the raster paint properties of the MapLibre style
/// specification, and gamma.
///
/// The order is hue, saturation, contrast, brightness, gamma; then colours are clamped. All but gamma are
/// affine, so averaging sub-cells first makes no difference.
public struct ImageAdjustment: Hashable, Sendable {
    /// The hue rotation in degrees.
    public var hueRotate = 0.0
    /// The saturation, -1 (grey) … 1.
    public var saturation = 0.0
    /// The contrast, -1 (flat) … 1.
    public var contrast = 0.0
    /// The value that black becomes, 0…1.
    public var brightnessMin = 0.0
    /// The value that white becomes, 0…1. If it is less than the minimum, colours are inverted.
    public var brightnessMax = 1.0
    /// The gamma, more than 0. Values above 1 brighten the middle tones, values below 1 darken them.
    public var gamma = 1.0
    /// The emphasis of thin lines and edges in a picture that is scaled down, 0…1.
    public var sharpness = 0.0

    /// An adjustment that changes nothing.
    public init() {}

    /// True if it changes nothing.
    var isNone: Bool { self == ImageAdjustment() }

    /// True if colours do not change.
    fileprivate var keepsColours: Bool {
        var colours = self
        colours.sharpness = 0
        return colours.isNone
    }

    /// The affine part as one matrix, and the exponent applied after it.
    struct Transform {
        private let red: SIMD3<Float>
        private let green: SIMD3<Float>
        private let blue: SIMD3<Float>
        private let offset: Float
        private let exponent: Float

        init(_ adjustment: ImageAdjustment) {
            let hue = Transform.hueWeights(degrees: adjustment.hueRotate)
            let saturation = Transform.saturationFactor(adjustment.saturation)
            let contrast = Transform.contrastFactor(adjustment.contrast)
            let low = Float(adjustment.brightnessMin)
            let span = Float(adjustment.brightnessMax) - low
            let scale = contrast * span
            let turned = [
                SIMD3(hue.x, hue.y, hue.z), SIMD3(hue.z, hue.x, hue.y), SIMD3(hue.y, hue.z, hue.x),
            ]
            // c' = c + (average − c)·f, with the average of the original colour.
            let average = SIMD3<Float>(repeating: saturation / 3)
            red = (turned[0] * (1 - saturation) + average) * scale
            green = (turned[1] * (1 - saturation) + average) * scale
            blue = (turned[2] * (1 - saturation) + average) * scale
            offset = (0.5 - 0.5 * contrast) * span + low
            exponent = 1 / Float(min(max(adjustment.gamma, 0.1), 10))
        }

        private static func hueWeights(degrees: Double) -> SIMD3<Float> {
            let angle = degrees * .pi / 180
            let s = sin(angle), c = cos(angle), root = 3.0.squareRoot()
            return SIMD3(
                Float((2 * c + 1) / 3), Float((-root * s - c + 1) / 3), Float((root * s - c + 1) / 3))
        }

        private static func saturationFactor(_ value: Double) -> Float {
            Float(value > 0 ? 1 - 1 / (1.001 - min(value, 1)) : -max(value, -1))
        }

        private static func contrastFactor(_ value: Double) -> Float {
            Float(value > 0 ? 1 / (1 - min(value, 0.999)) : 1 + max(value, -1))
        }

        @inline(__always)
        func applied(to colour: SIMD3<Float>) -> SIMD3<Float> {
            var result = SIMD3(
                (colour * red).sum(), (colour * green).sum(), (colour * blue).sum())
            result += offset
            result.clamp(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
            guard exponent != 1 else { return result }
            return SIMD3(
                powf(result.x, exponent), powf(result.y, exponent), powf(result.z, exponent))
        }
    }
}

extension Picture {
    /// Adjusts the colours but not the opacity.
    public mutating func adjust(_ adjustment: ImageAdjustment) {
        guard !adjustment.keepsColours else { return }
        let transform = ImageAdjustment.Transform(adjustment)
        var last = SIMD4<Float>.zero, drawn = SIMD4<Float>.zero
        for at in pixels.indices {
            let pixel = pixels[at]
            guard pixel.w > 0 else { continue }
            if pixel != last {
                last = pixel
                let straight = SIMD3(pixel.x, pixel.y, pixel.z) / pixel.w
                drawn = SIMD4(transform.applied(to: straight) * pixel.w, pixel.w)
            }
            pixels[at] = drawn
        }
    }
}
