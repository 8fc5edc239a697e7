internal import Dispatch
internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// The state of the browser at the time of a query.
struct QueryContext: Sendable {
    /// The open maps.
    let layers: [TileLayer]
    let settings: Settings
    var theme = Settings.Theme.night
}

/// Dispatches the browser's queries to handlers by type, on threads that may block.
final class QueryDispatcher: Sendable {
    private typealias Work = @Sendable (any Query, QueryContext) async -> Void

    private struct State {
        var handlers: [ObjectIdentifier: Work] = [:]
        var names: Set<String> = []
        /// The newest query of each type.
        var newest: [ObjectIdentifier: any Query] = [:]
        /// The last task of each lane.
        var lanes: [String: Task<Void, Never>] = [:]
        var running: [Int: Task<Void, Never>] = [:]
        var lastNumber = 0
    }

    private let post: @Sendable (Event) -> Void
    private let state = Mutex(State())

    /// - Parameter post: Receives responses, from any thread.
    init(_ post: @escaping @Sendable (Event) -> Void) { self.post = post }

    /// The types of query that have a handler.
    var handled: Set<String> { state.withLock { $0.names } }

    /// Registers a handler for queries of a type. It may reply several times. Replies to outdated queries are
    /// dropped.
    func handle<Q: Query>(
        _ type: Q.Type,
        _ handler:
            @escaping @Sendable (Q, QueryContext, _ reply: @escaping @Sendable (Q.Response) -> Void) async ->
            Void
    ) {
        state.withLock { [post] state in
            state.names.insert("\(type)")
            state.handlers[ObjectIdentifier(type)] = { query, context in
                guard let query = query as? Q else { return }
                await handler(query, context) { response in
                    if !Task.isCancelled { post(.response(response, to: query)) }
                }
            }
        }
    }

    /// Runs the handler of a query, concurrently with or after earlier queries, depending on its type.
    func submit(_ query: AnyQuery, _ context: QueryContext) { submit(query.query, context) }

    private func submit<Q: Query>(_ query: Q, _ context: QueryContext) {
        state.withLock { state in
            guard let work = state.handlers[ObjectIdentifier(Q.self)] else { return }
            state.newest[ObjectIdentifier(Q.self)] = query
            let last: Task<Void, Never>?, lane: String?
            switch Q.scheduling {
            case .latest(let name):
                lane = name
                last = state.lanes[name]
                last?.cancel()
            case .inOrder(let name):
                lane = name
                last = state.lanes[name]
            case .each:
                lane = nil
                last = nil
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task(executorPreference: BlockingExecutor.shared) { [self] in
                await last?.value
                if !Task.isCancelled, !isOvertaken(query) { await work(query, context) }
                end(number)
            }
            state.running[number] = task
            if let lane { state.lanes[lane] = task }
        }
    }

    private func isOvertaken<Q: Query>(_ query: Q) -> Bool {
        let newest = state.withLock { $0.newest[ObjectIdentifier(Q.self)] } as? Q
        return newest.map(query.isOvertaken) ?? false
    }

    private func end(_ number: Int) {
        state.withLock { _ = $0.running.removeValue(forKey: number) }
    }

    /// Blocks the thread until the queries in a lane are answered.
    /// - Parameter limit: The maximum wait.
    func finish(_ lane: QueryScheduling, within limit: Duration) {
        guard case .inOrder(let name) = lane, let last = state.withLock({ $0.lanes[name] }) else { return }
        let done = DispatchGroup()
        done.enter()
        Task {
            await last.value
            done.leave()
        }
        _ = done.wait(timeout: .now() + limit / .seconds(1))
    }

    /// Waits until no queries are running.
    func waitUntilIdle() async {
        while let task = state.withLock({ $0.running.values.first }) { await task.value }
    }
}

/// Returns the result of work, with its failure as text for the user.
func attempt<Value>(_ work: () async throws -> Value) async -> Result<Value, Notice.Problem> {
    do {
        return .success(try await work())
    } catch {
        return .failure(error as? Notice.Problem ?? Notice.Problem(shown: error))
    }
}
