public import RhumbCore

/// A change of offline content by this process. Packages consist of regions and have the same events.
public enum OfflineEvent: Sendable {
    /// The progress, the rate or the state of a region changed.
    case progress(RegionRecord)
    /// The work on a region ended: the region is complete, has gaps, waits, failed or was cancelled.
    case ended(RegionRecord)
    /// The queued download of a region could not be started.
    case refused(id: String, any Error)
    /// A region was removed.
    case removed(id: String)
    /// The area of a region changed.
    case geometryChanged(RegionRecord)
    /// The name or the metadata of a region changed.
    case metadataChanged(RegionRecord)
    /// A part of the store can't be read. Sent once.
    case damaged(RegionStoreFailure)
    /// A style pack was stored or replaced.
    case stylePackStored(StylePack)
    /// A style pack was removed.
    case stylePackRemoved(address: String)
}

extension OfflineEvent: CustomStringConvertible {
    /// The event with the id and the state of its region, or the address of its style.
    public var description: String {
        switch self {
        case .progress(let record): "progress: \(record)"
        case .ended(let record): "ended: \(record)"
        case .refused(let id, let failure): "refused: \(SafeText.sanitised(id)): \(failure)"
        case .removed(let id): "removed: \(SafeText.sanitised(id))"
        case .geometryChanged(let record): "area changed: \(record)"
        case .metadataChanged(let record): "metadata changed: \(record)"
        case .damaged(let failure): "damaged: \(failure)"
        case .stylePackStored(let pack): "style pack stored: \(pack)"
        case .stylePackRemoved(let address): "style pack removed: \(SafeText.sanitised(address))"
        }
    }
}

extension RegionStore {
    /// Returns all events of this store from now on. Unread events are buffered, so a caller that stops
    /// reading must release the stream.
    public func events() -> AsyncStream<OfflineEvent> { observers.stream() }

    /// Sends an event to all observers.
    package func post(_ event: OfflineEvent) { observers.send(event) }

    func postChanges(of record: RegionRecord, since old: RegionRecord?) {
        guard let old = old?.definition, let new = record.definition else { return }
        if old.geometry != new.geometry { post(.geometryChanged(record)) }
        if old.metadata != new.metadata || old.name != new.name { post(.metadataChanged(record)) }
    }
}
