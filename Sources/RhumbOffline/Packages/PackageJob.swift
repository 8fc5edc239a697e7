public import RhumbStore

/// A running operation on packages.
public typealias PackageJob = Job<PackageJobProgress, [String], OfflineFailure>

/// The progress of an operation on packages.
public struct PackageJobProgress: Sendable {
    /// The kind of the operation.
    public let operation: PackageOperation
    /// The current package; nil before the first.
    public var package: String?
    /// The number of finished packages, and the number of all.
    public var packages = (done: 0, planned: 0)
    /// The region that stores the current package; nil until its tiles are downloaded.
    public var record: RegionRecord?
    /// The bytes of an archive that is downloaded whole; `planned` is 0 if its size is unknown.
    public var archive = (received: 0, planned: 0)

    init(_ operation: PackageOperation) { self.operation = operation }

    /// The number of the package's processed tiles, and the number of all. A processed tile is stored, absent
    /// or failed.
    public var tiles: (settled: Int, planned: Int) { record.map { ($0.settled, $0.planned) } ?? (0, 0) }
}

extension Job where Progress == PackageJobProgress {
    /// Forwards the progress of a region's download until it ends. The job can't be cancelled after the last
    /// tile.
    /// - Throws: `MapLoaderFailure` if it was cancelled, or the store could not be written.
    func follow(_ region: RegionJob) async throws(MapLoaderFailure) -> RegionRecord {
        let outcome = await follow(region) { update in
            let record = update.progress
            report { $0.record = record }
            if let reason = update.state.waitingReason {
                apply(.disconnect(reason: reason))
            } else {
                apply(record.settled < record.planned ? .begin : .commit)
            }
        }
        do throws(OfflineFailure) { return try outcome.get() } catch { throw MapLoaderFailure(error) }
    }
}
