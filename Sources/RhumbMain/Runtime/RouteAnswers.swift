internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Answers queries about routes off the loop's thread: one at a time, the latest.
final class RouteAnswers: Sendable {
    private struct State {
        /// By name or address; none: the best there is.
        var engines: [String]
        var work: Task<Void, Never>?
        /// The writing of an accepted agreement, which the next question waits for.
        var agreeing: Task<Void, Never>?
        var drawn = 0
    }

    private let inbox: Inbox
    private let opener: MapOpener
    private let finder: RouteFinder
    private let terrain: HeightSource
    private let log: RouteHistory
    private let agreements: AcceptedTerms
    private let state: Mutex<State>

    /// - Parameters:
    ///   - engines: those asked, by name or address.
    ///   - terrain: tells heights before any engine does.
    init(
        _ session: MapSession, _ opener: MapOpener, engines: [String], _ terrain: HeightSource,
        _ folders: Folders,
        _ inbox: Inbox
    ) {
        self.opener = opener
        self.terrain = terrain
        self.inbox = inbox
        let agreements = AcceptedTerms(folders)
        log = RouteHistory(folders)
        self.agreements = agreements
        finder = RouteFinder(
            session.client, opener.catalog, configuration: { session.configuration },
            hasAgreed: { agreements.holds($0) })
        state = Mutex(State(engines: engines))
    }

    /// - Parameters:
    ///   - theme: the one that maps are drawn in.
    ///   - layers: the maps that are open.
    func answer(_ question: RouteQuestion, _ theme: MapTheme, _ layers: [TileLayer]) {
        switch question {
        case .find(let request, let number): begin { [self] in await find(request, number) }
        case .reach(let minutes, let request): begin { [self] in await reach(minutes, request) }
        case .heights(let line, let number): begin { [self] in await heights(line, number, layers) }
        case .cancel: state.withLock { $0.work?.cancel() }
        case .draw(let answer, let chosen):
            inbox.put(
                .route(
                    .drawn(
                        opener.layers(of: answer, chosen: chosen, number: nextNumber(), theme, over: layers)))
            )
        case .agree(let source): agree(to: source)
        case .stored:
            Task.detached(executorPreference: BlockingExecutor.shared) { [inbox, log] in
                let now = UnixSeconds.now
                inbox.put(
                    .route(
                        .stored(
                            log.all.map { FoundRoute($0, arrivals: [], age: now.seconds(since: $0.time)) }))
                )
            }
        case .store(let answer):
            Task.detached(executorPreference: BlockingExecutor.shared) { [self] in store(answer) }
        case .save(let answer, let chosen, let file): save(answer, chosen, file)
        case .engines(let words): state.withLock { $0.engines = words }
        }
    }

    private func agree(to source: String) {
        let agreeing = Task.detached(executorPreference: BlockingExecutor.shared) { [agreements, inbox] in
            do throws(Notice.Problem) {
                if let warning = try agreements.add(source) { inbox.put(.trouble(warning.description)) }
            } catch {
                inbox.put(.trouble(error.description))
            }
        }
        state.withLock { $0.agreeing = agreeing }
    }

    private func store(_ answer: RouteAnswer) {
        if let warning = log.add(answer) { inbox.put(.trouble(warning.description)) }
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.drawn += 1
            return state.drawn
        }
    }

    private func reach(_ minutes: [Double], _ request: RouteRequest) async {
        do throws(RouteFailure) {
            let reach = try await finder.reach(
                minutes, from: request.places[0], request, by: state.withLock { $0.engines })
            guard let layer = opener.layer(of: reach, number: nextNumber()) else {
                throw .nonsense("\(reach.provider): the response has no area to draw")
            }
            inbox.put(.route(.reached(.success(layer))))
        } catch {
            inbox.put(.route(.reached(.failure(error))))
        }
    }

    private func save(_ answer: RouteAnswer, _ chosen: Int, _ file: String) {
        let path = HomeFolder.expanded(file, Environment.all["HOME"])
        Task.detached(executorPreference: BlockingExecutor.shared) { [inbox] in
            do throws(ExportFailure) {
                try Files.write(RouteFormat(path)?.bytes(of: answer, chosen) ?? [], to: path)
                inbox.put(.saved(.success(path)))
            } catch {
                inbox.put(.saved(.failure(Notice.Problem(error))))
            }
        }
    }

    private func heights(_ line: [Coordinate], _ number: Int, _ layers: [TileLayer]) async {
        do throws(RouteFailure) {
            let heights = try await terrain.heights(
                along: line, under: layers, by: finder, state.withLock { $0.engines }
            ) { [inbox] in
                inbox.put(.trouble($0.description))
            }
            inbox.put(.route(.heights(.success(heights), number: number)))
        } catch {
            inbox.put(.route(.heights(.failure(error), number: number)))
        }
    }

    private func begin(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.work?.cancel()
            state.work = Task.detached(executorPreference: BlockingExecutor.shared) {
                [agreeing = state.agreeing] in
                await agreeing?.value
                await work()
            }
        }
    }

    private func find(_ request: RouteRequest, _ number: Int) async {
        let now = UnixSeconds.now
        do throws(RouteFailure) {
            let answer = try await finder.routes(request, by: state.withLock { $0.engines }, now: now)
            inbox.put(.route(.found(.success(found(answer, now)), number: number)))
            store(answer)
        } catch {
            if case .offline = error, let kept = log.answer(to: request) {
                return inbox.put(
                    .route(
                        .found(.success(found(kept, now, age: now.seconds(since: kept.time))), number: number)
                    )
                )
            }
            inbox.put(.route(.found(.failure(error), number: number)))
        }
    }

    private func found(_ answer: RouteAnswer, _ now: UnixSeconds, age: Int64? = nil) -> FoundRoute {
        FoundRoute(
            answer,
            arrivals: answer.routes.map {
                LocalTime.text(now.adding(Int64($0.duration.rounded())), now: now)
            }, age: age)
    }
}
