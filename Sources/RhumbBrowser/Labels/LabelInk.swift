internal import RhumbCore
internal import Synchronization

/// The text colour of a name and the background behind it, in the colours of the terminal. The background is
/// that of the map, shifted away from the text colour until the contrast suffices (WCAG 2, 4.5 to 1). Where
/// the shift would show as a box, the text colour is shifted first.
struct LabelInk {
    /// The text colour, in the terminal's colours.
    let ink: CellColor
    private let colour: RGB
    private let away: RGB
    private let depth: ColorDepth

    static let contrast = 4.5
    /// The contrast for a style's colours in a 256-colour palette, whose few greys make the background noisy.
    private static let strongContrast = 7.0
    /// The largest shift of the background for a style's colour; beyond it, a plain colour is used.
    private static let mostShade = 0.75
    /// A background that is shifted by more than `unseenShade` over `boxWidth` adjacent cells looks like a
    /// box. A border is narrower.
    private static let (unseenShade, boxWidth) = (0.05, 4)
    /// The largest shift that is not visible. With 256 colours, even a step to the next colour is visible.
    private var unseenShade: Double { depth == .truecolor ? LabelInk.unseenShade : 0 }
    private static let shades = 16
    /// The shares by which a colour is moved towards black or white. On an even background, the first share
    /// is used that leaves the background nearly unchanged, so that names of a kind look alike. A style's
    /// colour keeps some of its hue.
    private static let (strengths, styleStrengths, quietShade, evenness) = (
        [0.4, 0.7, 1], [0.4, 0.7, 0.9], 0.05, 0.25
    )

    /// - Parameters:
    ///   - wanted: The preferred colour, used where it is readable.
    ///   - ground: The colours of the cells below the name.
    ///   - theme: Decides whether a background of medium brightness counts as dark or light.
    ///   - depth: The terminal's colour depth, `truecolor` or `indexed256`.
    init(_ wanted: MapLabel.Ink, on ground: [RGB], _ theme: Settings.Theme, _ depth: ColorDepth) {
        let light = ground.reduce(0) { $0 + $1.luminance } / Double(max(ground.count, 1))
        let isLight = light > (theme == .day ? 0.12 : 0.35)
        let proper = LabelInk.proper(wanted, ground, isLight: isLight, depth)
        let end = isLight ? RGB(0) : RGB(0xFFFFFF), lights = ground.map(\.luminance)
        let strengths = wanted.isOfStyle ? LabelInk.styleStrengths : LabelInk.strengths
        let stronger = strengths.map {
            LabelInk(proper.colour.mixed(with: end, $0), away: proper.away, depth)
        }
        guard proper.isBoxed(over: ground) else {
            let isFaint = wanted.isOfStyle && depth == .indexed256
            self =
                isFaint
                ? ([proper] + stronger).first { $0.isStrong(on: light) } ?? stronger.last ?? proper : proper
            return
        }
        let others = wanted.isOfStyle ? [] : LabelInk.others(wanted, ground, isLight: isLight, depth)
        let all = [proper] + stronger + others
        let isEven = wanted.isOfStyle || (lights.max() ?? 0) - (lights.min() ?? 0) < LabelInk.evenness
        let quiet = depth == .truecolor ? LabelInk.quietShade : 0
        self =
            (isEven ? stronger.first { $0.shade(of: ground) <= quiet } : nil)
            ?? all.min { $0.shade(of: ground) < $1.shade(of: ground) } ?? proper
    }

    private init(_ colour: RGB, away: RGB, _ depth: ColorDepth) {
        self.away = away
        self.depth = depth
        ink = LabelInk.shown(colour, depth)
        self.colour = ink.rgb ?? colour
    }

    /// Returns the preferred colour adapted to a light or a dark background.
    private static func proper(
        _ wanted: MapLabel.Ink, _ ground: [RGB], isLight: Bool, _ depth: ColorDepth
    ) -> LabelInk {
        let away = isLight ? RGB(0xFFFFFF) : RGB(0), plain = isLight ? RGB(0x1E1E1E) : RGB(0xF2F2F2)
        func readable(_ own: UInt32) -> RGB? { LabelInk.readable(RGB(own), ground, away) }
        let chosen =
            switch wanted {
            case .plain: plain
            case .quiet: readable(isLight ? 0x46423C : 0xC4CCD2) ?? plain
            case .country: isLight ? RGB(0x38293F) : RGB(0xC9B8D6)
            case .water: readable(isLight ? 0x0E3450 : 0x7FBCE2) ?? plain
            case .landscape: readable(isLight ? 0x6A5434 : 0xC2AE8B) ?? plain
            case .height: readable(isLight ? 0x7A4E1E : 0xCFA46A) ?? plain
            case .style(let own): LabelInk.readable(own, ground, away) ?? plain
            }
        return LabelInk(chosen, away: away, depth)
    }

    /// Returns the alternatives for a background that is neither light nor dark, or both: plain, the other
    /// side, and the extremes.
    private static func others(
        _ wanted: MapLabel.Ink, _ ground: [RGB], isLight: Bool, _ depth: ColorDepth
    ) -> [LabelInk] {
        [isLight, !isLight].flatMap { side in
            [
                proper(wanted, ground, isLight: side, depth), proper(.plain, ground, isLight: side, depth),
                LabelInk(side ? RGB(0) : RGB(0xFFFFFF), away: side ? RGB(0xFFFFFF) : RGB(0), depth),
            ]
        }
    }

    /// Returns true if the contrast with a background of this luminance meets WCAG level AAA.
    private func isStrong(on light: Double) -> Bool {
        let own = colour.luminance
        return (max(own, light) + 0.05) / (min(own, light) + 0.05) >= LabelInk.strongContrast
    }

    private func isBoxed(over ground: [RGB]) -> Bool {
        var run = 0
        return ground.contains { beneath in
            run = Double(step(over: beneath)) > unseenShade * Double(LabelInk.shades) ? run + 1 : 0
            return run >= min(LabelInk.boxWidth, ground.count)
        }
    }

    /// Returns the shift of the background, as a share of the largest one.
    private func shade(of ground: [RGB]) -> Double {
        ground.reduce(0) { $0 + Double(step(over: $1)) } / Double(max(ground.count, 1) * LabelInk.shades)
    }

    /// Returns a colour as the terminal shows it.
    private static func shown(_ colour: RGB, _ depth: ColorDepth) -> CellColor {
        depth == .truecolor ? .rgb(colour) : .indexed(Palette256.index(near: colour))
    }

    private static func readable(_ own: RGB, _ ground: [RGB], _ away: RGB) -> RGB? {
        ground.allSatisfy { own.contrast(with: $0.mixed(with: away, mostShade)) >= contrast } ? own : nil
    }

    /// Returns the background colour nearest to the map's on which the text is readable.
    func paper(over beneath: RGB) -> CellColor { paper(over: beneath, step: step(over: beneath)) }

    private func step(over beneath: RGB) -> Int {
        (0..<LabelInk.shades).first {
            colour.contrast(with: paper(over: beneath, step: $0).rgb ?? away) >= LabelInk.contrast
        } ?? LabelInk.shades
    }

    private func paper(over beneath: RGB, step: Int) -> CellColor {
        LabelInk.shown(beneath.mixed(with: away, Double(step) / Double(LabelInk.shades)), depth)
    }
}

extension LabelInk {
    /// The colours of names drawn before. A name that moves with the map keeps its ground, and comparing that
    /// takes a tenth of the time of choosing a colour.
    final class Memory: Sendable {
        private struct Key: Hashable {
            let wanted: MapLabel.Ink
            let ground: [RGB]
            let theme: Settings.Theme
            let depth: ColorDepth
        }

        /// The number of colours in memory, of some hundred bytes each.
        private static let limit = 512
        private let inks = Mutex<[Key: LabelInk]>([:])

        /// Returns the colours of a name; see `LabelInk.init`.
        func ink(
            _ wanted: MapLabel.Ink, on ground: [RGB], _ theme: Settings.Theme, _ depth: ColorDepth
        ) -> LabelInk {
            let key = Key(wanted: wanted, ground: ground, theme: theme, depth: depth)
            return inks.withLock { inks in
                if let ink = inks[key] { return ink }
                if inks.count >= Self.limit { inks.removeAll(keepingCapacity: true) }
                let ink = LabelInk(wanted, on: ground, theme, depth)
                inks[key] = ink
                return ink
            }
        }
    }
}

/// The colours of a name in a terminal with sixteen text colours and eight background colours.
struct SixteenInk {
    let ink: UInt8
    let paper: UInt8
    /// True if the name may be bold, which brightens the text in some terminals.
    let mayBeBold: Bool

    /// Chooses the ink for a name: the wanted colour, or a plain one if that is unreadable on most of the
    /// background.
    /// - Parameter cells: The cells below the name.
    init(_ wanted: MapLabel.Ink, over cells: [Cell], _ theme: Settings.Theme) {
        var counts: [UInt8: Int] = [:]
        for cell in cells {
            if case .indexed(let index) = cell.paper.kind, Palette16.papers.contains(Int(index)) {
                counts[index, default: 0] += 1
            }
        }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        let paper = most ?? (theme == .day ? 7 : 0), ground = Palette16.colour(paper)
        func isReadable(_ ink: UInt8) -> Bool {
            Palette16.colour(ink).contrast(with: ground) >= LabelInk.contrast
        }
        let fine = LabelInk(wanted, on: [ground], theme, .truecolor)
        let own = Palette16.nearest(fine.ink.rgb ?? RGB(0))
        let plain: UInt8 = RGB(0).contrast(with: ground) > RGB(0xFFFFFF).contrast(with: ground) ? 0 : 15
        let ink = isReadable(own) ? own : plain
        self.ink = ink
        self.paper = paper
        mayBeBold = ink > 7 || isReadable(ink + 8)
    }
}
