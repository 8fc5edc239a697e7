internal import Dispatch
public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// The shared cache of responses, in one SQLite file for all Rhumb processes of a user. Disposable: it stays
/// within a quota by evicting the least recently used entries.
///
/// Reads take microseconds and never wait for writes. A new response is readable at once and is written to
/// disk some hundredths of a second later, many in one transaction. File errors never reach callers that read
/// or store; they are reported to `onTrouble`.
public final class SharedCache: ResponseStore {
    /// The settings of the cache.
    public struct Options: Sendable {
        /// The maximum size on disk in bytes; 0 to store nothing. Nil for `usualQuota`, or for the quota of
        /// the cache if it is already open in this process.
        public var quota: Int?
        /// Returns the current time.
        public var now: @Sendable () -> UnixSeconds
        /// The policy for waiting for locks of other programs.
        public var lockTimeout = LockTimeout()
        /// Receives errors on the cache's queue; a write error only once per kind.
        public var onTrouble: (@Sendable (CacheFailure) -> Void)?

        /// Creates settings with the default quota and a clock.
        public init(now: @escaping @Sendable () -> UnixSeconds = { .now }) { self.now = now }
    }

    /// The default quota: 50 MiB.
    public static let usualQuota = 50 << 20

    /// The path of the cache.
    public let path: String
    /// The settings at opening.
    let options: Options
    private let room: Mutex<Int>
    /// The event counts since this process opened the cache.
    let session = Mutex<[CacheCounter: Int]>([:])
    private let reader: Mutex<ResponseTable?>
    private let writer: Mutex<CacheWriter?>
    let pending = Mutex(PendingWrites())
    let onScreen = Mutex<Set<ResourceKey>>([])
    let limits = Mutex<[TileOrigin: Int]>([:])
    let roomWaiters = RoomWaiters()
    let trouble = Mutex(CacheTrouble())
    let queue = DispatchQueue(label: "rhumb.cache", qos: .utility)

    /// Opens the cache, or returns the open one of this process for the same path, with the quota of the
    /// options if they have one.
    /// - Throws: `CacheFailure` if the file can neither be used nor renamed.
    public static func open(
        _ path: String, _ options: Options = Options()
    ) throws(CacheFailure) -> SharedCache {
        try OpenCaches.shared.open(path, options)
    }

    init(opening path: String, _ options: Options) throws(CacheFailure) {
        self.path = path
        self.options = options
        room = Mutex(max(options.quota ?? SharedCache.usualQuota, 0))
        writer = Mutex(nil)
        reader = Mutex(nil)
        let notice = try writer.withLock { (writer) throws(CacheFailure) in try connect(&writer) }
        if let notice { report(notice) }
    }

    deinit { flush() }

    /// The maximum size on disk in bytes, for all users of the cache in this process. Setting a smaller one
    /// evicts the least recently used entries before it returns; 0 removes all entries, and stores no others.
    public var quota: Int {
        get { room.withLock { $0 } }
        set {
            let old = room.withLock { room in
                defer { room = max(newValue, 0) }
                return room
            }
            guard newValue < old else { return }
            let generation = trouble.withLock { $0.generation }
            do throws(StoreFailure) { try trim() } catch { handle(error, generation) }
        }
    }

    // MARK: Reading

    /// Returns the stored response for a key; nil if there is none.
    public func response(for key: ResourceKey) -> StoredResponse? {
        let waiting = pending.withLock { $0.waiting(for: key) }
        if case .put(let response) = waiting { return response }
        if case .remove = waiting { return nil }
        guard let found = read({ (table) throws(StoreFailure) in try table?.response(for: key) }) ?? nil
        else { return nil }
        var response = found.0
        if case .prolong(let freshness, let headers) = waiting {
            response.freshness = freshness
            response.headers = headers
            response.isInvalidated = false
        }
        let now = options.now()
        if now.seconds(since: found.used) >= SharedCache.useGrain {
            pending.withLock { $0.use(key, at: now) }
            schedule()
        }
        return response
    }

    /// Returns the editions of a source with stored responses.
    public func editions(of origin: TileOrigin) -> [TileEdition] {
        read { (table) throws(StoreFailure) in try table?.editions(of: origin) ?? [] } ?? []
    }

    /// The interval in seconds within which repeated uses are not recorded.
    private static let useGrain: Int64 = 60

    func read<Result>(
        _ body: (ResponseTable?) throws(StoreFailure) -> sending Result
    ) -> sending Result? {
        let generation = trouble.withLock { $0.generation }
        do throws(StoreFailure) {
            return try reader.withLock { table throws(StoreFailure) in try body(table) }
        } catch {
            handle(error, generation)
            return nil
        }
    }

    // MARK: Writing

    /// Stores a response. It is written soon, together with others.
    public func store(_ response: StoredResponse, for key: ResourceKey) {
        let quota = quota
        guard quota > 0 else { return }
        // A body beyond the quota would only evict everything else.
        let fits = response.body?.count ?? 0 <= quota
        enqueue(fits ? .put(response) : .remove, for: key)
    }

    /// Updates the freshness of a response after successful revalidation.
    public func prolong(_ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders) {
        enqueue(.prolong(freshness, headers), for: key)
    }

    /// Removes a response.
    public func forget(_ key: ResourceKey) { enqueue(.remove, for: key) }

    /// Limits the bytes that a source may store.
    public func limit(_ origin: TileOrigin, to bytes: Int) { limits.withLock { $0[origin] = bytes } }

    /// Adds to an event count for the statistics.
    public func count(_ event: CacheCounter, _ number: Int) {
        session.withLock { $0[event, default: 0] += number }
        pending.withLock { $0.count(event, number) }
    }

    /// Sets the keys on screen, which are not evicted.
    public func protect(_ keys: Set<ResourceKey>) { onScreen.withLock { $0 = keys } }

    private func enqueue(_ write: PendingWrites.Write, for key: ResourceKey) {
        let pressure = pending.withLock { pending in
            pending.set(write, for: key)
            return pending.pressure
        }
        if pressure == .none { schedule() } else { hurry() }
    }

    /// Returns once there is room for more pending writes, immediately if there already is.
    public func waitForRoom() async {
        guard isTooFull else { return }
        await withCheckedContinuation { continuation in
            roomWaiters.add(continuation)
            // The writes may have been taken before the waiter was added.
            if isTooFull { hurry() } else { roomWaiters.admitAll() }
        }
    }

    private var isTooFull: Bool { pending.withLock { $0.pressure == .tooFull } }

    /// Flushes on the queue, so that callers can continue fetching.
    private func hurry() {
        let isFirst = trouble.withLock { trouble in
            defer { trouble.isHurrying = true }
            return !trouble.isHurrying
        }
        guard isFirst else { return }
        queue.async { [weak self] in
            guard let self else { return }
            trouble.withLock { $0.isHurrying = false }
            flush()
        }
    }

    private func schedule() {
        let isFirst = trouble.withLock { trouble in
            defer { trouble.isTicking = true }
            return !trouble.isTicking
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(30)) { [weak self] in
            guard let self else { return }
            trouble.withLock { $0.isTicking = false }
            flush()
        }
    }

    /// Runs `body` with the writer; nil if there is none.
    func write<Result>(
        _ body: (CacheWriter) throws(StoreFailure) -> sending Result
    ) throws(StoreFailure) -> sending Result? {
        try writer.withLock { (writer) throws(StoreFailure) in
            guard let writer else { return nil }
            return try body(writer)
        }
    }

    // MARK: Errors

    func mayWrite() -> Bool { trouble.withLock { $0.restUntil <= options.now() } }

    func handle(_ failure: StoreFailure, _ generation: Int) {
        switch failure.kind {
        // Another process holds the lock for long. Pending writes are retried on the next tick.
        case .busy: schedule()
        case _ where failure.isAboutContent: startAnew(after: generation)
        default:
            trouble.withLock { trouble in
                trouble.restUntil = options.now().adding(60)
                trouble.failure = failure
            }
            let isNews = trouble.withLock { $0.reported.insert(failure.kind).inserted }
            if isNews { report(.notWritten(failure)) }
        }
    }

    /// Renames the file, unless another process has, and creates a new one. If that fails, nothing more is
    /// stored.
    func startAnew(after generation: Int) {
        let notice = writer.withLock { writer -> CacheFailure? in
            guard trouble.withLock({ $0.generation == generation }) else { return nil }
            writer = nil
            reader.withLock { $0 = nil }
            trouble.withLock { $0.generation += 1 }
            do throws(CacheFailure) {
                let opened = trouble.withLock { $0.opened }
                let setAside = try CacheFile(path: path, lockTimeout: options.lockTimeout).quarantine(
                    opened, "damaged")
                let notice = try connect(&writer)
                return setAside ?? notice
            } catch {
                return error
            }
        }
        if let notice { report(notice) }
    }

    /// Opens the same file for writing and reading, even if another process renames it meanwhile.
    /// - Returns: A problem with the file; nil if there is none.
    private func connect(_ writer: inout sending CacheWriter?) throws(CacheFailure) -> CacheFailure? {
        let file = CacheFile(path: path, lockTimeout: options.lockTimeout)
        var problem: CacheFailure?
        for attemptsLeft in stride(from: 10, through: 0, by: -1) {
            let (made, notice) = try file.makeWriter(), isUnwritable = made == nil
            writer = made
            problem = problem ?? notice
            trouble.withLock { trouble in
                trouble.isUnwritable = isUnwritable
                if case .notWritten(let failure)? = notice { trouble.failure = failure }
            }
            let failure = openReader(of: file, isUnwritable: isUnwritable)
            let hasMoved = writer?.connection.hasMoved ?? false
            if let failure, attemptsLeft == 0 || !(hasMoved || failure.isPassing) {
                // On a full disk, the writer created an empty file.
                if case .notWritten(let cause)? = notice, cause.kind == .diskFull { throw .notWritten(cause) }
                throw failure
            }
            if failure == nil && !hasMoved { break }
        }
        trouble.withLock { $0.opened = file.identity }
        return problem
    }

    private func openReader(of file: CacheFile, isUnwritable: Bool) -> CacheFailure? {
        reader.withLock { reader in
            do throws(CacheFailure) {
                reader = try file.makeReader(isUnwritable: isUnwritable)
                return nil
            } catch {
                return error
            }
        }
    }

    private func report(_ failure: CacheFailure) {
        guard let onTrouble = options.onTrouble else { return }
        queue.async { onTrouble(failure) }
    }
}

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

/// The tasks that wait because they fetch faster than the disk writes.
final class RoomWaiters: Sendable {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    func add(_ waiter: CheckedContinuation<Void, Never>) { waiting.withLock { $0.append(waiter) } }

    /// Resumes all waiting tasks.
    func admitAll() {
        let waiters = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Writing the pending responses.
extension SharedCache {
    /// Writes all pending responses now.
    public func flush() { _ = flushed() }

    /// Writes all pending responses now.
    /// - Throws: `CacheFailure` if this or an earlier write has failed.
    public func save() throws(CacheFailure) {
        let failure = flushed() ?? trouble.withLock(\.failure)
        if let failure { throw .notWritten(failure) }
    }

    /// - Returns: The write error; nil for success.
    private func flushed() -> StoreFailure? {
        let generation = trouble.withLock { $0.generation }
        // Waiting tasks must also resume if the write fails.
        defer { roomWaiters.admitAll() }
        do throws(StoreFailure) {
            if try write({ (writer) in writer.connection.hasMoved }) == true { startAnew(after: generation) }
            let written: Void? = try write { (writer) throws(StoreFailure) in
                let batch = pending.withLock { $0.take() }
                roomWaiters.admitAll()
                defer { pending.withLock { $0.end() } }
                guard !batch.isEmpty, mayWrite() else { return }
                try write(batch, with: writer)
                try writer.giveBackSpace(over: quota)
            }
            // Without a writer, pending responses are dropped.
            if written == nil { pending.withLock { $0 = PendingWrites() } }
            return nil
        } catch {
            handle(error, generation)
            return error
        }
    }

    /// Writes all pending responses and waits until all failures so far are reported.
    public func finish() {
        flush()
        queue.sync {}
    }

    private func write(_ batch: PendingWrites, with writer: CacheWriter) throws(StoreFailure) {
        let room = CacheWriter.Room(
            quota: quota, limits: limits.withLock { $0 }, onScreen: onScreen.withLock { $0 })
        do throws(StoreFailure) {
            let evicted = try writer.write(batch, room, now: options.now())
            if evicted > 0 { session.withLock { $0[.eviction, default: 0] += evicted } }
        } catch {
            if error.kind == .busy { pending.withLock { $0.putBack(batch) } }
            throw error
        }
    }
}
