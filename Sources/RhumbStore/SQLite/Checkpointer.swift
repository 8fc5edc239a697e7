internal import CSQLite
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Moves what a writer has committed from the write-ahead log into the database, with a connection
/// and on a thread of its own, so that the writer does not wait for the disk meanwhile.
/// See "Checkpointing" in https://www.sqlite.org/wal.html.
final class Checkpointer: Sendable {
    /// Pages in the log that are worth a checkpoint.
    static let worthwhile = 128
    /// Pages in the log at which the writer moves the rest itself. The log begins anew only once
    /// nothing is left in it, which beside a writer that never rests is not to be reached.
    static let limit = 1024

    private let file: String
    private let connection = Mutex<Connection?>(nil)
    private let progress = Mutex(Progress())
    private let queue = DispatchQueue(label: "rhumb.checkpoint", qos: .utility)

    private struct Progress {
        /// Pages in the log.
        var committed = 0
        /// Those from its start that are in the database.
        var moved = 0
        var isRunning = false

        var isDue: Bool { committed - moved >= Checkpointer.worthwhile }
    }

    /// - Parameter file: the database, which must exist once something is committed.
    init(_ file: String) { self.file = file }

    /// Begins a checkpoint where it is worth one. To be told after each commit.
    /// - Parameter pages: how many are in the log.
    func logGrew(to pages: Int) {
        let begins = progress.withLock { progress in
            progress.committed = pages
            // The log may have begun anew.
            if pages < progress.moved { progress.moved = 0 }
            guard !progress.isRunning, progress.isDue else { return false }
            progress.isRunning = true
            return true
        }
        if begins { queue.async { self.checkpoint() } }
    }

    private func checkpoint() {
        let moved = connection.withLock { connection in
            connection = connection ?? connected()
            return connection?.checkpoint() ?? 0
        }
        let goesOn = progress.withLock { progress in
            // Where a reader holds the log, another attempt would be in vain.
            let isAhead = moved > progress.moved
            progress.moved = moved
            progress.isRunning = isAhead && progress.isDue
            return progress.isRunning
        }
        if goesOn { queue.async { self.checkpoint() } }
    }

    /// Nil where the file has gone. One that was set aside while it was opened may have been joined with
    /// the log of its successor.
    private func connected() -> Connection? {
        // SQLite opens the log with the first look into the file.
        guard let connection = try? Connection(file, .existing),
            (try? connection.integer("PRAGMA user_version")) != nil, !connection.hasMoved
        else { return nil }
        return connection
    }
}

extension Connection {
    /// From now on has a thread of its own move what this connection commits into the database.
    func checkpointAside() {
        let checkpointer = Checkpointer(file)
        self.checkpointer = checkpointer
        sqlite3_wal_hook(
            database,
            { context, database, _, pages in
                guard let context else { return SQLITE_OK }
                if pages >= Checkpointer.limit {
                    sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                } else {
                    Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue().logGrew(to: Int(pages))
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(checkpointer).toOpaque())
    }

    /// Moves everything from the log into the database, and gives the log's space back, unless somebody
    /// reads or writes for long.
    func emptyLog() throws(StoreFailure) {
        let clock = ContinuousClock(), start = clock.now
        // SQLite waits for readers and writers, but for nobody else's checkpoint.
        while try integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0, clock.now - start < .seconds(2) { usleep(5000) }
    }

    /// Moves what no reader needs from the log any more, without waiting for anybody.
    /// - Returns: pages from the start of the log that are in the database by now.
    fileprivate func checkpoint() -> Int {
        var moved: Int32 = 0
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, &moved)
        return Int(max(moved, 0))
    }
}
