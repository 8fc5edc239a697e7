internal import RhumbCore

/// A band of heights or depths in the schema of the built-in world. Each band is drawn over the one before.
struct HeightBand: Equatable {
    /// The lower bound, in metres above or below sea level.
    let metres: Int
    /// The lower bound of the next band; nil for the last.
    let next: Int?
    let isDepth: Bool

    /// Creates the band of a feature; nil for other features.
    init?(_ feature: MapFeature) {
        func number(_ name: String) -> Int? {
            feature.attributes.first { $0.name == name }.flatMap { Int($0.value) }
        }
        guard ["heights", "depths"].contains(feature.layer), let metres = number("metres") else { return nil }
        self.metres = metres
        next = number("to")
        isDepth = feature.layer == "depths"
    }

    /// Returns a text such as "1,000–2,000 m high".
    func text(isUnicode: Bool) -> String {
        guard let next else { return "\(isDepth ? "deeper" : "higher") than \(AmountText.count(metres)) m" }
        return
            "\(AmountText.count(metres))\(isUnicode ? "–" : "-")\(AmountText.count(next)) m \(isDepth ? "deep" : "high")"
    }
}

extension [MapFeature] {
    /// The topmost band, and all features that are not bands.
    var partedByHeight: (band: HeightBand?, others: [MapFeature]) {
        (compactMap(HeightBand.init).max { $0.metres < $1.metres }, filter { HeightBand($0) == nil })
    }
}
