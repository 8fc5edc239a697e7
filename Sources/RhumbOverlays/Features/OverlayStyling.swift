internal import Glibc
internal import RhumbBase
public import RhumbCells
internal import RhumbGeo

/// The legend of an overlay's colours.
public struct OverlayLegend: Sendable, Equatable {
    /// A colour and its meaning.
    public struct Entry: Sendable, Equatable {
        /// The colour.
        public let ink: RGB
        /// The meaning, sanitised for terminals.
        public let text: String

        /// - Parameter words: The meaning, sanitised for terminals.
        public init(ink: RGB, text: String) { (self.ink, self.text) = (ink, text) }
    }

    /// The name of the field, sanitised for terminals.
    public let title: String
    /// The entries: numbers in ascending order, texts by descending frequency.
    public let entries: [Entry]

    /// Creates a legend.
    /// - Parameter title: The title, sanitised for terminals.
    public init(title: String, entries: [Entry]) { (self.title, self.entries) = (title, entries) }
}

/// Colours features by a field. Numbers have five classes of equal counts; the most frequent texts have a
/// colour each. Tracks are coloured along the line by speed, height or time.
public struct OverlayStyling: Sendable {
    let field: String
    private static let ramp: [UInt32] = [0x2C7BB6, 0x3FB8A0, 0xE8C547, 0xF08A3C, 0xD7301F]
    static let others = RGB(0x8A8F98)

    /// Creates a styling by an attribute, or for tracks by `speed`, `height` or `time`.
    public init(by field: String) { self.field = field }

    /// Returns a sentence with the available attributes if no feature has the field. nil if one has it, or
    /// without features.
    public func problem(with features: OverlayFeatureList) -> String? {
        guard !features.isEmpty, TrackMeasure(field) == nil,
            features.allSatisfy({ $0.attributes[field] == nil })
        else { return nil }
        let known = Set(features.prefix(1000).flatMap { $0.attributes.pairs.map(\.name) }).sorted().prefix(20)
        let list = known.map { SafeText.sanitised($0, limit: 40) }.joined(separator: ", ")
        let names = known.isEmpty ? "they have none" : "use one of \(list)"
        return "no feature has the attribute \(SafeText.sanitised(field, limit: 40)); \(names)"
    }

    /// Coloured features.
    public struct Styled: Sendable {
        /// The features in their original order and number.
        public let features: OverlayFeatureList
        /// The features to draw, if they differ from `features`; otherwise nil.
        public let drawn: OverlayFeatureList?
        /// The legend; nil if no feature has the field.
        public let legend: OverlayLegend?
    }

    /// Colours features and creates the legend.
    public func styled(_ features: OverlayFeatureList) -> Styled {
        if let tracks = colouredTracks(of: features) { return tracks }
        let values = features.map { $0.attributes[field] }, known = values.compactMap(\.self)
        guard !known.isEmpty else { return Styled(features: features, drawn: nil, legend: nil) }
        let numbers = known.compactMap { $0.number(comma: false) }
        let isNumeric = numbers.count * 10 >= known.count * 9
        let (entries, ink) = isNumeric ? Self.numberSteps(numbers.sorted()) : Self.kinds(known)
        var styles: [UInt32: OverlayStyle] = [:]
        let styled = zip(features, values).map { feature, value in
            let colour = value.map(ink) ?? Self.others
            let old = feature.style
            var feature = feature
            if let old {
                feature.style = OverlayStyle(
                    ink: colour, opacity: old.opacity, fill: colour, fillOpacity: old.fillOpacity,
                    width: old.width, symbol: old.symbol)
            } else {
                let style = styles[colour.hex] ?? OverlayStyle(ink: colour, fill: colour)
                styles[colour.hex] = style
                feature.style = style
            }
            return feature
        }
        let legend = OverlayLegend(title: SafeText.sanitised(field, limit: 30), entries: entries)
        return Styled(features: OverlayFeatureList(styled), drawn: nil, legend: legend)
    }

    private static func numberSteps(
        _ sorted: [Double]
    ) -> (entries: [OverlayLegend.Entry], ink: (String) -> RGB) {
        let scale = steps(sorted)
        return (scale.entries, { text in text.number(comma: false).map(scale.ink) ?? others })
    }

    /// Colours numbers by classes of about equal counts.
    /// - Parameters:
    ///   - sorted: The numbers in ascending order, at least one.
    ///   - words: Returns the text of a class limit; nil to round the limits and to write them with equal
    ///     decimals.
    static func steps(
        _ sorted: [Double], _ words: ((Double) -> String)? = nil
    ) -> (entries: [OverlayLegend.Entry], ink: (Double) -> RGB) {
        var limits = [sorted[0]]
        for step in 1..<ramp.count {
            let bound = sorted[min(sorted.count * step / ramp.count, sorted.count - 1)]
            if bound > limits[limits.count - 1] { limits.append(bound) }
        }
        limits.append(sorted[sorted.count - 1])
        let round = RoundLimits(limits), text = words ?? round.text
        if words == nil { limits = round.limits }
        let last = limits.count - 2
        func colour(_ step: Int) -> RGB { RGB(ramp[last == 0 ? 2 : step * (ramp.count - 1) / last]) }
        // A class includes its lower limit but not its upper one, so that no number is in two classes.
        func classText(_ step: Int) -> String {
            let low = text(limits[step])
            let high = text(limits[step + 1])
            if last == 0 { return low == high ? low : "\(low) – \(high)" }
            return step == last ? "≥ \(low)" : "\(low) – <\(high)"
        }
        let entries = (0...last).map { OverlayLegend.Entry(ink: colour($0), text: classText($0)) }
        return (
            entries,
            { [bounds = limits.dropFirst().dropLast()] value in
                colour(bounds.firstIndex { value < $0 }.map { $0 - 1 } ?? last)
            }
        )
    }

    private static func kinds(_ values: [String]) -> (entries: [OverlayLegend.Entry], ink: (String) -> RGB) {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(7).map(\.key)
        let inks = Dictionary(uniqueKeysWithValues: most.enumerated().map { ($1, OverlayPalette($0).ink) })
        var entries = most.map {
            OverlayLegend.Entry(ink: inks[$0] ?? others, text: SafeText.sanitised($0, limit: 24))
        }
        if counts.count > most.count { entries.append(OverlayLegend.Entry(ink: others, text: "others")) }
        return (entries, { inks[$0] ?? others })
    }
}

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

    func text(_ limit: Double) -> String { abs(limit) < 1e9 ? limit.decimals(decimals) : "\(limit)" }
}
