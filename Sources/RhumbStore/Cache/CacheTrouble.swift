internal import RhumbCore

/// The problems with writing to the cache, and the state of the writer.
struct CacheTrouble {
    var reported: Set<StoreFailure.Kind> = []
    /// Writing is not tried before this moment.
    var restUntil = UnixSeconds(0)
    /// True if a flush is due within milliseconds.
    var isTicking = false
    /// True if a flush follows as soon as the writer is free.
    var isHurrying = false
    /// The number of times that the file was reopened; damage in an earlier one no longer matters.
    var generation = 0
    var opened: CacheFile.Identity?
    /// The last failure to write other than a lock.
    var failure: StoreFailure?
    /// True if the file can only be read.
    var isUnwritable = false
}
