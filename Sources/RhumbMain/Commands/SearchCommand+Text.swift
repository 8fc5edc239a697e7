internal import Rhumb
internal import RhumbBrowser

extension Coordinate {
    /// The coordinates in the form that --center accepts.
    fileprivate var text: String { latitude.decimals(4) + "," + longitude.decimals(4) }
    /// The coordinates with more decimals, for a house or shop.
    fileprivate var exactText: String {
        latitude.decimals(5) + "," + longitude.decimals(5)
    }
}

extension SearchMatch {
    /// The cells of a row: coordinates, kind, name, region or distance, population or details.
    var row: [String] {
        switch self {
        case .place(let match):
            let place = match.place
            let people =
                place.population > 0 && place.kind != .region ? AmountText.count(place.population) : ""
            return [
                place.coordinate.text, place.kind.rawValue,
                match.mark + match.title(in: Environment.names), place.whereabouts, people,
            ]
        case .feature(let feature): return feature.row
        }
    }

    var json: JSON {
        switch self {
        case .place(let match): match.json
        case .feature(let feature): feature.json
        }
    }
}

extension FeatureMatch {
    fileprivate var row: [String] {
        let language = Environment.language
        let name = title(in: language) + (otherName.map { " (\($0))" } ?? "")
        let told = (details + [whereabouts]).filter { !$0.isEmpty }.joined(separator: " ")
        let origin = provider.isEmpty ? "" : "\(provider): "
        return [
            coordinate.exactText, kindWord(in: language), name,
            PlaceFormat.way(to: self, units: .metric) ?? "", origin + told,
        ]
    }

    fileprivate var json: JSON {
        [
            "name": name.isEmpty ? .null : .string(name), "match": .text(otherName),
            "kind": .string(kind.isEmpty ? category.word : kind), "category": .string(category.word),
            "latitude": .number(coordinate.latitude), "longitude": .number(coordinate.longitude),
            "distance": .metres(metres), "bearing": .count(degrees.map { Int($0.rounded()) }),
            "related": .bool(isRelated), "details": .array(details.map { .string($0) }),
            "whereabouts": .string(whereabouts),
            "origin": .string(provider.isEmpty ? "stored map" : provider),
        ]
    }
}

extension PlaceMatch {
    fileprivate var json: JSON {
        [
            "name": .string(place.name), "match": .text(otherName),
            "similar": .bool(isSimilar),
            "kind": .string(place.kind.rawValue), "countryCode": .string(place.countryCode),
            "country": .string(place.country), "region": .string(place.region),
            "latitude": .number(place.coordinate.latitude), "longitude": .number(place.coordinate.longitude),
            "population": .integer(place.population), "origin": "GeoNames",
        ]
    }
}

extension ReverseGeocodeResult {
    /// The rows for the address and features of the place.
    var rows: [[String]] {
        let nearest = place.map { PlaceFormat.bearing($0, units: .metric, language: Environment.names) } ?? ""
        let named = [("address", house), ("street", street)].compactMap { word, found in
            found.map {
                [
                    $0.coordinate.exactText, word, $0.name,
                    word == "street" ? "" : PlaceFormat.way(to: $0, units: .metric) ?? "", "",
                ]
            }
        }
        return [[coordinate.text, "spot", nearest, "", ""]] + named
            + things.prefix(3).map { SearchMatch.feature($0).row }
    }

    var json: JSON {
        [
            "name": .null, "kind": "spot", "latitude": .number(coordinate.latitude),
            "longitude": .number(coordinate.longitude),
            "address": house.map { .string($0.name) } ?? .null,
            "street": street.map { .string($0.name) } ?? .null,
            "things": .array(things.prefix(5).map { SearchMatch.feature($0).json }),
            "nearest": place.map { PlaceMatch(place: $0.place, otherName: nil).json } ?? .null,
            "nearestDistance": .metres(place?.metres),
        ]
    }
}
