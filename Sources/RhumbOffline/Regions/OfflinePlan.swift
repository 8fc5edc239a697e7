/// A plan of work on offline data: a region, packages, a style pack, or tiles for the cache. It is computed
/// once, shown, and then started. Planning stores nothing but downloaded documents.
public protocol OfflinePlan<Work>: Sendable {
    /// The type of the job.
    associatedtype Work: JobControl

    /// Starts the work as planned.
    /// - Throws: `OfflineFailure`, also if what another process changed meanwhile makes the plan impossible.
    func start() async throws(OfflineFailure) -> Work
}
