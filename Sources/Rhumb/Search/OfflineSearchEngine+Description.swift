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
        let outlines = CountryAreas.embedded
        let settled = addSettlements(to: &found, read, outlines?.country(at: place))
        try checkCancellation()
        if let outlines {
            outlines.describe(&found, isInside: settled.isInside, home: settled.country)
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

    /// The distance in metres from the middle of a settlement within which its country is that of the place,
    /// regardless of the simplified outlines of countries.
    private static let middle = 1000.0
    /// The share of a city's estimated radius beyond which a town is beside it and no district.
    private static let beside = 0.8
    /// The population of a settlement that may be a town beside a city. Smaller ones are mostly quarters.
    private static let leastTown = 1000

    /// Adds the settlement at the place, and the next ones.
    /// - Parameters:
    ///   - tiles: The tiles around the place, with the borders of countries.
    ///   - outline: The country whose simplified outline contains the place; nil for none.
    /// - Returns: True if the place is in a settlement, and the country that was added; nil for none.
    private func addSettlements(
        to found: inout PlaceDescription, _ tiles: TileSurroundings, _ outline: CountryAreas.Country?
    ) -> (isInside: Bool, country: String?) {
        let place = found.place, first: PlaceBearing?
        do throws(PlaceSearchFailure) {
            first = try places.nearest(to: place, minimumImportance: 0)
        } catch {
            found.problems.append("Towns are unknown: \(SafeText.sanitised("\(error)", limit: 200)).")
            return (false, nil)
        }
        guard let first else {
            if places.isEmpty { found.problems.append("Towns are unknown: there is no list of places.") }
            return (false, nil)
        }
        let listed =
            [15_000, 60_000, 400_000].lazy.map { self.places(around: place, metres: $0, limit: 80) }
            .first { $0.count(where: \.kind.isSettlement) > 4 } ?? []
        let settlements = listed.filter(\.kind.isSettlement).map { PlaceBearing(place, from: $0) }
            .sorted { ($0.metres, $0.place.number) < ($1.metres, $1.place.number) }
        // The outlines of countries are simplified, but the borders of tiles are not.
        let isAcross = { (spot: PlaceBearing) in tiles.isAcrossBorder(spot.place.coordinate) }
        let outline = isAcross(first) ? nil : outline
        let isAbroad = { (spot: PlaceBearing) in
            isAcross(spot) || outline?.isAnother(than: spot.place.country) ?? false
        }
        let isSure = first.metres < Self.middle && !isAcross(first)
        // A town of the place's own country is preferred to one abroad, unless it is much farther away.
        let limit = isAcross(first) ? .infinity : 2 * first.metres + 3000
        let own = settlements.first { !isAbroad($0) && $0.metres < limit }
        let nearest = isSure || !isAbroad(first) ? first : own ?? first
        // Across a border, another country's city begins. A town beyond the city's own radius, such as
        // Fiesole near Florence, is no part of it.
        let isTown = nearest.isWithin && nearest.place.population >= Self.leastTown
        let city = settlements.filter { other in
            let apart = nearest.place.coordinate.sphericalMetres(to: other.place.coordinate)
            let isBeside = isTown && apart > Self.beside * CityDistrict.reach(of: other.place)
            let isPart =
                CityDistrict.isSection(nearest.place, of: other.place) && other.metres < 15_000 && !isBeside
            let isWithin = other.isWithin && (!isTown || other.place == nearest.place)
            return (isWithin || isPart) && other.place.countryCode == nearest.place.countryCode
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
        var country: String?
        if !isSure, isAbroad(home) {
            let abroad = home.place.country
            found.items[found.items.count - 1].name += abroad.isEmpty ? "" : " (\(abroad))"
        } else if settlement.metres == nil || home.metres < 5000 {
            // Beyond its surroundings, the outlines of provinces and countries are more reliable.
            if !region.isEmpty, !region.hasSuffix(home.place.name) {
                found.items.append(.init(.region, region))
            }
            if !home.place.country.isEmpty { found.items.append(.init(.country, home.place.country)) }
            country = home.place.country
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
        addSites(to: &found)
        return (settlement.metres == nil, country)
    }

    /// Adds the nearest airport and peaks of the gazetteer where the tiles have none.
    private func addSites(to found: inout PlaceDescription) {
        let place = found.place
        for (kind, topic, reach) in [
            (NamedPlace.Kind.airport, PlaceDescription.Topic.airport, 60_000.0), (.peak, .peak, 30_000),
        ] where found.first(topic) == nil {
            guard let box = try? RegionGeometry.circle(around: place, radius: reach).bounds else { continue }
            let sites = (try? places.places(of: [kind], in: box, limit: 500)) ?? []
            let nearest = sites.map { PlaceBearing(place, from: $0) }
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

extension CountryAreas.Country {
    /// The country's English name, as in the list of places where it has the country.
    fileprivate var name: String { CountryAreas.names[area.name] ?? area.name }

    /// Returns true if a country of the list of places is another one. Unknown if only one of them has an
    /// outline.
    fileprivate func isAnother(than country: String) -> Bool {
        let other = CountryAreas.outlineName(of: country)
        guard !CountryAreas.unlisted.contains(name), CountryAreas.disputed[name] != other else {
            return false
        }
        return other != name
            && CountryAreas.embedded?.countries.contains { $0.name == other } ?? false
    }
}

extension CountryAreas {
    /// The names of the list of places for countries whose outlines have another name.
    fileprivate static let names = [
        "Cape Verde": "Cabo Verde", "Curaçao": "Curacao", "Czech Republic": "Czechia",
        "East Timor": "Timor Leste", "Federated States of Micronesia": "Micronesia",
        "Guinea Bissau": "Guinea-Bissau", "Hong Kong S.A.R.": "Hong Kong", "Macau S.A.R": "Macao",
        "Macedonia": "North Macedonia", "Pitcairn Islands": "Pitcairn", "Republic of Serbia": "Serbia",
        "Swaziland": "Eswatini", "The Bahamas": "Bahamas", "United Republic of Tanzania": "Tanzania",
        "United States of America": "United States", "United States Virgin Islands": "U.S. Virgin Islands",
    ]
    /// The countries whose outlines include a territory of the list of places, or have a clearer name.
    private static let territories = [
        "Aland Islands": "Åland", "Bonaire, Saint Eustatius and Saba ": "Netherlands",
        "Christmas Island": "Indian Ocean Territories", "Cocos Islands": "Indian Ocean Territories",
        "French Guiana": "France", "French Southern Territories": "French Southern and Antarctic Lands",
        "Guadeloupe": "France", "Martinique": "France", "Mayotte": "France",
        "Palestinian Territory": "Palestine", "Reunion": "France",
        "South Georgia and the South Sandwich Islands": "South Georgia and the Islands",
        "Svalbard and Jan Mayen": "Norway", "The Netherlands": "Netherlands", "Tokelau": "New Zealand",
    ]
    /// The countries whose outlines include territories that the list of places counts to another country.
    fileprivate static let disputed = ["Russia": "Ukraine"]
    /// Small territories without settlements, whose borders say little.
    fileprivate static let military: Set<String> = [
        "Akrotiri Sovereign Base Area", "Dhekelia Sovereign Base Area", "Siachen Glacier", "Spratly Is.",
    ]
    /// The outlines of territories that the list of places counts to other countries.
    fileprivate static let unlisted: Set<String> = [
        "Akrotiri Sovereign Base Area", "Dhekelia Sovereign Base Area", "Northern Cyprus", "Siachen Glacier",
        "Somaliland", "Spratly Is.",
    ]

    /// Returns the name of the outline that includes a country of the list of places.
    fileprivate static func outlineName(of country: String) -> String {
        territories[country] ?? country
    }

    /// The distance in metres within which borders and coasts are described, and within which outlines may be
    /// wrong.
    private static let (reach, error) = (60_000.0, 3000.0)
    /// The area of the largest island, Greenland, on a sphere of radius 1, with some margin.
    private static let largestIsland = 0.06

    /// Returns the country that contains a place; nil at sea.
    fileprivate func country(at place: Coordinate) -> Country? {
        countries.first { $0.area.contains(place) }
    }

    /// Adds the country, the nearest border and, at sea, the nearest coast.
    /// - Parameters:
    ///   - isInside: True if the place is in a settlement, and so not at sea.
    ///   - country: The country that is known from a settlement; nil for none.
    fileprivate func describe(_ found: inout PlaceDescription, isInside: Bool, home country: String?) {
        let place = found.place, own = self.country(at: place)
        // The outlines are simplified, so the country of a settlement is more reliable.
        let home =
            country.flatMap { name in countries.first { $0.name == Self.outlineName(of: name) } } ?? own
        if found.first(.country) == nil, let own { found.items.append(.init(.country, own.name)) }
        if found.first(.region) == nil, let province = home?.provinces.first(where: { $0.contains(place) }) {
            found.items.append(.init(.region, province.name))
        }
        // The tiles know the shore, and the outlines only coasts far away.
        if found.first(.sea) != nil || own == nil && !isInside {
            if found.first(.coast) == nil { addCoasts(to: &found) }
            return
        }
        // The outline of a territory that the list of places counts to another country is no border, unless
        // that country is as near as the outlines are wrong.
        let isDisputed =
            own.map { own in
                own.code != home?.code
                    && home.map { place.metres(to: $0.area.ground.nearestEdge(to: place).point) > Self.error }
                        ?? false
            } ?? false
        let others = countries.filter {
            $0.code != home?.code && !(isDisputed && $0.code == own?.code) && !Self.military.contains($0.name)
        }
        let known = found.items.firstIndex { $0.topic == .border }
        guard let (country, point) = nearest(among: others, to: place) else { return }
        if let known {
            found.items[known].name = country.name
        } else if case let metres = place.metres(to: point), metres < Self.reach {
            let isUnsure = metres < Self.error || country.code == own?.code
            let name = country.name
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
