internal import RhumbCore
internal import Synchronization

/// An event of a region in this process.
public enum RegionEvent: Sendable, Equatable {
    /// Its progress or state changed.
    case progress(RegionRecord)
    /// The work on it ended: it is complete, has gaps, waits, failed or was cancelled.
    case finished(RegionRecord)
    case removed(id: String)
    case geometryChanged(RegionRecord)
    /// The name or the metadata changed.
    case metadataChanged(RegionRecord)
}

extension RegionStore {
    /// Returns all events of regions in this store from now on. Unread events are buffered, so a caller that
    /// stops reading must release the stream.
    public func events() -> AsyncStream<RegionEvent> { observers.stream() }

    /// Sends an event to all observers.
    package func post(_ event: RegionEvent) { observers.post(event) }

    func postChanges(of record: RegionRecord, since old: RegionRecord?) {
        guard let old = old?.definition, let new = record.definition else { return }
        if old.geometry != new.geometry { post(.geometryChanged(record)) }
        if old.metadata != new.metadata || old.name != new.name { post(.metadataChanged(record)) }
    }
}

/// The observers of region events.
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
