public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// A store of answers in memory.
public final class MemoryStore: ResponseStore {
    private struct State {
        var responses: [ResourceKey: StoredResponse] = [:]
        var counts: [StoreEvent: Int] = [:]
    }
    private let state = Mutex(State())

    public init() {}

    /// All that is kept.
    public var responses: [ResourceKey: StoredResponse] { state.withLock { $0.responses } }

    public func counted(_ event: StoreEvent) -> Int { state.withLock { $0.counts[event] ?? 0 } }

    public func response(for key: ResourceKey) -> StoredResponse? { state.withLock { $0.responses[key] } }

    public func keep(_ response: StoredResponse, for key: ResourceKey) {
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

    public func count(_ event: StoreEvent, _ number: Int) {
        state.withLock { $0.counts[event, default: 0] += number }
    }
}
