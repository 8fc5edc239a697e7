internal import Glibc
internal import RhumbGeo

/// The limits of classes of numbers, rounded as far as the classes remain distinct, and written with equal
/// decimals.
struct RoundLimits {
    /// The lower limit of each class, and the upper limit of the last one.
    let limits: [Double]
    private let decimals: Int
    private static let mostDecimals = 9

    /// Rounds class limits.
    /// - Parameter limits: The exact limits in ascending order, at least one. All but the last differ.
    init(_ limits: [Double]) {
        let gaps = zip(limits, limits.dropFirst()).map { $1 - $0 }
        let gap = (gaps.count > 1 ? gaps.dropLast().min() : gaps.first) ?? 0
        let step = gap > 0 && gap.isFinite ? pow(10, floor(log10(gap / 2))) : 0
        self.limits = step > 0 ? Self.rounded(limits, to: step) : limits
        decimals = self.limits.map(Self.decimals).max() ?? 0
    }

    /// Rounds lower limits down, so that each class keeps its lowest number, and the last limit up.
    private static func rounded(_ limits: [Double], to step: Double) -> [Double] {
        let lower = limits.dropLast().map { step * floor($0 / step + 1e-6) }
        return lower + limits.suffix(1).map { step * ceil($0 / step - 1e-6) }
    }

    private static func decimals(of value: Double) -> Int {
        let tolerance = Swift.max(abs(value), 1) * 1e-9
        return (0..<mostDecimals).first {
            abs(value - round(value * pow(10, Double($0))) / pow(10, Double($0))) < tolerance
        } ?? 2
    }

    /// Returns the text of a limit.
    func text(_ limit: Double) -> String { abs(limit) < 1e9 ? limit.decimals(decimals) : "\(limit)" }
}
