internal import CSQLite
internal import Glibc
internal import RhumbCore
internal import Synchronization

/// The policy for waiting for database locks of other programs: bounded, reported and cancellable.
public final class LockTimeout: Sendable {
    /// A lock that another program has held for more than a second.
    public struct Wait: Error, Equatable, Sendable, CustomStringConvertible {
        /// The file of the database.
        public let file: String

        public var description: String {
            "Waiting for another process that is writing to \(SafeText.sanitised(file)) …"
        }
    }

    private let limit: Duration
    private let onWait: (@Sendable (Wait) -> Void)?
    /// The deadline of all waits; nil if each has its own.
    private let end = Mutex<ContinuousClock.Instant?>(nil)
    /// The time after which a wait is reported.
    private static let silence = Duration.seconds(1)

    /// - Parameters:
    ///   - limit: The maximum wait for one lock, after which the operation fails as `busy`.
    ///   - onWait: Called on the waiting thread, once for each wait that lasts longer than a second.
    public init(limit: Duration = .seconds(5), onWait: (@Sendable (Wait) -> Void)? = nil) {
        self.limit = limit
        self.onWait = onWait
    }

    /// Sets a deadline from now for current and future waits.
    public func expire(in time: Duration) { end.withLock { $0 = .now + time } }

    /// One wait for a lock of a file.
    struct Turn {
        private let lockTimeout: LockTimeout
        private let file: String
        private let start = ContinuousClock.now
        private var isReported = false

        init(_ lockTimeout: LockTimeout, _ file: String) {
            self.lockTimeout = lockTimeout
            self.file = file
        }

        /// Sleeps for some milliseconds, and reports a long wait once.
        /// - Returns: False if the time limit has passed.
        mutating func sleep(milliseconds: UInt32) -> Bool {
            let now = ContinuousClock.now, end = lockTimeout.end.withLock(\.self)
            guard now < min(start + lockTimeout.limit, end ?? start + lockTimeout.limit) else { return false }
            if now - start > LockTimeout.silence, !isReported {
                isReported = true
                lockTimeout.onWait?(Wait(file: file))
            }
            usleep(milliseconds * 1000)
            return true
        }
    }
}

/// The busy handler of a connection, called while another program holds a lock.
final class LockHandler {
    let lockTimeout: LockTimeout
    private let file: String
    private var turn: LockTimeout.Turn?
    /// True to wait for locks; false to fail at once.
    var waits = true
    /// SQLite's default delays in milliseconds.
    private static let steps: [UInt32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    init(_ lockTimeout: LockTimeout, _ file: String) { (self.lockTimeout, self.file) = (lockTimeout, file) }

    /// - Parameter count: The number of earlier calls for the same lock.
    fileprivate func goesOn(_ count: Int) -> Bool {
        guard waits else { return false }
        if count == 0 { turn = LockTimeout.Turn(lockTimeout, file) }
        return turn?.sleep(milliseconds: Self.steps[min(count, Self.steps.count - 1)]) ?? false
    }
}

extension Connection {
    func waitForLocks(by handler: LockHandler) {
        sqlite3_busy_handler(
            database,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<LockHandler>.fromOpaque(context).takeUnretainedValue().goesOn(Int(count))
                    ? 1 : 0
            }, Unmanaged.passUnretained(handler).toOpaque())
    }
}
