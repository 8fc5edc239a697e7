internal import Dispatch
internal import RhumbEngine
internal import Synchronization

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
