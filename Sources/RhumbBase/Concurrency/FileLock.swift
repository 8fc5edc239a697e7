internal import Glibc

/// The locks of files and folders across processes (`flock`). They exclude only callers of this type. The
/// system releases a lock when its descriptor is closed, and thus when the process ends.
package enum FileLock {
    /// The outcome of an attempt.
    package enum Outcome {
        case held
        /// Another process, or another descriptor of this process, holds the lock.
        case heldElsewhere
        /// The file is not open, or its file system has no locks.
        case unavailable
    }

    /// Takes the lock of an open file or folder.
    /// - Parameters:
    ///   - isShared: True for a lock that several may hold at once.
    ///   - limit: The maximum wait for other holders; nil for no limit.
    @discardableResult
    package static func take(
        _ descriptor: Int32, isShared: Bool = false, waitingUpTo limit: Duration? = .zero
    ) -> Outcome {
        let kind = isShared ? LOCK_SH : LOCK_EX, end = limit.map { ContinuousClock.now + $0 }
        while flock(descriptor, end == nil ? kind : kind | LOCK_NB) != 0 {
            let fault = errno
            guard fault == EWOULDBLOCK || fault == EINTR else { return .unavailable }
            if let end, ContinuousClock.now >= end { return .heldElsewhere }
            if fault == EWOULDBLOCK { usleep(2000) }
        }
        return .held
    }

    /// Releases the lock, so that the file stays open.
    package static func release(_ descriptor: Int32) { flock(descriptor, LOCK_UN) }
}
