internal import Glibc

/// A colour in Ottosson's OKLab, in which distances are close to perceived differences.
package struct OKLab {
    /// Lightness, a and b. Lightness is 0…1.
    package let value: SIMD3<Float>

    /// A colour from sRGB channels, 0…255.
    package init(red: Float, green: Float, blue: Float) {
        let r = OKLab.linear(red), g = OKLab.linear(green), b = OKLab.linear(blue)
        let l = cbrtf(0.412_221_47 * r + 0.536_332_55 * g + 0.051_445_995 * b)
        let m = cbrtf(0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b)
        let s = cbrtf(0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b)
        value = SIMD3(
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s)
    }

    package var lightness: Float { value.x }

    /// True if it has no visible hue.
    var isGrey: Bool { value.y * value.y + value.z * value.z < 0.0004 }

    /// Returns the squared distance to another colour.
    package func squaredDistance(to other: OKLab) -> Float {
        let difference = value - other.value
        return (difference * difference).sum()
    }

    /// Returns the squared distance with a weight for hue. With few colours, a grey one then maps to grey
    /// rather than to a vivid colour of the same lightness.
    package func squaredDistance(to other: OKLab, hue: Float) -> Float {
        let difference = (value - other.value) * SIMD3(1, hue, hue)
        return (difference * difference).sum()
    }

    private static func linear(_ channel: Float) -> Float {
        let value = min(max(channel, 0), 255) / 255
        return value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }
}
