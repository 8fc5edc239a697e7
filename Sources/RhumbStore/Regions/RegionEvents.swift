internal import RhumbCore
internal import Synchronization

/// What happens to a region in this process.
public enum RegionEvent: Sendable, Equatable {
    /// More of it is there, or it stands otherwise.
    case progress(RegionRecord)
    /// The work on it came to its end: it is complete, has gaps, waits, failed or was cancelled.
    case finished(RegionRecord)
    case removed(id: String)
    case geometryChanged(RegionRecord)
    /// Its name or what is kept with it is another.
    case metadataChanged(RegionRecord)
}

extension RegionStore {
    /// What happens to regions through this store, from now on. Nothing is left out, so that whoever
    /// does not read should let go of it.
    public func events() -> AsyncStream<RegionEvent> { observers.stream() }

    /// Tells all who listen.
    package func post(_ event: RegionEvent) { observers.post(event) }

    func postChanges(of record: RegionRecord, since old: RegionRecord?) {
        guard let old = old?.definition, let new = record.definition else { return }
        if old.geometry != new.geometry { post(.geometryChanged(record)) }
        if old.metadata != new.metadata || old.name != new.name { post(.metadataChanged(record)) }
    }
}

/// Those who want to hear of events.
final class RegionObservers: Sendable {
    private struct State {
        var last = 0
        var streams: [Int: AsyncStream<RegionEvent>.Continuation] = [:]
    }
    private let state = Mutex(State())

    func stream() -> AsyncStream<RegionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: RegionEvent.self)
        let number = state.withLock { state in
            state.last += 1
            state.streams[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
        return stream
    }

    func post(_ event: RegionEvent) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(event) }
    }

    deinit { for stream in state.withLock({ $0.streams.values }) { stream.finish() } }
}
