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
        case .water: ink = LabelInk.readable(isLight ? RGB(0x15476A) : RGB(0x7FBCE2), ground, away) ?? plain
        case .landscape: ink = LabelInk.readable(isLight ? RGB(0x6A5434) : RGB(0xC2AE8B), ground, away) ?? plain
        case .style(let own): ink = LabelInk.readable(own, ground, away) ?? plain
        }
    }

    private static func readable(_ own: RGB, _ ground: [RGB], _ away: RGB) -> RGB? {
        ground.allSatisfy { contrast(own, $0.mixed(with: away, mostShade)) >= contrast } ? own : nil
    }

    /// The colour nearest to what lies beneath on which the ink can be read.
    func paper(over beneath: RGB) -> RGB {
        for step in 0...8 {
            let colour = beneath.mixed(with: away, Double(step) / 8)
            if LabelInk.contrast(ink, colour) >= LabelInk.contrast { return colour }
        }
        return away
    }

    /// The paper (0–7) and the ink (0–15) of a name in sixteen colours: what lies under most of it, and the
    /// colour wanted, or a plain one where that can't be read there.
    /// - Parameter cells: those beneath the name.
    func indexed(over cells: [Cell], _ theme: Settings.Theme) -> (ink: UInt8, paper: UInt8) {
        var counts: [UInt8: Int] = [:]
        for cell in cells {
            if case .indexed(let index) = cell.paper.kind, Palette16.papers.contains(Int(index)) { counts[index, default: 0] += 1 }
        }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        let paper = most ?? (theme == .day ? 7 : 0), ground = Palette16.colour(paper)
        let own = Palette16.nearest(ink)
        if LabelInk.contrast(Palette16.colour(own), ground) >= LabelInk.contrast { return (own, paper) }
        let isLight = LabelInk.contrast(RGB(0), ground) > LabelInk.contrast(RGB(0xFFFFFF), ground)
        return (isLight ? 0 : 15, paper)
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
