internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// A region described by the command line.
struct RegionCreation {
    let plan: RegionProposal
    /// A sentence if the user wants heights that don't cover the area; nil otherwise.
    let missingHeights: String?
    /// False if parts of the file of the area could not be read, which was reported.
    let isAreaWhole: Bool

    init(_ command: RegionCommand) async throws {
        let invocation = command.invocation
        let typed = invocation.operand ?? ""
        let old = try? command.store.region(typed)
        let before = try old.map { try $0.readDefinition() },
            area = try await invocation.geometry(), given = area?.geometry ?? before?.geometry
        isAreaWhole = area?.isWhole ?? true
        let place = given == nil ? try RegionPlace(typed) : nil
        let id = try place == nil ? RegionID(typed) : RegionID(from: typed)
        let named = invocation[all: .source]
        let heights = try invocation.heights(invocation.catalog())
        if old != nil, invocation[.terrain] != nil, heights.isIncluded == nil {
            throw UsageError("--terrain needs --heights, too, for an existing region")
        }
        // The command that created a region with heights resumes it, too.
        let previousHeights = heights.isIncluded == nil ? old?.heightsSource(besides: named) : nil
        let hasOtherZooms = invocation[.zooms] != nil || invocation[.scale] != nil
        let usual = before.map { before in before.sources.filter { $0 != previousHeights || !hasOtherZooms } }
        let isUsual =
            named.isEmpty || !hasOtherZooms && named == before?.sources.filter { $0 != previousHeights }
        let specifiers =
            try isUsual ? usual ?? invocation.catalog().downloadSource.map { [$0.id] } ?? [] : named
        guard !specifiers.isEmpty else { throw UsageError("\(invocation.command.text) needs --source") }
        guard let geometry = given ?? place?.geometry else {
            throw UsageError(
                "no place is called \"\(SafeText.sanitised(typed, limit: 60))\"; \(invocation.command.text) needs an area: "
                    + "--bbox, --geojson, --around or --along")
        }
        let zooms =
            try invocation[.zooms].map { try ZoomRange($0.lowerBound, $0.upperBound) } ?? before?.zooms
            ?? place?.zooms
        guard let zooms else { throw UsageError("\(invocation.command.text) needs --zooms, such as 8-14") }
        var definition = try RegionDefinition(
            id: id, name: invocation[.name] ?? before?.name ?? (place == nil ? "" : typed),
            metadata: try invocation.metadata() ?? before?.metadata ?? .null, geometry: geometry,
            zooms: zooms, sources: specifiers,
            features: before?.features
                ?? invocation.layerConfiguration().enabledFeatures.map(\.name).sorted(),
            scale: invocation[.scale] ?? before?.scale ?? 1,
            packing: invocation[.wholePacks]
                ? .wholePacks : invocation[.exact] ? .exact : before?.packing ?? .exact)
        definition.tilesets = try invocation.tilesets(of: definition, before)
        definition.style = invocation[.style].map(StyleChoice.init(text:)) ?? before?.style ?? .standard
        // An existing region stays as it is.
        plan = try await command.queue.plan(
            definition, heights: previousHeights ?? heights.specifier,
            isIncluded: heights.isIncluded ?? (old == nil ? nil : previousHeights != nil),
            isPermitted: invocation[.permitted])
        missingHeights = heights.isIncluded == true ? plan.gapInHeights(of: heights.specifier) : nil
        let isOwn = specifiers.contains(heights.specifier)
        if heights.isIncluded == nil, old == nil, !isOwn, let size = plan.cost.size(of: heights.specifier) {
            Output.note(
                "rhumb: includes heights from \(heights.name), ≈ \(size.text); omit them with --no-heights")
        }
        for source in plan.sources
        where place == nil && source.specifier != heights.specifier && source.specifier != previousHeights {
            _ = try zooms.limited(
                to: source.layer.dataZooms, source: source.layer.info.name,
                isAssumed: source.hasAssumedZooms)
        }
    }
}

extension RegionProposal {
    /// Returns a sentence if a source of heights doesn't cover the region's area; nil if it does.
    fileprivate func gapInHeights(of specifier: String) -> String? {
        guard let source = sources.first(where: { $0.specifier == specifier }),
            let box = source.definition.bounds
        else {
            return nil
        }
        let tiles = cost.sources.first { $0.id == specifier }?.counts.total ?? 0
        let name = SafeText.sanitised(source.layer.info.name, limit: 80)
        let advice = "choose another source with --terrain"
        guard tiles > 0 else {
            return "\(name) has no heights in this area, so none are stored; \(advice)"
        }
        let area = definition.geometry.bounds
        let corners = [
            Coordinate(latitude: area.south, longitude: area.west),
            Coordinate(latitude: area.south, longitude: area.east),
            Coordinate(latitude: area.north, longitude: area.west),
            Coordinate(latitude: area.north, longitude: area.east),
        ]
        // Sources end where their projection does.
        let isCovered = corners.allSatisfy { corner in
            box.contains(
                Coordinate(
                    latitude: min(max(corner.latitude, -Mercator.latitudeLimit), Mercator.latitudeLimit),
                    longitude: corner.longitude))
        }
        return isCovered ? nil : "\(name) has heights in only a part of this area; \(advice)"
    }
}

extension RegionRecord {
    /// Returns the source of a region's heights; nil if it has none, or if it is one of those named.
    fileprivate func heightsSource(besides named: [String]) -> String? {
        guard let sources = definition?.sources, sources.count > 1, let last = sources.last,
            !named.contains(last), parts.contains(where: { $0.definition?.elevation != nil })
        else { return nil }
        return last
    }
}

/// The area and zooms of a region named after a place, as in `region add florence`.
private struct RegionPlace {
    let geometry: RegionGeometry
    let zooms: ZoomRange

    /// The maximum width in metres of an area that includes all street zooms.
    private static let widestCity = 200_000.0

    /// Looks up a place, and prints which one was found.
    /// - Returns: nil if no town, country or well-known place has exactly that name.
    init?(_ name: String) throws {
        guard let found = try EmbeddedPlaces.open().town(named: name) else { return nil }
        let place = found, width = place.viewWidth
        let title = [place.name, place.whereabouts].filter { !$0.isEmpty }.joined(separator: ", ")
        Output.note(
            "rhumb: using the area of \(SafeText.sanitised(title, limit: 120)); choose another with --bbox or --around"
        )
        geometry = try .circle(around: place.coordinate, radius: min(width / 2, RegionGeometry.largestRadius))
        zooms = try ZoomRange(MapOpener.lowestStreetZoom, width <= Self.widestCity ? 15 : 11)
    }
}

extension Invocation {
    /// Returns the source of the heights to download, and true or false if the options include or exclude
    /// them.
    func heights(_ catalog: SourceCatalog) throws -> (specifier: String, name: String, isIncluded: Bool?) {
        if self[.terrain] != nil, self[.noHeights] {
            throw UsageError("--terrain and --no-heights exclude each other")
        }
        let source = HeightSourceItem.all(self[.terrain], catalog)[0]
        return (source.specifier, source.name, self[.noHeights] ? false : self[.heights] ? true : nil)
    }

    /// Returns the tilesets of a region with additional zooms. If the options change neither the zooms, the
    /// scale nor the sources, returns the previous tilesets.
    fileprivate func tilesets(
        of definition: RegionDefinition, _ before: RegionDefinition?
    ) throws -> [ZoomTileset] {
        let further = self[all: .alsoZooms]
        guard !further.isEmpty else {
            guard let before, self[.zooms] == nil, self[.scale] == nil, before.sources == definition.sources
            else { return [] }
            return before.tilesets
        }
        guard self[.zooms] != nil else { throw UsageError("--also-zooms needs --zooms, too") }
        let ranges =
            [(zooms: definition.zooms, scale: definition.scale)] + (try further.map(Invocation.range))
        return try definition.sources.flatMap { source in
            try ranges.map { try ZoomTileset(source: source, zooms: $0.zooms, scale: $0.scale) }
        }
    }

    /// Parses "5-6@2".
    private static func range(_ text: String) throws -> (zooms: ZoomRange, scale: Int) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count <= 2, let scale = parts.count == 2 ? Int(parts[1]) : 1, (1...2).contains(scale),
            (1...2).contains(ends.count), let lowest = ends[0], let highest = ends[ends.count - 1]
        else { throw UsageError("--also-zooms takes zooms, such as 12-13 or 5-6@2, not \"\(text)\"") }
        return (try ZoomRange(lowest, highest), scale)
    }

    /// Returns the area given by the options; nil if there is none. Parts of a file that can't be read are
    /// reported, and the area is not whole then.
    /// - Parameter width: The width of a corridor in metres if the options don't give it.
    func geometry(
        width defaultWidth: Double? = nil
    ) async throws -> (geometry: RegionGeometry, isWhole: Bool)? {
        if let box = self[.bbox] { return (try .box(box), true) }
        if let file = self[.geoJSON] ?? self[.areaFile] {
            return (try RegionGeometry(geoJSONText: Files.contents(file, limit: 64 << 20)), true)
        }
        if let place = self[.around] {
            guard let radius = self[.radius] else { throw UsageError("--around needs --radius, such as 5km") }
            return (try .circle(around: place.coordinate, radius: radius), true)
        }
        guard let file = self[.along] else { return nil }
        guard let width = self[.width] ?? defaultWidth else {
            throw UsageError("--along needs --width, such as 2km")
        }
        let isGeoJSON = [".geojson", ".json"].contains { file.lowercased().hasSuffix($0) }
        guard !isGeoJSON else {
            let geometry = try RegionGeometry(geoJSONText: Files.contents(file, limit: 64 << 20))
            return (try geometry.widened(to: width), true)
        }
        let found = try await FeatureFile(file)
        if let reason = found.emptiness { throw Notice.Problem(reason) }
        found.printFaults()
        return (try RegionGeometry(found.features).widened(to: width), found.faults.count == 0)
    }

    /// Returns the metadata given by the options; nil if there is none.
    func metadata() throws -> JSON? {
        guard let text = self[.metadata] else { return nil }
        return try converting(JSON.parse(Array(text.utf8))) { (error: JSONFailure) in
            UsageError("--metadata must be JSON: \(error)")
        }
    }
}

extension ParsedLocation {
    /// Parses a time span such as "90s", "30min", "12h" or "30d" into seconds; nil if invalid.
    static func seconds(_ text: String) -> Int64? {
        let units: [(String, Int64)] = [("min", 60), ("s", 1), ("h", 3600), ("d", 86_400), ("w", 604_800)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let number = Int64(text.dropLast(unit.count)), number >= 0 else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: seconds)
            return overflow ? nil : product
        }
        return nil
    }
}
