public import RhumbCore

/// Colour adjustments for raster maps that were made for paper or screens.
public enum ColourPreset: String, CaseIterable, Sendable {
    case plain, daylight, crisp, vivid, strong, soft, grey, dark

    /// The name.
    var title: String { self == .daylight ? "day and night" : rawValue }

    /// The adjustment of a layer's colours.
    public var adjustment: ImageAdjustment {
        var change = ImageAdjustment()
        switch self {
        case .plain, .daylight: break
        case .crisp:
            change.sharpness = 0.7
            change.contrast = 0.1
        case .vivid:
            change.saturation = 0.4
            change.contrast = 0.15
        case .strong:
            change.contrast = 0.4
            change.gamma = 0.85
        case .soft:
            change.contrast = -0.25
            change.saturation = -0.25
        case .grey: change.saturation = -1
        case .dark:
            // Swaps light and dark, and restores the hue.
            change.brightnessMin = 0.95
            change.brightnessMax = 0.05
            change.hueRotate = 180
        }
        return change
    }

    /// Creates the preset with an adjustment; nil for an adjustment set by hand.
    public init?(_ adjustment: ImageAdjustment) {
        guard let look = ColourPreset.allCases.first(where: { $0.adjustment == adjustment }) else {
            return nil
        }
        self = look
    }

    /// The next preset, where a key cycles through all of them.
    var next: ColourPreset {
        let all = ColourPreset.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
