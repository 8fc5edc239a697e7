internal import Dispatch
public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// The shared cache: what was fetched, in one SQLite file for all Rhumb processes of a person.
/// Disposable: it keeps within a quota by letting go of what was used least recently.
///
/// Reading takes microseconds and never waits for writing. What is kept can be read at once and
/// is on disk some hundredths of a second later, many answers in one transaction. Trouble with the
/// file never reaches those who read and keep; it is told to `onTrouble`.
public final class SharedCache: ResponseStore {
    /// How it behaves.
    public struct Options: Sendable {
        /// The bytes it may take on disk; 0: nothing is kept.
        public var quota = 50 << 20
        /// Unix seconds.
        public var now: @Sendable () -> UnixSeconds
        /// Told on a thread of its own, once for each trouble.
        public var onTrouble: (@Sendable (CacheFailure) -> Void)?

        public init(now: @escaping @Sendable () -> UnixSeconds = { .now }) { self.now = now }
    }

    public let path: String
    public let options: Options
    /// Counts since this process opened it.
    let session = Mutex<[StoreEvent: Int]>([:])
    private let reader: Mutex<ResponseTable?>
    private let writer: Mutex<CacheWriter?>
    private let pending = Mutex(PendingWrites())
    private let onScreen = Mutex<Set<ResourceKey>>([])
    private let trouble = Mutex(Trouble())
    private let queue = DispatchQueue(label: "rhumb.cache", qos: .utility)

    private struct Trouble {
        var told: Set<StoreFailure.Kind> = []
        /// Writing is not tried before this moment.
        var restUntil = UnixSeconds(0)
        var isTicking = false
    }

    /// Opens the cache, or the one that this process has open already under the same path.
    /// - Throws: `CacheFailure` when the file can neither be used nor set aside.
    public static func open(_ path: String, _ options: Options = Options()) throws(CacheFailure) -> SharedCache {
        try OpenCaches.shared.open(path, options)
    }

    init(opening path: String, _ options: Options) throws(CacheFailure) {
        self.path = path
        self.options = options
        let file = CacheFile(path: path)
        let (writer, notice) = try file.makeWriter()
        self.writer = Mutex(writer)
        reader = Mutex(try file.makeReader())
        if let notice { tell(notice) }
    }

    deinit { flush() }

    // MARK: Reading

    public func response(for key: ResourceKey) -> StoredResponse? {
        let waiting = pending.withLock { $0.writes[key] }
        if case .put(let response) = waiting { return response }
        if case .remove = waiting { return nil }
        guard let found = read({ (table) throws(StoreFailure) in try table?.response(for: key) }) ?? nil
        else { return nil }
        var response = found.0
        if case .prolong(let freshness, let headers) = waiting {
            (response.freshness, response.headers, response.isInvalidated) = (freshness, headers, false)
        }
        let now = options.now()
        if now.seconds(since: found.used) >= SharedCache.useGrain {
            pending.withLock { $0.use(key, at: now) }
            schedule()
        }
        return response
    }

    /// Uses within so many seconds are one.
    private static let useGrain: Int64 = 60

    func read<Result>(
        _ body: (ResponseTable?) throws(StoreFailure) -> sending Result
    ) -> sending Result? {
        do throws(StoreFailure) {
            return try reader.withLock { table throws(StoreFailure) in try body(table) }
        } catch {
            handle(error)
            return nil
        }
    }

    // MARK: Writing

    public func keep(_ response: StoredResponse, for key: ResourceKey) {
        guard options.quota > 0 else { return }
        enqueue(.put(response), for: key)
    }

    public func prolong(_ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders) {
        enqueue(.prolong(freshness, headers), for: key)
    }

    public func forget(_ key: ResourceKey) { enqueue(.remove, for: key) }

    public func count(_ event: StoreEvent, _ number: Int) {
        session.withLock { $0[event, default: 0] += number }
        pending.withLock { $0.count(event, number) }
    }

    /// Says what is looked at now: it is never let go of.
    public func spare(_ keys: Set<ResourceKey>) { onScreen.withLock { $0 = keys } }

    private func enqueue(_ write: PendingWrites.Write, for key: ResourceKey) {
        let isUrgent = pending.withLock { pending in
            pending.set(write, for: key)
            return pending.isUrgent
        }
        // Whoever fills faster than the disk takes it waits here, and memory stays bounded.
        if isUrgent { flush() } else { schedule() }
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

    /// Writes what is waiting, now.
    public func flush() {
        do throws(StoreFailure) {
            try write { (writer) throws(StoreFailure) in
                let batch = pending.withLock { $0.take() }
                guard !batch.isEmpty, mayWrite() else { return }
                do throws(StoreFailure) {
                    let evicted = try writer.write(
                        batch, quota: options.quota, sparing: onScreen.withLock { $0 }, now: options.now())
                    if evicted > 0 { session.withLock { $0[.eviction, default: 0] += evicted } }
                } catch {
                    if error.kind == .busy { pending.withLock { $0.putBack(batch) } }
                    throw error
                }
            }
        } catch {
            handle(error)
        }
    }

    /// Runs `body` with the writer; nothing happens where there is none.
    func write<Result>(
        _ body: (CacheWriter) throws(StoreFailure) -> sending Result
    ) throws(StoreFailure) -> sending Result? {
        try writer.withLock { (writer) throws(StoreFailure) in
            guard let writer else { return nil }
            return try body(writer)
        }
    }

    // MARK: Trouble

    private func mayWrite() -> Bool { trouble.withLock { $0.restUntil <= options.now() } }

    private func handle(_ failure: StoreFailure) {
        switch failure.kind {
        // Another process holds the lock for long: what waits is written with the next tick.
        case .busy: schedule()
        case .corrupt, .notADatabase: startAnew()
        default:
            trouble.withLock { $0.restUntil = options.now().adding(60) }
            let isNews = trouble.withLock { $0.told.insert(failure.kind).inserted }
            if isNews { tell(.notWritten(failure)) }
        }
    }

    /// Sets the damaged file aside and begins a new one.
    private func startAnew() {
        let file = CacheFile(path: path)
        reader.withLock { $0 = nil }
        var notice: CacheFailure?
        writer.withLock { writer in
            writer = nil
            do throws(CacheFailure) {
                notice = try file.quarantineIfDamaged()
                let made = try file.makeWriter()
                writer = made.0
                notice = notice ?? made.1
            } catch {
                notice = error
            }
        }
        reader.withLock { $0 = try? file.makeReader() }
        if let notice { tell(notice) }
    }

    private func tell(_ failure: CacheFailure) {
        guard let onTrouble = options.onTrouble else { return }
        queue.async { onTrouble(failure) }
    }
}
