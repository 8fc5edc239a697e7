@testable import RhumbBrowser
import RhumbCore
import RhumbEngine

extension Effect {
    /// The query of this effect, if it is of a type.
    func query<Q: Query>(_ type: Q.Type) -> Q? {
        if case .query(let query) = self { query.query as? Q } else { nil }
    }

    static func search(_ query: MapSearchQuery) -> Effect { .ask(SearchMap(query: query)) }

    static func onlineSearch(_ query: MapSearchQuery) -> Effect {
        .ask(OnlineSearchQuery(query: query, service: ""))
    }
}

extension [Effect] {
    /// The queries of a type among these effects.
    func queries<Q: Query>(_ type: Q.Type) -> [Q] { compactMap { $0.query(type) } }
}

/// Shorthands for responses to queries.
extension Event {
    static func found(_ outcome: Result<SearchResult, Notice.Problem>, for query: MapSearchQuery) -> Event {
        .response(outcome, to: SearchMap(query: query))
    }

    static func streetLines(_ lines: [[WorldPoint]], of street: FeatureMatch) -> Event {
        .response(lines, to: StreetLinesQuery(street: street))
    }

    static func located(_ bearing: PlaceBearing?, at place: Coordinate) -> Event {
        .response(
            Whereabouts(of: place, settlement: bearing),
            to: SettlementQuery(place: place, minimumImportance: 0))
    }

    static func placeLabels(_ places: [NamedPlace]) -> Event {
        let world = Bounds(west: -180, south: -85, east: 180, north: 85)!
        return .response(places, to: PlaceLabelQuery(bounds: world, minimumImportance: 0, limit: 400))
    }

    static func labels(_ labels: [TileLabels], to question: LabelQuestion) -> Event {
        .response(labels, to: question)
    }

    static func laidOut(_ task: LabelLayoutTask) -> Event { .response(task.outcome(), to: task) }

    /// A placeholder request for responses about routes.
    private static let someRequest = RouteRequest(
        from: Coordinate(latitude: 0, longitude: 0), to: Coordinate(latitude: 1, longitude: 1))

    static func routes(_ outcome: Result<FoundRoute, RouteFailure>, number: Int) -> Event {
        .response(
            outcome, to: RouteQuery(request: someRequest, engines: [], acceptedTerms: nil, number: number))
    }

    static func routeHeights(_ outcome: Result<AttributedHeights, RouteFailure>, number: Int) -> Event {
        .response(outcome, to: RouteHeightsQuery(line: [], engines: [], number: number))
    }

    static func routeLayers(_ layers: [TileLayer]) -> Event {
        let answer = RouteAnswer(
            someRequest, [], provider: "", attribution: "", time: UnixSeconds(0), mayBeStored: false)
        return .response(layers, to: RouteLayersQuery(answer: answer, chosen: 0))
    }

    static func reachableAreas(_ layer: TileLayer) -> Event {
        .response(.success(layer), to: IsochroneQuery(minutes: [], request: someRequest, engines: []))
    }

    static func storedRoutes(_ routes: [FoundRoute]) -> Event { .response(routes, to: StoredRoutesQuery()) }

    static func onlineService(_ name: Result<String, Notice.Problem>) -> Event {
        .response(
            name.map { ServiceOffer(id: "", name: $0, isAccepted: true) },
            to: OnlineServiceQuery(service: ""))
    }

    static func onlineAnswer(
        _ outcome: Result<OnlineSearchAnswer, Notice.Problem>, for query: MapSearchQuery
    ) -> Event {
        .response(outcome, to: OnlineSearchQuery(query: query, service: ""))
    }

    static func bookmarks(_ bookmarks: [Bookmark]) -> Event { .response(bookmarks, to: BookmarkQuery()) }

    static func typedLines(_ lines: LineHistory) -> Event { .response(lines, to: TypedLinesQuery()) }

    static func streets(_ outcome: Result<[TileLayer], Notice.Problem>) -> Event {
        .response(outcome, to: StreetsQuery(name: ""))
    }

    static func storedStreets(_ layers: [TileLayer]) -> Event { .response(layers, to: StoredStreetsQuery()) }

    static func regionPlan(_ plan: Result<RegionPlan, Notice.Problem>, _ draft: RegionDraft) -> Event {
        .response(plan, to: RegionPlanQuery(draft: draft))
    }

    static func downloadRefused(_ plan: Result<RegionPlan, Notice.Problem>, _ draft: RegionDraft) -> Event {
        .response(.refused(plan), to: StartRegion(draft: draft, onlyIfAllowed: true))
    }

    static func packageList(_ list: PackageList) -> Event { .response(list, to: PackageListQuery()) }

    static func packagePlan(
        _ plan: Result<PackageOffer, Notice.Problem>, to query: PackagePlanQuery
    ) -> Event {
        .response(plan, to: query)
    }

    static func packagesDone(_ outcome: Result<String, Notice.Problem>) -> Event {
        .response(outcome, to: PackageAction(.update))
    }

    static func cityLights(_ lights: [Daylight.Light]) -> Event { .response(lights, to: CityLightsQuery()) }

    static func heights(_ heights: [[Float]], from source: String?, for question: HeightQuestion) -> Event {
        .response(HeightQuestion.Response(heights, from: source), to: question)
    }

    static func features(_ outcome: Result<[MapFeature], Notice.Problem>, at place: Coordinate) -> Event {
        .response(
            outcome, to: FeatureQuery(question: FeatureQuestion(place: place, layers: [], zoom: 0), reach: 0))
    }

    static func incidents(
        _ outcome: Result<[TrafficIncident], Notice.Problem>, around place: Coordinate
    ) -> Event {
        .response(outcome, to: IncidentQuery(place: place, radius: 0))
    }

    static func sources(_ choices: [SourceChoice]) -> Event { .response(choices, to: SourceListQuery()) }

    static func completions(_ words: [Completion], _ question: CompletionQuestion) -> Event {
        .response(words, to: question)
    }

    static func styles(_ items: [StyleItem], _ question: StyleQuestion) -> Event {
        .response(items, to: question)
    }

    static func cacheOverview(_ overview: CacheOverview?) -> Event {
        .response(overview, to: CacheOverviewQuery())
    }

    static func cacheItems(_ items: [CacheItem], for selection: CacheSelection) -> Event {
        .response(items, to: CacheListQuery(selection: selection, limit: 500))
    }
}
