internal import Glibc
public import RhumbCore
internal import Synchronization

/// A command to the process that works on a region.
public enum WorkerCommand: String, Sendable { case none = "", pause, resume, cancel }

/// The process that works on each region. Others can watch it and send it commands.
extension RegionStore {
    /// The seconds of silence after which a worker counts as gone.
    private static let silence: Int64 = 10

    /// Claims a region for this store, in order to work on it.
    /// - Throws: `RegionStoreFailure.busy` if this or another running process has claimed it.
    public func claim(_ region: RegionRecord, at now: UnixSeconds) throws(RegionStoreFailure) {
        let own = Int(getpid())
        guard claimed.withLock({ $0.insert(region.number).inserted }) else {
            throw .busy(region: region.id, process: own)
        }
        do throws(RegionStoreFailure) {
            if let holder = try take(region.number, at: now) {
                throw .busy(region: region.id, process: holder)
            }
        } catch {
            _ = claimed.withLock { $0.remove(region.number) }
            throw error
        }
    }

    /// - Returns: The process that holds the region, if it is another running one; nil if this process now
    ///   holds it.
    private func take(_ region: Int, at now: UnixSeconds) throws(RegionStoreFailure) -> Int? {
        let own = Int(getpid())
        return try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "lock a region") { () throws(StoreFailure) -> Int? in
                if let other = try writer.connection.worker(of: region), other.process != own,
                    other.isAlive(at: now, RegionStore.silence)
                {
                    return other.process
                }
                try writer.connection.run(
                    "INSERT OR REPLACE INTO workers VALUES (@region, @process, @now, '')",
                    ["region": region, "process": own, "now": Int(now.value)])
                return nil
            }
        }
    }

    /// Reports that this process is still working on a region.
    /// - Returns: The command that another process sent, returned only once; nil if another process has taken
    ///   over the region.
    /// - Throws: `RegionStoreFailure`
    public func beat(_ region: Int, at now: UnixSeconds) throws(RegionStoreFailure) -> WorkerCommand? {
        let own = Int(getpid())
        return try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "continue a region") {
                () throws(StoreFailure) -> WorkerCommand? in
                guard let worker = try writer.connection.worker(of: region), worker.process == own else {
                    return nil
                }
                try writer.connection.run(
                    "UPDATE workers SET beat = @now, wish = '' WHERE region = @region",
                    ["region": region, "now": Int(now.value)])
                return worker.command
            }
        }
    }

    /// Writes data of a region in one transaction. If this store has claimed the region, the claim must still
    /// hold.
    /// - Throws: `RegionStoreFailure.lost` if another process has taken over or removed the region. Nothing
    ///   is written then.
    func write<Result: Sendable>(
        region: Int, to attempt: String, _ body: (RegionWriter) throws(StoreFailure) -> Result
    ) throws(RegionStoreFailure) -> Result {
        let isClaimed = claimed.withLock { $0.contains(region) }, own = Int(getpid())
        let result = try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: attempt) { () throws(StoreFailure) -> Result? in
                if isClaimed, try writer.connection.worker(of: region)?.process != own { return nil }
                return try body(writer)
            }
        }
        guard let result else { throw .lost(region: region) }
        return result
    }

    /// Releases the claim on a region.
    /// - Throws: `RegionStoreFailure`
    public func release(_ region: Int) throws(RegionStoreFailure) {
        defer { _ = claimed.withLock { $0.remove(region) } }
        try write { (writer) throws(StoreFailure) in
            try writer.connection.run(
                "DELETE FROM workers WHERE region = @region AND process = @process",
                ["region": region, "process": Int(getpid())])
        }
    }

    /// Sends a command to the process that works on a region.
    /// - Returns: True if a process is working on the region.
    /// - Throws: `RegionStoreFailure`
    public func send(
        _ command: WorkerCommand, of region: Int, at now: UnixSeconds
    ) throws(RegionStoreFailure) -> Bool {
        try write { (writer) throws(StoreFailure) in
            guard let worker = try writer.connection.worker(of: region),
                worker.isAlive(at: now, RegionStore.silence)
            else { return false }
            try writer.connection.run(
                "UPDATE workers SET wish = @command WHERE region = @region",
                ["region": region, "command": command.rawValue])
            return true
        }
    }

    /// Returns the id of the process that works on a region; nil if none does.
    public func worker(of region: Int, at now: UnixSeconds) -> Int? {
        let worker =
            (try? read { (table) throws(StoreFailure) in try table.connection.worker(of: region) }) ?? nil
        guard let worker, worker.isAlive(at: now, RegionStore.silence) else { return nil }
        return worker.process
    }
}

private struct Worker {
    let process: Int
    let beat: UnixSeconds
    let command: WorkerCommand

    func isAlive(at now: UnixSeconds, _ silence: Int64) -> Bool {
        now.seconds(since: beat) < silence && isRunning
    }

    /// True if its process exists, even if it has not reported for a long time.
    var isRunning: Bool { isThere && !isZombie }

    private var isThere: Bool { kill(pid_t(truncatingIfNeeded: process), 0) == 0 || errno == EPERM }

    /// True if the process has ended and its parent has not waited for it.
    private var isZombie: Bool {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return false }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 512)
        text.removeLast(text.count - fread(&text, 1, text.count, file))
        // The state follows the process name, which is in parentheses and may itself contain parentheses.
        guard let end = text.lastIndex(of: UInt8(ascii: ")")), end + 2 < text.count else { return false }
        return text[end + 2] == UInt8(ascii: "Z")
    }
}

extension Connection {
    /// Returns true if the process that claimed a region still exists.
    func hasLivingWorker(_ region: Int) throws(StoreFailure) -> Bool {
        try worker(of: region)?.isRunning ?? false
    }

    fileprivate func worker(of region: Int) throws(StoreFailure) -> Worker? {
        let statement = try prepare(
            "SELECT process, beat, wish FROM workers WHERE region = ?1", to: "find a process")
        try statement.bind(1, region)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return Worker(
            process: statement.int(0) ?? 0, beat: UnixSeconds(Int64(statement.int(1) ?? 0)),
            command: WorkerCommand(rawValue: statement.text(2) ?? "") ?? .none)
    }
}
