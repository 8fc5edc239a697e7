internal import RhumbCore

/// What is in the way of writing to the cache, and what is being done about it.
struct CacheTrouble {
    var reported: Set<StoreFailure.Kind> = []
    /// Writing is not tried before this moment.
    var restUntil = UnixSeconds(0)
    /// Whether a flush comes within milliseconds.
    var isTicking = false
    /// Whether a flush comes as soon as the writer is free.
    var isHurrying = false
    /// How often the file was opened anew: who met damage in an earlier one need not care.
    var generation = 0
    var opened: CacheFile.Identity?
    /// The last failure to write other than a lock.
    var failure: StoreFailure?
    /// True if the file can only be read.
    var isUnwritable = false
}
