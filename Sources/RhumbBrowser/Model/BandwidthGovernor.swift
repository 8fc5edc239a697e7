internal import RhumbCore

/// Keeps moving frames within what a slow line carries: while the view moves it lowers colours
/// and glyphs, and sharpens when the view rests.
public struct BandwidthGovernor: Sendable {
    /// What a line may carry.
    public enum Budget: Equatable, Sendable {
        /// As measured: how fast the terminal took the last frames.
        case automatic
        case bytesPerSecond(Int)
    }

    /// How much of the picture's quality is given up, from nothing to most.
    public enum Tier: Int, CaseIterable, Comparable, Sendable {
        case full, fewerColours, halves, halves256

        public static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }

        /// What a frame costs against a full one, until it has been measured.
        var expectedShare: Double {
            switch self {
            case .full: 1
            case .fewerColours: 0.8
            case .halves: 0.65
            case .halves256: 0.4
            }
        }
    }

    /// A moving view wants a frame this often.
    static let frameTime = 0.1
    /// The view rests when it has not moved for so long.
    public static let rest = Duration.milliseconds(350)
    /// A frame taken faster than this says nothing of the line.
    private static let noticeable = 0.03

    /// What the line may carry.
    public let budget: Budget
    /// Bytes a second the terminal was seen to take; nil while it never was a limit.
    private(set) var rate: Double?
    private var costs: [Tier: Double] = [:]

    /// A governor that has measured nothing yet.
    public init(_ budget: Budget) { self.budget = budget }

    /// Takes in what a frame of a moving view cost.
    /// - Parameters:
    ///   - bytes: its size.
    ///   - seconds: until the terminal had taken the last byte.
    public mutating func note(bytes: Int, seconds: Double, tier: Tier) {
        guard bytes > 200 else { return }
        let old = costs[tier] ?? Double(bytes)
        costs[tier] = old * 0.7 + Double(bytes) * 0.3
        if seconds > BandwidthGovernor.noticeable {
            rate = Double(bytes) / seconds
        } else if let slow = rate {
            // What was fast must not be taken for slow for ever.
            rate = slow * 1.5 > 5_000_000 ? nil : slow * 1.5
        }
    }

    /// What to draw now.
    public func tier(isMoving: Bool) -> Tier {
        guard isMoving, let limit else { return .full }
        let allowance = limit * BandwidthGovernor.frameTime
        return Tier.allCases.first { cost(of: $0) <= allowance } ?? .halves256
    }

    /// Bytes a second that may be sent; nil for no limit.
    private var limit: Double? {
        switch budget {
        case .automatic: rate
        case .bytesPerSecond(let bytes): min(Double(bytes), rate ?? .infinity)
        }
    }

    /// Whether nothing has shown that the line is slow.
    public var isUnlimited: Bool { limit == nil }

    private func cost(of tier: Tier) -> Double {
        if let measured = costs[tier] { return measured }
        guard let (known, cost) = costs.min(by: { $0.key < $1.key }) else { return 0 }
        return cost / known.expectedShare * tier.expectedShare
    }
}

extension Settings {
    /// The settings with so much quality given up.
    public func lowered(to tier: BandwidthGovernor.Tier) -> Settings {
        var settings = self
        if tier >= .fewerColours { settings.colourBits = min(settings.colourBits, 4) }
        if tier >= .halves && settings.symbols != .ascii { settings.symbols = .half }
        if tier >= .halves256 && settings.depth == .truecolor { settings.depth = .indexed256 }
        return settings
    }
}
