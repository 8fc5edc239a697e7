internal import RhumbCore
internal import RhumbEngine
internal import RhumbOffline

/// Describing a place in words, from stored tiles, the gazetteer and the outlines of countries.
extension OfflineSearchEngine {
    /// The zooms of tiles that are read, the first one preferred.
    private static let describedZooms = [14, 15, 16, 13, 12]
    /// The maximum number of tiles read.
    private static let mostDescribedTiles = 12

    /// Returns the facts about a place and its surroundings. Never uses the network.
    /// - Parameters:
    ///   - radius: The distance in metres within which features are described.
    ///   - name: The name of the street that the user asked for; nil for the nearest one.
    ///   - roads: The stored roads.
    /// - Throws: `SearchFailure`
    package func description(
        of place: Coordinate, radius: Double, name: String? = nil, roads: StoredRoads
    ) throws(SearchFailure) -> PlaceDescription {
        try require()
        var found = PlaceDescription(place, radius: radius)
        var read = TileSurroundings(place, radius: radius)
        let recent = RecentTiles()
        if abs(place.latitude) < Mercator.latitudeLimit {
            let roads = roads.roads(around: place, within: StreetSurroundings.reach.crossing, recent)
            if let (zoom, load) = roads {
                found.items += StreetSurroundings(around: place, zoom: zoom, name: name, load: load).items
            }
            try checkCancellation()
            try addFeatures(to: &found, &read, recent)
        }
        let isInside = addSettlements(to: &found, read)
        try checkCancellation()
        if let countries = CountryAreas.embedded {
            countries.describe(&found, isInside: isInside)
        } else {
            found.problems.append("The outlines of countries are damaged, so borders are unknown.")
        }
        addIslands(to: &found)
        addSeas(to: &found)
        addPole(to: &found)
        // The user asked for the street, not for the shop in its middle.
        if let name, name == found.first(.street)?.name { found.items.removeAll { $0.topic == .thing } }
        found.removeRepetitions()
        return found
    }

    private func addFeatures(
        to found: inout PlaceDescription, _ read: inout TileSurroundings, _ recent: RecentTiles
    ) throws(SearchFailure) {
        let home = Mercator.world(found.place), place = found.place
        for holder in holders {
            for (key, _) in (try? holder.sources()) ?? [] {
                let zoom = Self.describedZooms.first { zoom in
                    let tile = TileID(zoom: zoom, containing: home)
                    if recent.tile(tile, of: key, in: holder) != nil { return true }
                    if holder.isDamaged(tile, of: key) {
                        found.problems.append("The stored tile \(tile) is damaged; download the area again.")
                    }
                    return false
                }
                guard let zoom else { continue }
                found.hasMap = true
                let tiles = TileSurroundings.tiles(around: place, radius: found.radius, zoom: zoom)
                for tile in tiles.prefix(Self.mostDescribedTiles) {
                    try checkCancellation()
                    if let bytes = recent.tile(tile, of: key, in: holder) { read.read(bytes, tile) }
                }
            }
        }
        found.items += read.items(street: found.first(.street)?.name)
    }

    // MARK: Gazetteer

    private func places(around place: Coordinate, metres: Double, limit: Int) -> [NamedPlace] {
        guard let box = try? RegionGeometry.circle(around: place, radius: metres).bounds else { return [] }
        return (try? places.places(in: box, minimumImportance: 0, limit: limit)) ?? []
    }

    /// Adds the settlement at the place, and the next ones.
    /// - Parameter tiles: The tiles around the place, with the borders of countries.
    /// - Returns: True if the place is in a settlement.
    private func addSettlements(to found: inout PlaceDescription, _ tiles: TileSurroundings) -> Bool {
        let place = found.place, first: PlaceBearing?
        do throws(PlaceSearchFailure) {
            first = try places.nearest(to: place, minimumImportance: 0)
        } catch {
            found.problems.append("Towns are unknown: \(SafeText.sanitised("\(error)", limit: 200)).")
            return false
        }
        guard let first else {
            if places.isEmpty { found.problems.append("Towns are unknown: there is no list of places.") }
            return false
        }
        let around =
            [15_000, 60_000, 400_000].lazy.map { self.places(around: place, metres: $0, limit: 80) }
            .first { $0.count(where: \.kind.isSettlement) > 4 } ?? []
        let settlements = around.filter(\.kind.isSettlement).map { PlaceBearing(place, from: $0) }
            .sorted { ($0.metres, $0.place.number) < ($1.metres, $1.place.number) }
        // The outlines of countries are simplified, but the borders of tiles are not.
        let isAcross = { (spot: PlaceBearing) in tiles.isAcrossBorder(spot.place.coordinate) }
        let nearest = isAcross(first) ? settlements.first { !isAcross($0) } ?? first : first
        // Across a border, another country's city begins.
        let city = settlements.filter { other in
            let isPart = CityDistrict.isSection(nearest.place, of: other.place) && other.metres < 15_000
            return (other.isWithin || isPart) && other.place.countryCode == nearest.place.countryCode
                && !isAcross(other)
        }.max { $0.place.importance < $1.place.importance }
        let home = city ?? nearest
        func item(_ topic: PlaceDescription.Topic, _ spot: PlaceBearing) -> PlaceDescription.Item {
            PlaceDescription.Item(
                topic, spot.place.nameWithLocal, kind: spot.place.kind.rawValue, at: spot.place.coordinate,
                from: place)
        }
        var settlement = item(.settlement, home)
        if home.isWithin || city != nil {
            let isCentral = home.metres < max(800, 2 * Double(max(home.place.population, 0)).squareRoot())
            settlement.kind = isCentral ? "centre" : ""
            settlement.metres = nil
            settlement.degrees = nil
            if nearest.place != home.place, nearest.metres < 2500 {
                found.items.append(item(.quarter, nearest))
            }
        }
        found.items.append(settlement)
        let region = home.place.region
        // Beyond its surroundings, the outlines of provinces and countries are more reliable.
        if settlement.metres == nil || home.metres < 5000 {
            if !region.isEmpty, !region.hasSuffix(home.place.name) {
                found.items.append(.init(.region, region))
            }
            if !home.place.country.isEmpty { found.items.append(.init(.country, home.place.country)) }
        }
        let others = settlements.filter { other in
            let isDistrict = city.map { CityDistrict.isSection(other.place, of: $0.place) } ?? false
            return other.place != home.place && other.metres > 300 && !isDistrict
        }
        let next = Array(others.prefix(3))
        found.items += next.map { item(.town, $0) }
        if !next.contains(where: { $0.place.kind != .village }),
            let town = others.first(where: { $0.place.kind != .village })
        {
            found.items.append(item(.town, town))
        }
        addSites(among: around, to: &found)
        return settlement.metres == nil
    }

    /// Adds the nearest airport and peaks of the gazetteer where the tiles have none.
    private func addSites(among around: [NamedPlace], to found: inout PlaceDescription) {
        let place = found.place
        let wide = around + places(around: place, metres: 50_000, limit: 250)
        for (kind, topic, reach) in [
            (NamedPlace.Kind.airport, PlaceDescription.Topic.airport, 60_000.0), (.peak, .peak, 30_000),
        ] where found.first(topic) == nil {
            let nearest = wide.filter { $0.kind == kind }.map { PlaceBearing(place, from: $0) }
                .min { $0.metres < $1.metres }
            guard let nearest, nearest.metres < reach else { continue }
            found.items.append(
                .init(topic, nearest.place.nameWithLocal, at: nearest.place.coordinate, from: place))
        }
    }

    /// Adds the islands of the gazetteer that are on the same land as the place, the most important first.
    private func addIslands(to found: inout PlaceDescription) {
        guard let areas = CountryAreas.embedded, let land = areas.land(at: found.place) else { return }
        let islands = ((try? places.places(in: land.bounds, minimumImportance: 0, limit: 400)) ?? []).filter {
            $0.kind == .island && land.contains($0.coordinate)
        }
        guard !islands.isEmpty, areas.isIsland(land) else { return }
        found.items += islands.prefix(2).map { .init(.island, $0.nameWithLocal) }
    }

    /// Adds the nearest named sea, whose extent is unknown, to a place at sea.
    private func addSeas(to found: inout PlaceDescription) {
        guard found.first(.sea) != nil, let countries = CountryAreas.embedded?.countries else { return }
        let seas = places(around: found.place, metres: 300_000, limit: 400).filter { $0.kind == .water }
            .map { PlaceDescription.Item(.nature, $0.name, at: $0.coordinate, from: found.place) }
            .sorted { ($0.metres ?? 0, $0.name) < ($1.metres ?? 0, $1.name) }
        let sea = seas.first { sea in
            sea.coordinate.map { place in !countries.contains { $0.area.contains(place) } } ?? false
        }
        found.items += [sea].compactMap(\.self)
    }

    private func addPole(to found: inout PlaceDescription) {
        let latitude = found.place.latitude
        guard abs(latitude) > 80 else { return }
        let pole = Coordinate(latitude: latitude > 0 ? 90 : -90, longitude: found.place.longitude)
        let name = latitude > 0 ? "North Pole" : "South Pole"
        let metres = found.place.metres(to: pole)
        found.items.append(
            metres < 50
                ? .init(.pole, name) : .init(.pole, name, metres: metres, degrees: latitude > 0 ? 0 : 180))
    }
}

extension NamedPlace {
    /// The usual name, followed by the local one in Latin letters if that is another: "Florence (Firenze)".
    fileprivate var nameWithLocal: String {
        let local = name(in: .usual)
        return local == name ? name : "\(name) (\(local))"
    }
}

extension CountryAreas {
    /// The distance in metres within which borders and coasts are described, and within which outlines may be
    /// wrong.
    private static let (reach, error) = (60_000.0, 3000.0)
    /// The area of the largest island, Greenland, on a sphere of radius 1, with some margin.
    private static let largestIsland = 0.06

    /// Adds the country, the nearest border and, at sea, the nearest coast.
    /// - Parameter isInside: True if the place is in a settlement, and so not at sea.
    fileprivate func describe(_ found: inout PlaceDescription, isInside: Bool) {
        let place = found.place, own = countries.first { $0.area.contains(place) }
        // The outlines are simplified, so the country of a settlement is more reliable.
        let home = countries.first { $0.area.name == found.first(.country)?.name } ?? own
        if found.first(.country) == nil, let own { found.items.append(.init(.country, own.area.name)) }
        if found.first(.region) == nil, let province = home?.provinces.first(where: { $0.contains(place) }) {
            found.items.append(.init(.region, province.name))
        }
        // The tiles know the shore, and the outlines only coasts far away.
        if found.first(.sea) != nil || own == nil && !isInside {
            if found.first(.coast) == nil { addCoasts(to: &found) }
            return
        }
        let others = countries.filter { $0.code != home?.code }
        let known = found.items.firstIndex { $0.topic == .border }
        guard let (country, point) = nearest(among: others, to: place) else { return }
        if let known {
            found.items[known].name = country.area.name
        } else if case let metres = place.metres(to: point), metres < Self.reach {
            let isUnsure = metres < Self.error || country.code == own?.code
            let name = country.area.name
            found.items.append(isUnsure ? .init(.border, name) : .init(.border, name, at: point, from: place))
        }
    }

    /// Adds the sea and the nearest coasts to a place outside all countries.
    private func addCoasts(to found: inout PlaceDescription) {
        let place = found.place
        guard abs(place.latitude) < 89.9 else { return }
        guard let (country, point) = nearest(among: countries, to: place) else {
            found.items.append(.init(.sea, ""))
            return
        }
        let isSure = place.metres(to: point) > Self.error && !found.hasMap
        if isSure { found.items.append(.init(.sea, "")) }
        found.items.append(
            .init(.coast, country.area.name, kind: isSure ? "" : "near", at: point, from: place))
        let others = countries.filter { $0.code != country.code }
        if let (other, point) = nearest(among: others, to: place), place.metres(to: point) < Self.reach {
            found.items.append(.init(.coast, other.area.name, at: point, from: place))
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
    fileprivate func land(at place: Coordinate) -> PackageArea? {
        let areas = countries.lazy.filter { $0.area.contains(place) }.flatMap(\.area.ground.polygons)
        let land = areas.compactMap { PackageArea(polygons: [$0]) }.first { $0.contains(place) }
        return land.flatMap { $0.size < Self.largestIsland ? $0 : nil }
    }

    /// Returns true if a polygon shares no corner with another country, as the arcs of borders are shared.
    fileprivate func isIsland(_ land: PackageArea) -> Bool {
        let own = Set(land.polygons[0][0]), box = land.bounds, reach = box.north - box.south
        let near = countries.filter { $0.area.distanceToBox(box.center) <= reach + 30 }
        return !near.contains { country in
            country.area.ground.polygons.contains { polygon in
                polygon != land.polygons[0] && polygon.contains { ring in ring.contains(where: own.contains) }
            }
        }
    }
}
