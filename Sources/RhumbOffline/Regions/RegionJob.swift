public import RhumbStore

/// The download or refresh of a region. Its progress is the region as last written.
public typealias RegionJob = Job<RegionRecord, RegionRecord, RegionStoreFailure>

extension Job where Progress == RegionRecord {
    /// The region as last written.
    public var record: RegionRecord { progress }
}

extension RegionRecord {
    /// Returns the ending of work that leaves the region in this state. A complete region without any tiles
    /// has gaps.
    /// - Parameter stop: The reason why the work was stopped; nil if it wasn't.
    package func ending(stop: JobState.Stop? = nil) -> JobState.Ending {
        if stop == .superseded { return .stopped(.superseded) }
        switch state {
        case .complete: return isEmpty ? .withGaps : .complete
        case .completeWithGaps: return .withGaps
        case .cancelled: return .stopped(.cancelled)
        case .queued, .running, .paused, .waitingForNetwork: return .stopped(.interrupted)
        case .failed: return .failed
        }
    }
}
