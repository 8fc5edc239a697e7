internal import Glibc
public import RhumbCore

extension NamedPlace {
    /// The width in metres of a view that shows nearly all of the place: from the outlines of a country, and
    /// otherwise estimated from its kind and population.
    public var viewWidth: Double {
        switch kind {
        case .country:
            // Only small countries have no outlines.
            LabelArea.extent(ofCountry: countryCode) ?? min(max(600_000 * crowd(0.4), 20_000), 150_000)
        case .region: min(max(250_000 * crowd(0.35), 20_000), 1_500_000)
        case .capital, .city: population >= 1_000_000 ? 60_000 : 30_000
        case .town: 14_000
        case .village: 7000
        case .peak: 15_000
        case .airport, .port: 12_000
        case .sight: 3000
        case .water, .landscape, .river, .island: min(pow(10, 2.7 + 0.55 * importance), 12_000_000)
        }
    }

    /// Returns a power of the population in millions.
    private func crowd(_ exponent: Double) -> Double { pow(Double(population) / 1_000_000, exponent) }

    /// Returns the sign of the place's kind on a map.
    func sign(isUnicode: Bool) -> String {
        switch kind {
        case .country, .region: isUnicode ? "□" : "#"
        case .capital: isUnicode ? "●" : "*"
        case .city: isUnicode ? "○" : "o"
        case .town, .village: isUnicode ? "·" : "."
        case .water, .river: isUnicode ? "≈" : "~"
        case .island: isUnicode ? "◌" : "o"
        case .landscape, .peak: isUnicode ? "▲" : "^"
        case .sight: isUnicode ? "★" : "*"
        case .airport: isUnicode ? "✈" : "A"
        case .port: isUnicode ? "≈" : "~"
        }
    }
}
