internal import RhumbBase
internal import RhumbGeo

/// Parses the results of search services. Drops results without a name or a valid position.
struct OnlineFeatureReader {
    let provider: String
    private static let longestName = 160

    /// Parses a result of Nominatim, which writes numbers as strings.
    func nominatim(_ item: JSON) -> FeatureMatch? {
        func text(_ member: String) -> String { item[member]?.string ?? "" }
        func degrees(_ member: String) -> Double? { item[member]?.double ?? Double(text(member)) }
        let whole = text("display_name"), classes = ["type", "addresstype", "category", "class"].map(text)
        let number = item["address"]?["house_number"]?.string, road = item["address"]?["road"]?.string
        guard text("name").isEmpty, let number, let road else {
            let name = text("name").isEmpty ? whole : text("name")
            return feature(
                name, classes, degrees("lat"), degrees("lon"),
                whereabouts: Self.rest(of: whole, after: [name]))
        }
        // The display name begins with "12, Via dei Neri", or has the street first.
        let rest = Self.rest(of: Self.rest(of: whole, after: [number, road]), after: [number, road])
        return feature(
            "\(road) \(number)", classes, degrees("lat"), degrees("lon"), isHouse: true, whereabouts: rest)
    }

    /// Parses a GeoJSON feature of Photon.
    func photon(_ item: JSON) -> FeatureMatch? {
        func text(_ member: String) -> String { item["properties"]?[member]?.string ?? "" }
        let position = item["geometry"]?["coordinates"]?.array ?? []
        let house = [text("street"), text("housenumber")].filter { !$0.isEmpty }.joined(separator: " ")
        let name = text("name").isEmpty ? house : text("name")
        let around = [house, text("city"), text("state"), text("country")].filter {
            !$0.isEmpty && $0 != name
        }
        return feature(
            name, [text("osm_value"), text("osm_key")], position.dropFirst().first?.double,
            position.first?.double,
            isHouse: text("name").isEmpty && !text("housenumber").isEmpty,
            whereabouts: around.joined(separator: ", "))
    }

    /// Removes a leading name: returns "Firenze, Toscana" for "Via dei Neri, Firenze, Toscana".
    private static func rest(of whole: String, after names: [String]) -> String {
        if names.contains(whole) { return "" }
        return names.first { whole.hasPrefix($0 + ", ") }.map { String(whole.dropFirst($0.count + 2)) }
            ?? whole
    }

    private func feature(
        _ name: String, _ classes: [String], _ latitude: Double?, _ longitude: Double?, isHouse: Bool = false,
        whereabouts: String
    ) -> FeatureMatch? {
        let name = SafeText.sanitised(name, limit: Self.longestName)
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180, !name.isEmpty else {
            return nil
        }
        let told = PlaceCategory.of(classes),
            other = classes.contains("highway") ? PlaceCategory.street : .other
        let place = Coordinate(latitude: latitude, longitude: longitude)
        var feature = FeatureMatch(
            name, isHouse ? .address : told?.category ?? other, at: place, provider: provider)
        feature.kind = told?.kind ?? SafeText.sanitised(classes.first ?? "", limit: 40)
        feature.whereabouts = SafeText.sanitised(whereabouts, limit: Self.longestName)
        return feature
    }
}

extension FeatureMatch {
    /// Creates a match found by an online service.
    init(_ name: String, _ category: PlaceCategory, at place: Coordinate, provider: String) {
        let tile = TileID(zoom: 20, containing: Mercator.world(place))
        self.init(IndexedFeature(name, category, at: .zero), in: tile)
        let point = Mercator.world(place)
        coordinate = place
        self.provider = provider
        box = WorldBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
    }
}
