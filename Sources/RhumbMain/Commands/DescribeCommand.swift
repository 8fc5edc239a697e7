internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Describes places for the command, for the panel and for the plain program.
struct PlaceDescriber: Sendable {
    let session: MapSession
    let terrain: HeightSource
    /// The stored roads; nil for those of the session.
    var roads: StoredRoads?

    /// The distance in metres within which features are described by default.
    static let usualRadius = 2000.0

    /// - Parameters:
    ///   - name: The name of the street that the user asked for; nil for the nearest one.
    ///   - layers: The open maps, which may have heights.
    /// - Throws: `SearchFailure`
    func describe(
        _ place: Coordinate, radius: Double = usualRadius, name: String? = nil, under layers: [TileLayer] = []
    ) async throws(SearchFailure) -> PlaceDescription {
        var found = try session.offlineSearch.description(
            of: place, radius: radius, name: name, roads: roads ?? session.roads)
        found.addNature()
        if let ground = try? await terrain.ground(under: layers) {
            let point = Mercator.world(place)
            found.height = ground.heights(at: [SIMD2(point.x, point.y)]).first.flatMap {
                $0.isNaN ? nil : Double($0)
            }
        }
        return found
    }
}

/// `rhumb describe`: describes a place and its surroundings in words, from stored data.
enum DescribeCommand {
    static func run(_ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession(asksFirst: false) { session in
            let roads = try invocation.roads(session)
            let (place, name) = try place(invocation, session)
            let describer = PlaceDescriber(
                session: session, terrain: HeightSource(invocation[.terrain], session), roads: roads)
            let found = try await withTaskExecutorPreference(BlockingExecutor.shared) {
                try await describer.describe(place, radius: radius(invocation), name: name)
            }
            let units = invocation[.units].flatMap(Settings.Units.init) ?? .metric
            let text = DescriptionText(found, units: units, heading: invocation[.heading])
            try invocation.print(text.lines(limit: invocation[.lines] ?? 25), found.json(text))
            return ExitStatus.done
        }
    }

    private static func radius(_ invocation: Invocation) -> Double {
        if let radius = invocation[.radius] { return min(max(radius, 50), 5000) }
        guard let box = invocation[.bbox] else { return PlaceDescriber.usualRadius }
        let corner = Coordinate(latitude: box.north, longitude: box.east)
        return min(max(box.center.metres(to: corner), 50), 5000)
    }

    /// Returns the place, and its name if the user gave one.
    private static func place(
        _ invocation: Invocation, _ session: MapSession
    ) throws -> (place: Coordinate, name: String?) {
        if let box = invocation[.bbox] { return (box.center, nil) }
        let center = invocation[.center]?.coordinate
        guard let words = invocation.operand else {
            guard let place = center ?? SavedCamera(Folders(environment: Environment.all))?.load()?.coordinate
            else { throw UsageError("describe: missing PLACE, -c or --bbox") }
            return (place, nil)
        }
        if let spot = try? ParsedLocation(words, near: center) { return (spot.coordinate, nil) }
        let search = session.offlineSearch
        search.catchUp(for: .seconds(20))
        // "Via dei Neri, Florence" is looked for near Florence, and then without the town.
        let comma = words.lastIndex(of: ",")
        let town = try comma.flatMap {
            try search.search(MapSearchQuery(String(words[words.index(after: $0)...]), limit: 1)).matches
                .first
        }
        var query = MapSearchQuery(words, near: center ?? town?.coordinate, limit: 1)
        var match = try search.search(query).matches.first
        if match == nil, let comma {
            query.text = String(words[..<comma])
            match = try search.search(query).matches.first
        }
        guard let match else {
            throw Notice.Problem(
                "no place found for \"\(SafeText.sanitised(words, limit: 60))\"; try rhumb search, or use coordinates"
            )
        }
        return (match.coordinate, match.title())
    }
}

extension PlaceDescription {
    func json(_ text: DescriptionText) -> JSON {
        let facts = items.map { item -> JSON in
            [
                "topic": .string(item.topic.rawValue), "name": .string(item.name), "kind": .string(item.kind),
                "distance": .metres(item.metres),
                "bearing": .count(item.degrees.map { Int($0.rounded()) % 360 }),
            ]
        }
        return [
            "latitude": .number(place.latitude), "longitude": .number(place.longitude),
            "radius": .metres(radius), "height": .metres(height), "mapStored": .bool(hasMap),
            "lines": .array(text.lines().map { .string($0) }), "facts": .array(facts),
            "problems": .messages(problems),
        ]
    }
}
