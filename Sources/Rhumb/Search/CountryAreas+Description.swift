internal import RhumbCore
internal import RhumbOffline

extension CountryAreas.Country {
    /// The country's English name, as in the list of places where it has the country.
    var name: String { CountryNames.embedded.listed[area.name] ?? area.name }

    /// Returns true if a country of the list of places is another one. Unknown if only one of them has an
    /// outline.
    func isAnother(than country: String) -> Bool {
        let names = CountryNames.embedded, other = names.outline(of: country)
        guard !names.unlisted.contains(name), names.disputed[name] != other else { return false }
        return other != name
            && CountryAreas.embedded?.countries.contains { $0.name == other } ?? false
    }
}

extension CountryAreas {
    /// The distance in metres within which borders and coasts are described, and within which outlines may be
    /// wrong.
    private static let (reach, error) = (60_000.0, 3000.0)
    /// The distance in metres, 200 nautical miles, within which the nearest coast is described.
    private static let coastal = 370_400.0
    /// The area of the largest island, Greenland, on a sphere of radius 1, with some margin.
    private static let largestIsland = 0.06

    /// Returns the country that contains a place; nil at sea.
    func country(at place: Coordinate) -> Country? {
        countries.first { $0.area.contains(place) }
    }

    /// Adds the country, the nearest border and, at sea, the nearest coast.
    /// - Parameters:
    ///   - isInside: True if the place is in a settlement, and so not at sea.
    ///   - country: The country that is known from a settlement; nil for none.
    func describe(_ found: inout PlaceDescription, isInside: Bool, home country: String?) {
        let place = found.place, own = self.country(at: place)
        // The outlines are simplified, so the country of a settlement is more reliable.
        let home =
            country.flatMap { name in countries.first { $0.name == CountryNames.embedded.outline(of: name) } }
            ?? own
        if found.first(.country) == nil, let own { found.items.append(.init(.country, own.name)) }
        if found.first(.region) == nil, let province = home?.provinces.first(where: { $0.contains(place) }) {
            found.items.append(.init(.region, province.name))
        }
        // The tiles know the shore, and the outlines only coasts far away.
        if found.first(.sea) != nil || own == nil && !isInside {
            if found.first(.coast) == nil { addCoasts(to: &found) }
            return
        }
        if found.first(.coast) == nil { addSea(to: &found, isOutside: own == nil) }
        // The outline of a territory that the list of places counts to another country is no border, unless
        // that country is as near as the outlines are wrong.
        let isDisputed =
            own.map { own in
                own.code != home?.code
                    && home.map { place.metres(to: $0.area.ground.nearestEdge(to: place).point) > Self.error }
                        ?? false
            } ?? false
        let others = countries.filter {
            $0.code != home?.code && !(isDisputed && $0.code == own?.code)
                && !CountryNames.embedded.military.contains($0.name)
        }
        let index = found.items.firstIndex { $0.topic == .border }
        guard let (country, point) = nearest(among: others, to: place) else { return }
        if let index {
            found.items[index].name = country.name
        } else if case let metres = place.metres(to: point), metres < Self.reach {
            let isUnsure = metres < Self.error || country.code == own?.code
            let name = country.name
            found.items.append(isUnsure ? .init(.border, name) : .init(.border, name, at: point, from: place))
        }
    }

    /// Adds the sea to a settlement whose tiles don't contain it.
    /// - Parameter isOutside: True outside the outlines. There, and near the coast, a place without streets
    ///   is in the sea.
    private func addSea(to found: inout PlaceDescription, isOutside: Bool) {
        let place = found.place
        guard let (point, degrees) = coast(near: place, within: Self.seaside / 111_195) else { return }
        let topics: Set<PlaceDescription.Topic> = [.street, .thing, .address, .ground]
        let isEmpty = found.hasMap && !found.items.contains { topics.contains($0.topic) }
        let metres = place.metres(to: point)
        if isEmpty, isOutside || metres < 500 {
            found.items.append(.init(.sea, ""))
            found.items.append(.init(.coast, "", kind: "shore", degrees: degrees + 180))
        } else if isOutside || metres < 200 {
            found.items.append(.init(.coast, "", kind: "sea", degrees: degrees))
        } else {
            found.items.append(.init(.coast, "", kind: "sea", at: point, from: place))
        }
    }

    /// The distance in metres within which the sea is described.
    private static let seaside = 20_000.0

    /// Adds the sea and the nearest coasts to a place outside all countries.
    private func addCoasts(to found: inout PlaceDescription) {
        let place = found.place
        guard abs(place.latitude) < 89.9 else { return }
        guard let (country, point) = nearest(among: countries, to: place) else {
            found.items.append(.init(.sea, ""))
            return
        }
        let metres = place.metres(to: point), isSure = metres > Self.error && !found.hasMap
        if isSure { found.items.append(.init(.sea, "")) }
        guard metres <= Self.coastal else { return }
        found.items.append(
            .init(.coast, country.name, kind: isSure ? "" : "near", at: point, from: place))
        let others = countries.filter { $0.code != country.code }
        if let (other, point) = nearest(among: others, to: place), place.metres(to: point) < Self.reach {
            found.items.append(.init(.coast, other.name, at: point, from: place))
        }
    }

    /// Returns the nearest point of some countries; nil if there are none.
    private func nearest(among countries: [Country], to place: Coordinate) -> (Country, Coordinate)? {
        var best: (country: Country, point: Coordinate)?, least = Double.infinity
        for country in countries.map({ ($0, $0.area.distanceToBox(place)) }).sorted(by: { $0.1 < $1.1 }) {
            if country.1 >= least { break }
            let (point, degrees) = country.0.area.ground.nearestEdge(to: place)
            if degrees < least { (least, best) = (degrees, (country.0, point)) }
        }
        return best.map { ($0.country, $0.point) }
    }

    /// Returns the polygon of a country that contains a place; nil at sea and on the largest ones.
    func land(at place: Coordinate) -> PackageArea? {
        let areas = countries.lazy.filter { $0.area.contains(place) }.flatMap(\.area.ground.polygons)
        let land = areas.compactMap { PackageArea(polygons: [$0]) }.first { $0.contains(place) }
        return land.flatMap { $0.size < Self.largestIsland ? $0 : nil }
    }

    /// Returns true if a polygon shares no corner with another country, as the arcs of borders are shared.
    func isIsland(_ land: PackageArea) -> Bool {
        let own = Set(land.polygons[0][0]), box = land.bounds, reach = box.north - box.south
        let near = countries.filter { $0.area.distanceToBox(box.center) <= reach + 30 }
        return !near.contains { country in
            country.area.ground.polygons.contains { polygon in
                polygon != land.polygons[0] && polygon.contains { ring in ring.contains(where: own.contains) }
            }
        }
    }
}
