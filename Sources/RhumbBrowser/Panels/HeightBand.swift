internal import RhumbCore

/// A band of heights or depths, as maps of the world's own schema have them: each lies over the one before.
struct HeightBand: Equatable {
    /// Where it begins, above or below the sea.
    let metres: Int
    /// Where the next begins; nil: it is the last.
    let next: Int?
    let isDepth: Bool

    /// nil for a feature that is none.
    init?(_ feature: MapFeature) {
        func number(_ name: String) -> Int? {
            feature.attributes.first { $0.name == name }.flatMap { Int($0.value) }
        }
        guard ["heights", "depths"].contains(feature.layer), let metres = number("metres") else { return nil }
        self.metres = metres
        next = number("to")
        isDepth = feature.layer == "depths"
    }

    /// "1,000–2,000 m high".
    func text(isUnicode: Bool) -> String {
        guard let next else { return "\(isDepth ? "deeper" : "higher") than \(AmountText.count(metres)) m" }
        return
            "\(AmountText.count(metres))\(isUnicode ? "–" : "-")\(AmountText.count(next)) m \(isDepth ? "deep" : "high")"
    }
}

extension [MapFeature] {
    /// The topmost band, and all that are none.
    var partedByHeight: (band: HeightBand?, others: [MapFeature]) {
        (compactMap(HeightBand.init).max { $0.metres < $1.metres }, filter { HeightBand($0) == nil })
    }
}
