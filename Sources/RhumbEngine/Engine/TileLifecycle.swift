/// The state machine of one tile of one layer, as a value. Events go in and effects come out; it never waits,
/// reads or draws.
///
///     idle → queued → loading → done
///                        ↓        ↑ forgotten: back to idle
///                     failed ─────┘ retry is due and still wanted: queued
///
/// Every job has a number, which identifies the response of an abandoned job. The response is stored all the
/// same, because the work is done.
public enum TileLifecycle: Equatable, Sendable {
    case idle
    case queued
    case loading(job: Int)
    case done
    case failed

    /// An event of a tile.
    public enum Event: Equatable, Sendable {
        case wanted
        case unwanted
        case started(job: Int)
        case answered(job: Int)
        case failed(job: Int, retryAfter: Duration)
        case retryDue(isWanted: Bool)
        case forgotten
    }

    /// An action for a tile.
    public enum Effect: Equatable, Sendable {
        case enqueue
        case dequeue
        case cancel(job: Int)
        case store
        case storeFailure
        case scheduleRetry(Duration)
    }

    /// Applies an event, and returns the actions to perform.
    public mutating func apply(_ event: Event) -> [Effect] {
        switch event {
        case .wanted: return want()
        case .unwanted: return drop()
        case .started(let job):
            if self == .queued { self = .loading(job: job) }
            return []
        case .answered(let job): return arrive(job)
        case .failed(let job, let delay): return fail(job, retryAfter: delay)
        case .retryDue(let isWanted): return retry(isWanted)
        case .forgotten:
            if self == .done || self == .failed { self = .idle }
            return []
        }
    }

    private mutating func want() -> [Effect] {
        guard self == .idle else { return [] }
        self = .queued
        return [.enqueue]
    }

    private mutating func drop() -> [Effect] {
        switch self {
        case .queued:
            self = .idle
            return [.dequeue]
        case .loading(let job):
            self = .idle
            return [.cancel(job: job)]
        case .idle, .done, .failed:
            return []
        }
    }

    private mutating func arrive(_ job: Int) -> [Effect] {
        switch self {
        case .loading(let current) where current == job:
            self = .done
            return [.store]
        case .queued:
            self = .done
            return [.dequeue, .store]
        case .loading(let current):
            self = .done
            return [.cancel(job: current), .store]
        case .idle, .failed:
            self = .done
            return [.store]
        case .done:
            return []
        }
    }

    private mutating func fail(_ job: Int, retryAfter delay: Duration) -> [Effect] {
        guard self == .loading(job: job) else { return [] }
        self = .failed
        return [.storeFailure, .scheduleRetry(delay)]
    }

    private mutating func retry(_ isWanted: Bool) -> [Effect] {
        guard self == .failed else { return [] }
        self = .idle
        return isWanted ? want() : []
    }
}
