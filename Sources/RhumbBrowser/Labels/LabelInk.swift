internal import RhumbCore

/// The colour of a name, and what it is written on: what lies beneath, moved away from the ink
/// until the contrast is enough (WCAG 2, 4.5 to 1).
struct LabelInk {
    let ink: RGB
    private let away: RGB

    private static let contrast = 4.5
    /// How far what lies beneath may be moved for a style's colour; beyond, a plain one is used.
    private static let mostShade = 0.75

    /// - Parameters:
    ///   - wanted: used where it can be read.
    ///   - ground: the colours of the cells beneath the name.
    ///   - theme: of grounds neither dark nor light it says which they count as.
    init(_ wanted: MapLabel.Ink, on ground: [RGB], _ theme: Settings.Theme) {
        let light = ground.reduce(0) { $0 + $1.luminance } / Double(max(ground.count, 1))
        let isLight = light > (theme == .day ? 0.12 : 0.35)
        let away = isLight ? RGB(0xFFFFFF) : RGB(0)
        self.away = away
        let plain = isLight ? RGB(0x1E1E1E) : RGB(0xF2F2F2)
        switch wanted {
        case .plain: ink = plain
        case .country: ink = isLight ? RGB(0x5A4864) : RGB(0xC9B8D6)
        case .style(let own):
            let isReadable = ground.allSatisfy {
                LabelInk.contrast(own, $0.mixed(with: away, LabelInk.mostShade)) >= LabelInk.contrast
            }
            ink = isReadable ? own : plain
        }
    }

    /// The colour nearest to what lies beneath on which the ink can be read.
    func paper(over beneath: RGB) -> RGB {
        for step in 0...8 {
            let colour = beneath.mixed(with: away, Double(step) / 8)
            if LabelInk.contrast(ink, colour) >= LabelInk.contrast { return colour }
        }
        return away
    }

    private static func contrast(_ a: RGB, _ b: RGB) -> Double {
        let lights = (a.luminance, b.luminance)
        return (max(lights.0, lights.1) + 0.05) / (min(lights.0, lights.1) + 0.05)
    }
}

extension RGB {
    /// WCAG 2's relative luminance, with the square for the power of 2.4.
    fileprivate var luminance: Double {
        func linear(_ level: UInt8) -> Double { Double(level) * Double(level) / 65_025 }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
