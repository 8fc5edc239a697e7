internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Handles queries about routes.
struct RouteHandlers: Sendable {
    private let opener: MapOpener
    private let finder: RouteFinder
    private let terrain: HeightSource
    private let history: RouteHistory
    private let terms: AcceptedTerms
    private let report: @Sendable (Notice.Problem) -> Void

    /// - Parameters:
    ///   - terrain: The source of heights that needs no engine.
    ///   - report: Receives problems that are reported in addition to a response.
    init(
        _ session: MapSession, _ opener: MapOpener, _ terrain: HeightSource, _ folders: Folders,
        report: @escaping @Sendable (Notice.Problem) -> Void
    ) {
        let terms = AcceptedTerms(folders)
        self.opener = opener
        self.terrain = terrain
        self.terms = terms
        self.report = report
        history = RouteHistory(folders)
        finder = RouteFinder(
            session.client, opener.catalog, roads: session.roads, configuration: { session.configuration },
            hasAgreed: { terms.holds($0) })
    }

    func register(on dispatcher: QueryDispatcher) {
        dispatcher.handle(RouteQuery.self) { query, _, reply in
            do throws(Notice.Problem) {
                if let source = query.acceptedTerms, let warning = try terms.add(source) { report(warning) }
            } catch {
                report(error)
            }
            await find(query, reply)
        }
        dispatcher.handle(RouteEnginesQuery.self) { [opener, terms] _, _, reply in
            let services = ((try? opener.catalog.routeEngines()) ?? []).filter {
                $0.keys.isEmpty || opener.catalog.missingKey(of: $0) == nil
            }
            reply(
                [ServiceOffer(id: "tiles", name: "the roads of stored maps", isAccepted: true)]
                    + services.map {
                        ServiceOffer($0, isAccepted: !$0.policy.needsAgreement || terms.holds($0.id))
                    })
        }
        dispatcher.handle(ChooseRouteEngines.self) { query, _, reply in
            do throws(RouteFailure) {
                try finder.check(query.engines)
                reply(.success(()))
            } catch {
                reply(.failure(Notice.Problem(FailureText.notice(error))))
            }
        }
        dispatcher.handle(CancelRouteQuery.self) { _, _, _ in }
        dispatcher.handle(StoreRoutes.self) { query, _, _ in store(query.answer) }
        dispatcher.handle(StoredRoutesQuery.self) { _, _, reply in
            let now = UnixSeconds.now
            reply(history.all.map { FoundRoute($0, arrivals: [], age: now.seconds(since: $0.time)) })
        }
        // Each layer has its own id, so that tiles of an earlier one are never shown.
        let drawn = Atomic(0)
        dispatcher.handle(RouteLayersQuery.self) { [opener] query, context, reply in
            reply(
                opener.layers(
                    of: query.answer, chosen: query.chosen, number: drawn.add(1, ordering: .relaxed).newValue,
                    context.theme,
                    over: context.layers))
        }
        dispatcher.handle(IsochroneQuery.self) { query, _, reply in
            reply(
                await Result(awaiting: { () async throws(RouteFailure) in
                    try await layer(of: query, number: drawn.add(1, ordering: .relaxed).newValue)
                }))
        }
        dispatcher.handle(RouteHeightsQuery.self) { query, context, reply in
            reply(
                await Result(awaiting: { () async throws(RouteFailure) in
                    try await terrain.heights(
                        along: query.line, under: context.layers, by: finder, query.engines, report: report)
                }))
        }
        dispatcher.handle(ExportRoute.self) { query, _, reply in
            let path = HomeFolder.expanded(query.file, Environment.all["HOME"])
            do throws(ExportFailure) {
                let bytes = RouteFormat(path)?.bytes(of: query.answer, query.chosen) ?? []
                try Files.write(bytes, to: path, links: .refuse)
                reply(.success(path))
            } catch {
                reply(.failure(Notice.Problem(shown: error)))
            }
        }
    }

    /// Finds routes or, without a network, returns those stored for the same request.
    private func find(_ query: RouteQuery, _ reply: (RouteQuery.Response) -> Void) async {
        let now = UnixSeconds.now
        do throws(RouteFailure) {
            let answer = try await finder.routes(query.request, by: query.engines, now: now)
            reply(.success(found(answer, now)))
            store(answer)
        } catch {
            if error.isOffline, let stored = history.answer(to: query.request) {
                return reply(.success(found(stored, now, age: now.seconds(since: stored.time))))
            }
            reply(.failure(error))
        }
    }

    private func layer(of query: IsochroneQuery, number: Int) async throws(RouteFailure) -> TileLayer {
        let reach = try await finder.reach(
            query.minutes, from: query.request.places[0], query.request, by: query.engines)
        if let remark = reach.remark { report(Notice.Problem(remark)) }
        guard let layer = opener.layer(of: reach, number: number) else {
            throw .nonsense("\(reach.provider): the response has no area to draw")
        }
        return layer
    }

    private func store(_ answer: RouteAnswer) {
        if let warning = history.add(answer) { report(warning) }
    }

    private func found(_ answer: RouteAnswer, _ now: UnixSeconds, age: Int64? = nil) -> FoundRoute {
        let arrivals = answer.routes.map {
            ClockZone.local.text(now.adding(Int64(clamping: $0.duration)), now: now)
        }
        return FoundRoute(answer, arrivals: arrivals, age: age)
    }
}
