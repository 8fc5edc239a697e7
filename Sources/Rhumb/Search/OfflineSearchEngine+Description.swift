internal import Dispatch
internal import RhumbCore
internal import RhumbEngine
internal import RhumbOffline
internal import RhumbStore
internal import Synchronization

/// Describing a place in words, from stored tiles, the gazetteer and the outlines of countries.
extension OfflineSearchEngine {
    /// The zooms of tiles that are read, the first one preferred.
    private static let describedZooms = [14, 15, 16, 13, 12]
    /// The maximum number of tiles read.
    private static let mostDescribedTiles = 12

    /// Loads the table of categories, and decodes the outlines of countries. This takes 9 ms.
    package static func prepareDescription() {
        TileSurroundings.prepare()
        _ = CountryAreas.embedded
    }

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
        // Beside the tiles, the outlines are decoded and the gazetteer is opened.
        DispatchQueue.global().async { [places] in
            Self.prepareDescription()
            _ = try? places.nearest(to: place, minimumImportance: 0)
        }
        let read = addSurroundings(to: &found, street: name, roads)
        try checkCancellation()
        let outlines = CountryAreas.embedded
        let settled = addSettlements(to: &found, read, outlines?.country(at: place))
        try checkCancellation()
        if let outlines {
            outlines.describe(&found, isInside: settled.isInside, home: settled.country)
        } else {
            found.problems.append("The outlines of countries are damaged, so borders are unknown.")
        }
        addIslands(to: &found)
        addPole(to: &found)
        // The user asked for the street, not for the shop in its middle.
        if let name, name == found.first(.street)?.name { found.items.removeAll { $0.topic == .thing } }
        found.removeRepetitions()
        return found
    }

    /// Adds the streets and the features of stored tiles, which are read on all cores.
    private func addSurroundings(
        to found: inout PlaceDescription, street name: String?, _ stored: StoredRoads
    ) -> TileSurroundings {
        let place = found.place, radius = found.radius
        var all = TileSurroundings(place, radius: radius)
        guard abs(place.latitude) < Mercator.latitudeLimit else { return all }
        let recent = RecentTiles(), wanted = describedTiles(&found, recent)
        let streets = Mutex<[PlaceDescription.Item]>([]), parts = Mutex<[Int: TileSurroundings]>([:])
        DispatchQueue.concurrentPerform(iterations: wanted.count + 1) { at in
            // The streets take as long as several tiles, so they are first.
            guard at > 0 else {
                let roads = stored.roads(around: place, within: StreetSurroundings.reach.crossing, recent)
                guard let (zoom, load) = roads else { return }
                let found = StreetSurroundings(
                    around: place, zoom: zoom, name: name, radius: radius, load: load)
                return streets.withLock { $0 = found.items }
            }
            let (holder, key, tile) = wanted[at - 1]
            guard let bytes = recent.tile(tile, of: key, in: holder) else { return }
            var part = TileSurroundings(place, radius: radius)
            part.read(bytes, tile)
            parts.withLock { $0[at] = part }
        }
        found.items += streets.withLock { $0 }
        for (_, part) in parts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { all.join(part) }
        found.items += all.items(street: found.first(.street)?.name)
        return all
    }

    /// Returns the stored tiles around the place, of each source the nearest ones.
    private func describedTiles(
        _ found: inout PlaceDescription, _ recent: RecentTiles
    ) -> [(holder: any SearchableTiles, key: String, tile: TileID)] {
        let home = Mercator.world(found.place)
        var wanted: [(holder: any SearchableTiles, key: String, tile: TileID)] = []
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
                let place = found.place, radius = found.radius
                func tiles(_ zoom: Int) -> ArraySlice<TileID> {
                    TileSurroundings.tiles(around: place, radius: radius, zoom: zoom)
                        .prefix(Self.mostDescribedTiles)
                }
                if zoom != nil { found.hasMap = true }
                // Just outside a stored area, the tiles beside the place are read.
                let near =
                    zoom
                    ?? Self.describedZooms.first { zoom in
                        tiles(zoom).contains { recent.tile($0, of: key, in: holder) != nil }
                    }
                if let near { wanted += tiles(near).map { (holder, key, $0) } }
            }
        }
        return wanted
    }

    // MARK: Gazetteer

    private func places(around place: Coordinate, metres: Double, limit: Int) -> [NamedPlace] {
        guard let box = try? RegionGeometry.circle(around: place, radius: metres).bounds else { return [] }
        return (try? places.places(in: box, minimumImportance: 0, limit: limit)) ?? []
    }

    /// The distance in metres from the middle of a settlement within which its country is that of the place,
    /// regardless of the simplified outlines of countries.
    private static let middle = 1000.0
    /// The distance in metres from the middle of a city within which districts of any city are part of it.
    private static let middleOfCity = 15_000.0
    /// The distance in metres within which the middles of large cities are looked up.
    private static let farthestMiddle = 40_000.0
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
        // A district may be far from the middle of its city.
        let large = self.places(around: place, metres: Self.farthestMiddle, limit: 8)
            .filter { $0.kind.isSettlement }.map { PlaceBearing(place, from: $0) }
        let city = (settlements + large).filter { other in
            let apart = nearest.place.coordinate.sphericalMetres(to: other.place.coordinate)
            let isBeside = isTown && apart > Self.beside * CityDistrict.reach(of: other.place)
            let isPart =
                nearest.place.isDistrict(of: other.place) && !isBeside
                && other.metres < max(Self.middleOfCity, CityDistrict.reach(of: other.place))
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
        func isNext(_ other: PlaceBearing) -> Bool {
            let isPart = tiles.quarters.contains(other.place.name) || other.place.isDistrict(of: home.place)
            return other.place != home.place && other.metres > 300 && !isPart
        }
        var others = settlements.filter(isNext)
        // All settlements around the middle of a large city may be its districts.
        if others.isEmpty {
            others = self.places(around: place, metres: 60_000, limit: 300).filter(\.kind.isSettlement)
                .map { PlaceBearing(place, from: $0) }.filter(isNext)
                .sorted { ($0.metres, $0.place.number) < ($1.metres, $1.place.number) }
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

    /// The share of an island's height within which its middle is beside its simplified outline.
    private static let besideIsland = 0.1

    /// Adds the islands of the gazetteer that are on the same land as the place, the most important first.
    private func addIslands(to found: inout PlaceDescription) {
        guard let areas = CountryAreas.embedded, let land = areas.land(at: found.place) else { return }
        let box = land.bounds, listed = (try? places.places(of: [.island], in: box, limit: 50)) ?? []
        var islands = listed.filter { land.contains($0.coordinate) }
        // The middle of a curved island, such as Santorini, is in the water beside it.
        if islands.isEmpty {
            let reach = Self.besideIsland * (box.north - box.south)
            let near = listed.map { ($0, degrees: land.nearestEdge(to: $0.coordinate).degrees) }
            islands = near.filter { $0.degrees < reach }.min { $0.degrees < $1.degrees }.map { [$0.0] } ?? []
        }
        guard !islands.isEmpty, areas.isIsland(land) else { return }
        found.items += islands.prefix(2).map { .init(.island, $0.nameWithLocal) }
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
    /// Returns true if the settlement is a part of a city and no town beside it, for which the rule of
    /// `CityDistrict` is too strict: large districts of a small state, and those of a city that is wider than
    /// its population suggests, such as Chicago.
    fileprivate func isDistrict(of city: NamedPlace) -> Bool {
        if CityDistrict.isSection(self, of: city) { return true }
        guard city.kind == .city || city.kind == .capital, kind.isSettlement, countryCode == city.countryCode,
            population < city.population
        else { return false }
        let apart = coordinate.sphericalMetres(to: city.coordinate), reach = CityDistrict.reach(of: city)
        let isSmall = population < 1000 || reach > 10_000 && population < city.population / 10
        return apart < (isSmall ? 1.6 : 0.6) * reach
    }

    /// The usual name, followed by the local one in Latin letters if that is another: "Florence (Firenze)".
    fileprivate var nameWithLocal: String {
        let local = name(in: .usual)
        return local == name ? name : "\(name) (\(local))"
    }
}
