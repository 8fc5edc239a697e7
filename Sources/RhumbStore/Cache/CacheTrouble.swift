internal import RhumbCore

/// The errors of the cache and the state of its recovery.
struct CacheTrouble {
    var reported: Set<StoreFailure.Kind> = []
    /// The time before which writes are not retried.
    var restUntil = UnixSeconds(0)
    /// True if a flush is scheduled within milliseconds.
    var isTicking = false
    /// True if a flush is queued to run at once.
    var isHurrying = false
    /// The number of times the file was reopened. Errors from earlier generations are ignored.
    var generation = 0
    var opened: CacheFile.Identity?
    /// The last write error other than a lock.
    var failure: StoreFailure?
    /// True if the file can only be read.
    var isUnwritable = false
}
