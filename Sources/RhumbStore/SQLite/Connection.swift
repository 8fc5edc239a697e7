internal import CSQLite
internal import Glibc
internal import RhumbCore

/// An open SQLite database. Not thread-safe: protect it with a `Mutex`, or open one per thread.
public final class Connection {
    /// The access mode of a connection.
    public enum Mode: Sendable {
        /// Reads an existing file.
        case readOnly
        /// Reads an existing file that never changes, without locks, ignoring any `-wal` or `-journal`. For
        /// read-only media.
        case immutable
        /// Like `immutable`, but also reads a `-wal` next to the file.
        case immutableWithLog
        /// Reads and writes a file, creating it if missing. Its folder must exist.
        case readWrite
        /// Reads and writes an existing file.
        case existing
        /// A database in memory that is discarded with the connection. The path only names it in errors.
        case inMemory
        /// A complete database file in memory, read in place without copying. It must not be in WAL mode. The
        /// path only names it in errors.
        case mapped(MemoryBytes)
    }

    /// The path as given.
    public let file: String
    let database: OpaquePointer
    /// The maximum cost of a statement's step; nil for no limit.
    var budget: StepBudget?
    /// The background checkpointer; nil if SQLite checkpoints as part of a commit.
    var checkpointer: Checkpointer?
    /// Waits for the locks of other programs.
    let locks: LockHandler

    /// Opens a database.
    /// - Parameter busyTimeout: The maximum wait for another program's lock.
    /// - Throws: `StoreFailure`. A file that isn't a database fails only at the first statement.
    public convenience init(
        _ file: String, _ mode: Mode, busyTimeout: Duration = .seconds(5)
    ) throws(StoreFailure) {
        try self.init(file, mode, LockTimeout(limit: busyTimeout))
    }

    /// Opens a database.
    /// - Throws: `StoreFailure`. A file that isn't a database fails only at the first statement.
    public init(_ file: String, _ mode: Mode, _ lockTimeout: LockTimeout) throws(StoreFailure) {
        if let kind = mode.irregularFile(file) {
            throw StoreFailure(
                code: SQLITE_CANTOPEN, attempt: "open the database", file: file,
                reason: "\(kind) is not a regular file")
        }
        _ = Connection.isConfigured
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(mode.location(file), &opened, mode.flags, mode.system)
        guard code == SQLITE_OK, let opened else {
            let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            let extended = opened.map(sqlite3_extended_errcode) ?? code
            let isFull = opened.map { [ENOSPC, EDQUOT].contains(sqlite3_system_errno($0)) } ?? false
            sqlite3_close_v2(opened)
            throw StoreFailure(
                code: extended, system: isFull ? ENOSPC : nil, attempt: "open the database", file: file,
                reason: reason)
        }
        sqlite3_extended_result_codes(opened, 1)
        database = opened
        self.file = file
        locks = LockHandler(lockTimeout, file)
        waitForLocks(by: locks)
        if case .mapped(let memory) = mode { try map(memory) }
        // Keeps the log's index in memory if no file can be created for it.
        if case .immutableWithLog = mode {
            try execute("PRAGMA locking_mode = EXCLUSIVE", to: "open the database")
        }
    }

    deinit { sqlite3_close_v2(database) }

    /// True if SQLite uses zeroed memory for large blocks, and reserves no pages. When it recovers the index
    /// of a log without valid pages, it writes a block to the file of the index as it was allocated, which
    /// may contain freed texts such as keys.
    private static let isConfigured = rhumb_sqlite_configure() == SQLITE_OK

    /// Maps a database in memory. SQLite expects a writable pointer, but never writes with this flag.
    private func map(_ memory: MemoryBytes) throws(StoreFailure) {
        let start = UnsafeMutableRawPointer(mutating: memory.bytes.baseAddress)?
            .assumingMemoryBound(to: UInt8.self)
        let size = Int64(memory.bytes.count)
        let code = sqlite3_deserialize(
            database, "main", start, size, size, UInt32(SQLITE_DESERIALIZE_READONLY))
        guard code == SQLITE_OK else { throw failure(code, "open the database") }
        // Reads pages in place instead of copying them into a cache.
        try execute("PRAGMA mmap_size = \(size)", to: "open the database")
    }

    /// Prepares one statement with parameters "?1", "?2", ….
    /// - Parameter attempt: The purpose, for error messages ("read a tile").
    public func prepare(_ sql: String, to attempt: String) throws(StoreFailure) -> Statement {
        budget?.restart()
        var compiled: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
        guard code == SQLITE_OK, let compiled else { throw failure(code, attempt) }
        return Statement(compiled, of: self, attempt: attempt)
    }

    /// Executes statements without results, separated by ";".
    public func execute(_ sql: String, to attempt: String) throws(StoreFailure) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, attempt) }
    }

    /// Runs `body` in a transaction that takes the write lock immediately. Rolls back if `body` or the commit
    /// throws.
    public func transaction<Result>(
        to attempt: String, _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try transaction("BEGIN IMMEDIATE", to: attempt, body)
    }

    /// Runs `body` on one state of the database. Reading much in one transaction is faster than each row in
    /// its own.
    func reading<Result>(
        to attempt: String, _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try transaction("BEGIN", to: attempt, body)
    }

    private func transaction<Result>(
        _ begin: String, to attempt: String, _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try execute(begin, to: attempt)
        do {
            let result = try body()
            try execute("COMMIT", to: attempt)
            return result
        } catch {
            sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    /// The number of rows changed by the last INSERT, UPDATE or DELETE.
    public var changedRows: Int { Int(sqlite3_changes64(database)) }

    /// True if the file at the path was moved, deleted or replaced.
    public var hasMoved: Bool {
        var answer: Int32 = 0
        sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
        return answer != 0
    }

    /// The rowid of the last row inserted.
    public var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(database)) }

    func failure(_ code: Int32, _ attempt: String) -> StoreFailure {
        StoreFailure(
            code: code, system: sqlite3_system_errno(database), attempt: attempt, file: file,
            reason: String(cString: sqlite3_errmsg(database)))
    }
}

extension Connection.Mode {
    fileprivate var flags: Int32 {
        switch self {
        case .readOnly, .immutableWithLog: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        case .existing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        case .readWrite, .inMemory, .mapped: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        }
    }

    /// The name of SQLite's VFS; nil for the default. The VFS without locks is only for files that never
    /// change.
    fileprivate var system: String? { if case .immutableWithLog = self { "unix-none" } else { nil } }

    /// Returns the first of a database's files that is a folder, pipe or device, which SQLite would wait for
    /// or write to; nil if there is none.
    fileprivate func irregularFile(_ file: String) -> String? {
        switch self {
        case .inMemory, .mapped: nil
        case .immutable: [file].first { FileFacts($0)?.isFile == false }
        case .readOnly, .immutableWithLog, .existing, .readWrite:
            ["", "-wal", "-journal", "-shm"].map { file + $0 }.first { FileFacts($0)?.isFile == false }
        }
    }

    fileprivate func location(_ file: String) -> String {
        switch self {
        case .inMemory, .mapped: ":memory:"
        case .immutable: "file:" + PercentCoding.encoded(path: file) + "?immutable=1"
        // SQLite treats a path that begins with ":" specially.
        case .readOnly, .immutableWithLog, .existing, .readWrite: file.hasPrefix("/") ? file : "./" + file
        }
    }
}

extension Connection {
    /// Limits the cost of an untrusted file, whose tables may be views that compute endlessly or generate
    /// huge values.
    /// - Parameters:
    ///   - valueBytes: The maximum size of a value or row in bytes; larger ones fail.
    ///   - steps: The approximate maximum number of SQLite VM instructions per row; then the statement fails
    ///     as interrupted. A hundred million take about a second.
    ///   - total: The maximum number for all rows of a statement; nil for no limit.
    package func limit(valueBytes: Int, steps: Int, total: Int? = nil) {
        sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes))
        let budget = StepBudget(steps / StepBudget.unit, total: total.map { $0 / StepBudget.unit } ?? .max)
        self.budget = budget
        sqlite3_progress_handler(
            database, Int32(StepBudget.unit),
            { pointer in
                guard let pointer else { return 0 }
                return Unmanaged<StepBudget>.fromOpaque(pointer).takeUnretainedValue().isSpent() ? 1 : 0
            }, Unmanaged.passUnretained(budget).toOpaque())
    }
}

/// Counts the cost of the steps of a statement, in units.
final class StepBudget {
    /// The number of instructions between two checks.
    static let unit = 100_000

    private let limit: Int, total: Int
    /// The cost of the current step, and of all steps of the statement.
    private var spent = 0, sum = 0

    init(_ limit: Int, total: Int) { (self.limit, self.total) = (limit, total) }

    /// Begins a step.
    func renew() { spent = 0 }

    /// Begins a statement.
    func restart() { (spent, sum) = (0, 0) }

    fileprivate func isSpent() -> Bool {
        spent += 1
        sum += 1
        return spent > limit || sum > total
    }
}
