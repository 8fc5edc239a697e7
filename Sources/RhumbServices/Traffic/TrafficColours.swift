public import RhumbCells

/// The colour schemes for traffic. The raw values are words of the command line.
public enum TrafficColours: String, Sendable, CaseIterable {
    case standard, colourblind

    /// The colours by level.
    public var ramp: TrafficRamp { self == .standard ? .standard : .colourBlind }
}

extension TrafficRamp {
    /// Returns an empty cell in the nearest available colour to that of a level.
    public func swatch(of level: TrafficLevel, depth: ColorDepth) -> Cell {
        let paper: CellColor =
            switch depth {
            case .truecolor: .rgb(colour(of: level))
            case .indexed256: .indexed(Palette256.nearest(colour(of: level)))
            case .indexed16: .indexed(SixteenColours.nearest(colour(of: level)))
            case .mono: .terminal
            }
        return Cell(" ", ink: paper, paper: paper)
    }

    /// Returns a cell that shows a level by a glyph, for terminals with sixteen colours or none.
    /// - Parameter unicode: False for an ASCII glyph.
    public func mark(of level: TrafficLevel, depth: ColorDepth, unicode: Bool) -> Cell {
        let glyph = level.glyph(unicode: unicode).unicodeScalars.first ?? " "
        guard depth != .mono else { return Cell(glyph, style: .bold) }
        let ink = SixteenColours.nearest(colour(of: level))
        return Cell(
            glyph, ink: .indexed(ink), paper: .indexed(SixteenColours.paper(under: ink)), style: .bold)
    }
}

extension ColorDepth {
    /// True if there are too few colours to distinguish levels without glyphs.
    public var needsGlyphs: Bool { self == .indexed16 || self == .mono }
}

extension Palette256 {
    /// Returns the perceptually nearest entry, from 16 on.
    static func nearest(_ colour: RGB) -> UInt8 {
        UInt8((16...255).min { distance($0, colour) < distance($1, colour) } ?? 16)
    }

    private static func distance(_ index: Int, _ colour: RGB) -> Float {
        OKLab(Palette256.colour(index)).squaredDistance(to: OKLab(colour))
    }
}

extension SixteenColours {
    /// Returns the perceptually nearest colour.
    static func nearest(_ colour: RGB) -> UInt8 {
        let lab = OKLab(colour)
        let nearest = palette.indices.min {
            OKLab(RGB(palette[$0])).squaredDistance(to: lab)
                < OKLab(RGB(palette[$1])).squaredDistance(to: lab)
        }
        return UInt8(nearest ?? 0)
    }

    /// Returns black as the background of light colours, and light grey as that of dark ones.
    static func paper(under ink: UInt8) -> UInt8 {
        OKLab(RGB(palette[Int(ink & 15)])).lightness > 0.5 ? 0 : 7
    }
}

extension OKLab {
    init(_ colour: RGB) {
        self.init(red: Float(colour.red), green: Float(colour.green), blue: Float(colour.blue))
    }
}
