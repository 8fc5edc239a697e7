internal import Dispatch
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

    /// Loads data of every description on another thread, while the session opens and stored maps are read.
    static func prepare() {
        DispatchQueue.global().async {
            _ = try? EmbeddedPlaces.open()
            OfflineSearchEngine.prepareDescription()
            PlaceDescription.prepareNature()
            Output.prepareKeys()
        }
    }

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
        found.addKnownHeights()
        for layer in layers where layer.isVisible {
            if let live = layer.live { found.add(live.index, named: layer.info.name) }
        }
        found.pictures += pictures(at: place, under: layers)
        await addHeights(to: &found, under: layers)
        return found
    }

    /// Adds the height of the place and those of peaks, where they are unknown.
    private func addHeights(to found: inout PlaceDescription, under layers: [TileLayer]) async {
        do throws(Notice.Problem) {
            let spot = Mercator.world(found.place)
            guard let ground = try await terrain.ground(under: layers, at: [SIMD2(spot.x, spot.y)]) else {
                return
            }
            let peaks = found.items.indices.filter {
                found.items[$0].topic == .peak && found.items[$0].height == nil
            }
            let places = [found.place] + peaks.map { found.items[$0].coordinate ?? found.place }
            let heights = ground.heights(
                at: places.map(Mercator.world).map { SIMD2($0.x, $0.y) }
            ).map { $0.isNaN ? nil : Double($0) }
            found.height = found.height ?? heights.first.flatMap(\.self)
            for (at, peak) in peaks.enumerated() { found.items[peak].height = heights[at + 1] }
        } catch {
            found.problems.append("The height is unknown: \(error.description).")
        }
    }

    /// Returns the names of shown maps and regions that have only pictures at a place.
    private func pictures(at place: Coordinate, under layers: [TileLayer]) -> [String] {
        let shown = layers.filter {
            $0.isVisible && $0.drawing == nil && $0.live == nil && $0.role == .rasterBase
                && $0.boundingBox?.contains(place) ?? true
        }.map(\.info.name)
        let tile = TileID(zoom: 12, containing: Mercator.world(place))
        let regions = ((try? session.regions().store.regions()) ?? []).filter { record in
            record.covers.contains { $0.cover.contains(tile) }
                && record.parts.compactMap(\.definition).contains { !$0.isVector && $0.elevation == nil }
        }.map { "region \($0.id)" }
        return Array(Set(shown + regions)).sorted().map { SafeText.sanitised($0, limit: 60) }
    }
}

/// `rhumb describe`: describes a place and its surroundings in words, from stored data.
enum DescribeCommand {
    static func run(_ invocation: Invocation) async throws -> Int32 {
        if let operand = invocation.operand,
            Files.exists(operand) || OverlayOrigin(operand).map(DescribedFile.isReadable) == true
        {
            return try await DescribedFile(operand).describe(invocation)
        }
        PlaceDescriber.prepare()
        return try await invocation.withSession(asksFirst: false) { session in
            let area = try invocation.searchedArea(session), roads = invocation.roads(session, area)
            let (place, named) = try place(invocation, session, area)
            let describer = PlaceDescriber(
                session: session, terrain: HeightSource(invocation[.terrain], session), roads: roads)
            let radius = try radius(invocation)
            var found = try await withTaskExecutorPreference(BlockingExecutor.shared) {
                try await describer.describe(place, radius: radius, name: named?.name)
            }
            if let named { found.name(named) }
            try await addOverlays(invocation[all: .over], to: &found)
            if let area, area.isImage, case .archive(let path) = area.area {
                found.pictures.append(SafeText.sanitised(path.lastPathName, limit: 60))
            }
            let text = DescriptionText(found, units: units(invocation), heading: invocation[.heading])
            try invocation.print(text.lines(limit: invocation[.lines] ?? 25), found.json(text))
            return found.problems.isEmpty ? ExitStatus.done : ExitStatus.gaps
        }
    }

    static func units(_ invocation: Invocation) -> Settings.Units {
        invocation[.units].flatMap(Settings.Units.init) ?? .metric
    }

    /// Adds the features of the user's overlays that are files. Others need the running map.
    private static func addOverlays(_ specifiers: [String], to found: inout PlaceDescription) async throws {
        for specifier in specifiers {
            guard let origin = OverlayOrigin(specifier), origin.isFile || origin == .standardInput else {
                let name = SafeText.sanitised(specifier, limit: 60)
                found.problems.append(
                    "The overlay \(name) is not a file; only the map and its key i read it.")
                continue
            }
            let file = try await FeatureFile(specifier)
            found.add(OverlayIndex(file.features), named: SafeText.sanitised(file.name, limit: 60))
            file.printFaults()
            if file.faults.count > 0 {
                found.problems.append("Parts of \(SafeText.sanitised(file.name, limit: 60)) can't be read.")
            }
        }
    }

    /// The possible radii in metres.
    private static let radii = 50.0...5000

    /// - Throws: `UsageError`
    private static func radius(_ invocation: Invocation) throws -> Double {
        if let radius = invocation[.radius] {
            guard radii.contains(radius) else { throw UsageError("--radius: expected 50m to 5km") }
            return radius
        }
        guard let box = invocation[.bbox] else { return PlaceDescriber.usualRadius }
        let corner = Coordinate(latitude: box.north, longitude: box.east)
        let radius = box.center.metres(to: corner)
        if radius > radii.upperBound {
            Output.say("rhumb: the box is described within 5 km of its middle; give a smaller one for others")
        }
        return min(max(radius, radii.lowerBound), radii.upperBound)
    }

    /// Returns the place, and the search result of a name; nil for coordinates.
    private static func place(
        _ invocation: Invocation, _ session: MapSession, _ area: SearchedArea?
    ) throws -> (place: Coordinate, named: PlaceLookup.Found?) {
        if let box = invocation[.bbox] { return (box.center, nil) }
        let center = invocation[.center]?.coordinate
        guard let operand = invocation.operand else {
            guard let place = center ?? SavedCamera(Folders(environment: Environment.all))?.load()?.coordinate
            else { throw UsageError("describe: missing PLACE, -c or --bbox") }
            return (place, nil)
        }
        var lookup = PlaceLookup(session, in: area)
        let found = try lookup.place(operand, near: center)
        return (found.coordinate, found)
    }
}

extension PlaceDescription {
    /// Names the feature that the user asked for, unless it is already in the text.
    fileprivate mutating func name(_ found: PlaceLookup.Found) {
        guard let name = found.name, let kind = found.kind,
            !items.contains(where: { $0.metres == nil && $0.topic != .ground && $0.name.contains(name) })
        else { return }
        items.removeAll { $0.topic == .thing }
        items.insert(Item(.thing, name, kind: kind), at: 0)
    }

    func json(_ text: DescriptionText) -> JSON {
        let facts = items.map { item -> JSON in
            [
                "topic": .string(item.topic.rawValue), "name": .string(item.name), "kind": .string(item.kind),
                "distance": .metres(item.metres),
                "bearing": .count(item.degrees.map { Int($0.rounded()) % 360 }),
                "height": .metres(item.height),
            ]
        }
        return [
            "latitude": .number(place.latitude), "longitude": .number(place.longitude),
            "radius": .metres(radius), "height": .metres(height), "mapStored": .bool(hasMap),
            "lines": .array(text.lines().map { .string($0) }), "facts": .array(facts),
            "pictures": .array(pictures.map { .string($0) }), "problems": .messages(problems),
        ]
    }
}
