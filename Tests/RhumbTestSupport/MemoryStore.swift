public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// A store of responses in memory.
public final class MemoryStore: ResponseStore {
    private struct State {
        var responses: [ResourceKey: StoredResponse] = [:]
        var counts: [CacheCounter: Int] = [:]
        var readsOnSharedThreads = 0
    }
    private let state = Mutex(State())

    public init() {}

    /// All stored responses.
    public var responses: [ResourceKey: StoredResponse] { state.withLock { $0.responses } }

    public func counted(_ event: CacheCounter) -> Int { state.withLock { $0.counts[event] ?? 0 } }

    /// The number of reads by tasks that ran on the shared thread pool.
    public var readsOnSharedThreads: Int { state.withLock { $0.readsOnSharedThreads } }

    public func response(for key: ResourceKey) -> StoredResponse? {
        let mayBlock = withUnsafeCurrentTask { task in
            task.map { $0.unownedTaskExecutor == BlockingExecutor.shared.asUnownedTaskExecutor() } ?? true
        }
        return state.withLock { state in
            if !mayBlock { state.readsOnSharedThreads += 1 }
            return state.responses[key]
        }
    }

    public func store(_ response: StoredResponse, for key: ResourceKey) {
        state.withLock { $0.responses[key] = response }
    }

    public func prolong(_ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders) {
        state.withLock { state in
            state.responses[key]?.freshness = freshness
            state.responses[key]?.headers = headers
            state.responses[key]?.isInvalidated = false
        }
    }

    public func forget(_ key: ResourceKey) { state.withLock { $0.responses[key] = nil } }

    public func count(_ event: CacheCounter, _ number: Int) {
        state.withLock { $0.counts[event, default: 0] += number }
    }
}
