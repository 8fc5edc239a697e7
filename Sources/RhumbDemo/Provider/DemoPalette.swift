internal import RhumbCore

/// The colours of TomTom's and HERE's tiles.
enum DemoPalette {
    /// Returns the colours of flow in a classic mode; nil if the mode shows nothing.
    static func flow(_ mode: FlowMode, _ share: Double, _ road: DemoRoad) -> DemoPicture.Paint? {
        switch mode {
        case .absolute: fourBands(share * road.freeSpeed, [1, 60, 120])
        case .relative: fourBands(share, [0.01, 0.8, 1])
        case .relativeDelay: share < 1 ? fourBands(share, [0.01, 0.8, 1]) : nil
        case .reducedSensitivity: fourBands(share, [0.01, 0.5, 0.8])
        case .relative0: fiveBands(share, light)
        case .relative0Dark: fiveBands(share, dark)
        }
    }

    /// Returns the colours of flow in TomTom Orbis.
    static func orbis(_ isDark: Bool, _ share: Double) -> DemoPicture.Paint {
        fiveBands(share, isDark ? orbisDark : orbisLight)
    }

    /// Returns the approximate colours of HERE's flow.
    static func here(_ share: Double) -> DemoPicture.Paint { fiveBands(share, light) }

    /// Returns the colours of an incident by its magnitude.
    static func incident(_ magnitude: Int) -> DemoPicture.Paint {
        switch magnitude {
        case 1: paint(0xFFCE43, 0xF58240)
        case 2: paint(0xFF8939, 0xEB4C13)
        case 3: paint(0xF40000, 0xAB0000)
        default: paint(0xC1272D, 0x666666)
        }
    }

    private static let light: [(UInt32, UInt32)] = [
        (0xC1272D, 0x666666), (0xE70704, 0xA50704), (0xF18237, 0xDF4B15), (0xF1BF40, 0xE87B3D),
        (0x2EAB30, 0x245723),
    ]
    private static let dark: [(UInt32, UInt32)] = [
        (0xC1272D, 0x333333), (0xE70704, 0x700504), (0xF18237, 0x7A3C14), (0xF1BF40, 0x7A5C20),
        (0x2EAB30, 0x163B17),
    ]
    private static let orbisLight: [(UInt32, UInt32)] = [
        (0xEFF4F6, 0xB30000), (0xAD0000, 0x570000), (0xFB2D09, 0xBC0A01), (0xFFC105, 0xFF6F00),
        (0x2AE57B, 0x319B51),
    ]
    private static let orbisDark: [(UInt32, UInt32)] = [
        (0xC6D0D2, 0xB30000), (0x74062B, 0x3D0014), (0xCE2203, 0x7E0801), (0xDB9200, 0x8A3C00),
        (0x149F67, 0x194D31),
    ]
    private static let classic: [(UInt32, UInt32)] = [
        (0x777777, 0x3C3C3C), (0xFF2323, 0x801212), (0xFFFF37, 0x80801C), (0x2BC82B, 0x166416),
    ]

    private static func fourBands(_ value: Double, _ limits: [Double]) -> DemoPicture.Paint {
        let (core, edge) = classic[limits.count { value >= $0 }]
        return paint(core, edge)
    }

    private static func fiveBands(_ share: Double, _ bands: [(UInt32, UInt32)]) -> DemoPicture.Paint {
        let (core, edge) = bands[[0.01, 0.15, 0.35, 0.75].count { share >= $0 }]
        return paint(core, edge)
    }

    private static func paint(_ core: UInt32, _ edge: UInt32) -> DemoPicture.Paint {
        (RGB(core), RGB(edge))
    }
}
