internal import CSQLite
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Checkpoints a database in the background: copies committed pages from the write-ahead log into the
/// database, on a separate connection and thread, so that the writer doesn't wait for the disk. See
/// "Checkpointing" in https://www.sqlite.org/wal.html.
final class Checkpointer: Sendable {
    /// The number of log pages that triggers a checkpoint.
    static let threshold = 128
    /// The number of log pages at which the writer checkpoints, too. The log restarts only after a complete
    /// checkpoint, which the background never reaches while the writer is busy.
    static let logLimit = 1024
    /// The number of log pages, of 16 KiB each, at which the writer also waits for a background checkpoint,
    /// such as on a slow disk.
    static let longestLog = logLimit + threshold

    /// The number of log pages at which a commit to the disk also checkpoints.
    static let durableLogLimit: Int32 = 512
    /// The free space in bytes below which each commit to the disk also checkpoints.
    static let leastSpace = 32 << 20
    /// The free space in bytes that stored data leaves, so that data can be removed.
    static let reserve = 1 << 20

    private let file: String
    private let connection = Mutex<Connection?>(nil)
    private let progress = Mutex(Progress())
    private let queue = DispatchQueue(label: "rhumb.checkpoint", qos: .utility)

    private struct Progress {
        /// The number of pages in the log.
        var committed = 0
        /// The number of log pages, from the start, that are in the database.
        var checkpointed = 0
        /// The number of times the log has restarted.
        var generation = 0
        var isRunning = false

        var isDue: Bool { committed - checkpointed >= Checkpointer.threshold }
    }

    /// - Parameter file: The database, which must exist after the first commit.
    init(_ file: String) { self.file = file }

    /// Starts a checkpoint if one is due. Called after each commit.
    /// - Parameters:
    ///   - pages: The number of pages in the log.
    ///   - written: The number of pages written for the commit, at least the number added to the log.
    func logGrew(to pages: Int, by written: Int) {
        let begins = progress.withLock { progress in
            let hasBegunAnew = pages < progress.committed + written
            if hasBegunAnew {
                progress.checkpointed = 0
                progress.generation += 1
            }
            progress.committed = pages
            guard !progress.isRunning, progress.isDue else { return false }
            progress.isRunning = true
            return true
        }
        if begins { queue.async { self.checkpoint() } }
    }

    /// Checkpoints on the writer's connection, after a commit.
    /// - Parameter pages: The number of pages in the log.
    func checkpoint(_ writer: OpaquePointer?, pages: Int) {
        func checkpoint() { sqlite3_wal_checkpoint_v2(writer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
        guard pages >= Checkpointer.longestLog else { return checkpoint() }
        connection.withLock { _ in checkpoint() }
    }

    private func checkpoint() {
        let generation = progress.withLock(\.generation)
        let checkpointed = connection.withLock { connection in
            connection = connection ?? openConnection()
            return connection?.checkpoint() ?? 0
        }
        let goesOn = progress.withLock { progress in
            // After a restart, these pages may belong to the previous log.
            let hasBegunAnew = progress.generation != generation
            // A reader may block the remaining pages, so retrying at once wouldn't help.
            let isProgress = hasBegunAnew || checkpointed > progress.checkpointed
            if !hasBegunAnew { progress.checkpointed = checkpointed }
            progress.isRunning = isProgress && progress.isDue
            return progress.isRunning
        }
        if goesOn { queue.async { self.checkpoint() } }
    }

    /// Opens a connection; nil if the file is gone or was moved in the meantime. The log may then belong to
    /// its replacement.
    private func openConnection() -> Connection? {
        // SQLite opens the log on the first read.
        guard let connection = try? Connection(file, .existing),
            (try? connection.integer("PRAGMA user_version")) != nil, !connection.hasMoved
        else { return nil }
        return connection
    }
}

extension Connection {
    /// Checkpoints later commits of this connection in the background.
    func checkpointInBackground() {
        let checkpointer = Checkpointer(file)
        self.checkpointer = checkpointer
        sqlite3_wal_hook(
            database,
            { context, database, _, pages in
                guard let context else { return SQLITE_OK }
                let checkpointer = Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue()
                var written = Int32(0)
                var unused = Int32(0)
                sqlite3_db_status(database, SQLITE_DBSTATUS_CACHE_WRITE, &written, &unused, 1)
                if pages >= Checkpointer.logLimit { checkpointer.checkpoint(database, pages: Int(pages)) }
                checkpointer.logGrew(to: Int(pages), by: Int(written))
                return SQLITE_OK
            }, Unmanaged.passUnretained(checkpointer).toOpaque())
    }

    /// Checkpoints as part of commits: when the log is long, and always on a nearly full disk. A full disk
    /// has no room to copy the log into the database, so neither the log nor removed rows could be reused.
    func checkpointInCommits() {
        sqlite3_wal_hook(
            database,
            { context, database, _, pages in
                guard let context else { return SQLITE_OK }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                if pages >= Checkpointer.durableLogLimit || connection.isDiskNearlyFull {
                    sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Fails if data would fill the disk, with the log and the database. A removal needs some space, too.
    /// Must be called outside a transaction, because it empties the log if that could make room.
    /// - Parameter bytes: The size of the data.
    func requireSpace(for bytes: Int, to attempt: String) throws(StoreFailure) {
        func isShort() -> Bool {
            DiskSpace.bytes(beside: file).map { $0 / 2 < bytes + Checkpointer.reserve / 2 } ?? false
        }
        guard bytes > 0, isShort() else { return }
        // The log keeps its length after a checkpoint; SQLite then overwrites it from its start.
        try emptyLog()
        guard isShort() else { return }
        throw StoreFailure(code: SQLITE_FULL, attempt: attempt, file: file, reason: "little space is left")
    }

    private var isDiskNearlyFull: Bool {
        DiskSpace.bytes(beside: file).map { $0 < Checkpointer.leastSpace } ?? false
    }

    /// Copies the whole log into the database and truncates it. Gives up after two seconds if another
    /// connection keeps reading or writing.
    func emptyLog() throws(StoreFailure) {
        let clock = ContinuousClock(), start = clock.now
        // SQLite waits for readers and writers, but not for another connection's checkpoint.
        while try integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0, clock.now - start < .seconds(2) {
            usleep(5000)
        }
    }

    /// Copies the log into the database and truncates it, as far as other connections allow without waiting,
    /// if this connection has written. Connections are not closed at the end of the program, so SQLite
    /// doesn't do so itself.
    func finish() {
        guard sqlite3_total_changes(database) > 0 else { return }
        sqlite3_busy_timeout(database, 0)
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    /// Checkpoints as many pages as possible without waiting.
    /// - Returns: The number of pages, from the start of the log, that are in the database.
    fileprivate func checkpoint() -> Int {
        var checkpointed: Int32 = 0
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, &checkpointed)
        return Int(max(checkpointed, 0))
    }
}
