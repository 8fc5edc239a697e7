internal import Rhumb
internal import RhumbBrowser

extension QueryDispatcher {
    /// Registers a handler for each type of query.
    /// - Parameters:
    ///   - terrain: The source of ground heights.
    ///   - report: Receives problems that are reported in addition to a response.
    func register(
        _ session: MapSession, _ opener: MapOpener, _ terrain: HeightSource, _ recent: RecentSources?,
        home: String?, report: @escaping @Sendable (Notice.Problem) -> Void
    ) {
        registerPlaces(session.search, session.offlineSearch)
        registerCache(session)
        registerTiles(session)
        registerLabels(session.fetcher)
        handle(HeightQuestion.self) { question, context, reply in
            reply(await terrain.heights(for: question, under: context.layers, report: report))
        }
        handle(PlaceHeightQuery.self) { query, context, reply in
            let world = Mercator.world(query.place), place = SIMD2(world.x, world.y)
            let ground = try? await terrain.ground(under: context.layers, at: [place])
            let metres = ground?.heights(at: [place]).first
            reply(metres.flatMap { $0.isNaN ? nil : Double($0) })
        }
        let describer = PlaceDescriber(session: session, terrain: terrain)
        handle(DescriptionQuery.self) { query, context, reply in
            reply(try? await describer.describe(query.place, under: context.layers))
        }
        handle(OverlayNamesQuery.self) { query, context, reply in reply(query.matches(in: context.layers)) }
        handle(TrackQuery.self) { query, context, reply in reply(query.track(in: context.layers)) }
        handle(IncidentQuery.self) { [traffic = session.traffic] query, _, reply in
            do throws(TrafficFailure) {
                reply(.success(try await traffic.incidents(around: query.place, radius: query.radius)))
            } catch {
                reply(.failure(Notice.Problem(shown: error)))
            }
        }
        handle(FeatureQuery.self) {
            [fetcher = session.fetcher, traffic = session.traffic] query, context, reply in
            let layers = context.layers + traffic.layers
            let sources = query.question.layers.compactMap { LayerFeatures($0, layers, fetcher) }
            if !sources.isEmpty { reply(query.features(of: sources)) }
        }
        handle(SourceListQuery.self) { _, _, reply in reply(SourceChoices.list(opener.catalog, recent)) }
        handle(StreetsQuery.self) { query, context, reply in
            do throws(MapOpenFailure) {
                reply(.success(try await opener.openStreets(query.name, theme: context.theme)))
            } catch {
                reply(.failure(Notice.Problem(shown: error)))
            }
        }
        handle(StoredStreetsQuery.self) { _, context, reply in
            guard let regions = try? session.regions().store.regions() else { return }
            reply(await opener.openStoredStreets(regions, theme: context.theme))
        }
        let words = OutsideWords(opener: opener, recent: recent, home: home)
        handle(CompletionQuestion.self) { question, _, reply in reply(words.completions(question)) }
        let samples = StyleSamples(session: session, opener: opener)
        handle(StyleQuestion.self) { question, context, reply in
            await samples.draw(question, context, reply)
        }
        handle(StylePackListQuery.self) { _, _, reply in
            reply(await attempt { try OfflineManager(session, opener).allStylePacks() })
        }
        handle(ChangeStylePack.self) { change, _, reply in
            reply(await attempt { try await change.perform(with: try OfflineManager(session, opener)) })
        }
    }

    private func registerPlaces(_ places: any PlaceSearch, _ search: OfflineSearchEngine) {
        handle(SearchMap.self) { map, _, reply in
            do throws(SearchFailure) {
                reply(.success(try search.search(map.query)))
            } catch {
                reply(.failure(Notice.Problem(shown: error)))
            }
        }
        handle(StreetLinesQuery.self) { query, _, reply in reply(search.lines(of: query.street)) }
        // The search itself reports a gazetteer that can't be read.
        handle(SettlementQuery.self) { query, _, reply in
            let known = try? places.known(near: query.place, minimumImportance: query.minimumImportance)
            reply(Whereabouts(of: query.place, settlement: known ?? nil))
        }
        handle(PlaceLabelQuery.self) { query, _, reply in reply(query.answer(from: places)) }
        handle(CityLightsQuery.self) { _, _, reply in reply(places.lights) }
    }
}

extension PlaceLabelQuery {
    /// Returns the places for labels; empty if they can't be read.
    func answer(from places: any PlaceSearch) -> [NamedPlace] {
        (try? places.places(in: bounds, minimumImportance: minimumImportance, limit: limit)) ?? []
    }
}

extension FeatureQuery {
    /// Returns the features at the place from all layers, or a problem if no layer has any.
    fileprivate func features(of sources: [LayerFeatures]) -> Result<[MapFeature], Notice.Problem> {
        var found: [[MapFeature]] = [], problem: Notice.Problem?
        for source in sources {
            do throws(TileFailure) {
                found.append(
                    try source.features(
                        at: Mercator.world(question.place), zoom: question.zoom, reach: reach))
            } catch {
                problem = problem ?? Notice.Problem(shown: error)
            }
        }
        let merged = MapFeature.merged(found)
        return merged.isEmpty ? problem.map { .failure($0) } ?? .success([]) : .success(merged)
    }
}

extension HeightSource {
    /// Returns the heights along the lines of a query.
    fileprivate func heights(
        for question: HeightQuestion, under layers: [TileLayer], report: (Notice.Problem) -> Void
    ) async -> HeightQuestion.Response {
        do throws(Notice.Problem) {
            let found = try await heights(along: question.paths.map(\.points), under: layers)
            return HeightQuestion.Response(
                found.heights, from: found.ground?.name, gapReason: found.gapReason)
        } catch {
            report(error)
            return HeightQuestion.Response(question.paths.map { _ in [] }, from: nil)
        }
    }
}

extension PlaceSearch {
    /// The importance above which a district is replaced by its city, because the view is too wide for
    /// districts.
    private static var sectionImportance: Double { 2 }
    /// The distance in metres beyond which no city has districts.
    private static var largestReach: Double { 60_000 }

    /// Returns the settlement that describes the location of a point: the nearest one of that importance, or
    /// the city of which it is a district.
    func known(
        near point: Coordinate, minimumImportance least: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing? {
        let found = try nearest(to: point, minimumImportance: least)
        guard let place = found?.place, least > Self.sectionImportance else { return found }
        // Other districts, larger than this one, may be nearer than the city.
        var larger = place
        while let city = try nearest(to: point, minimumImportance: larger.importance + 0.45),
            city.metres < Self.largestReach
        {
            if CityDistrict.isSection(place, of: city.place) { return city }
            larger = city.place
        }
        return found
    }

    /// The lights of the world's cities; empty if they can't be read.
    var lights: [Daylight.Light] {
        let world = Bounds(west: -180, south: -90, east: 180, north: 90)
        let cities = world.flatMap { try? places(in: $0, minimumImportance: 5, limit: 8000) } ?? []
        return Daylight.lights(of: cities)
    }
}

extension ChangeStylePack {
    /// Returns the outcome as one sentence.
    fileprivate func perform(with manager: OfflineManager) async throws -> String {
        switch kind {
        case .load: return try await "Stored \(manager.loadStylePack(for: style).value())"
        case .remove:
            try manager.removeStylePack(for: style)
            return "Removed the style \(SafeText.sanitised(style))"
        }
    }
}
