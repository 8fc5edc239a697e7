internal import Dispatch
internal import RhumbCore

/// The jobs that read tiles. They run on the layer's own threads, a few at a time, each within the layer's
/// timeout.
extension TileEngine {
    /// Starts as many queued tiles as their layers have room for, the nearest first.
    func startJobs() {
        guard let view, !queued.isEmpty else { return }
        let next = queued.sorted { (rank(of: $0), $0.tile) < (rank(of: $1), $1.tile) }
        for key in next {
            if ahead.contains(key), !mayDrawAhead { continue }
            guard let layer = view.layers.first(where: { $0.id == key.layer }) else { continue }
            if work.isStuck(layer.id) || work.isLost(key) {
                refuse(key, of: layer)
            } else if work.hasRoom(for: key) {
                start(key, of: layer)
            }
        }
    }

    private func rank(of key: TileKey) -> Int { wanted[key] ?? .max }

    private func start(_ key: TileKey, of layer: TileLayer) {
        let number = work.nextNumber()
        let queue = work.queue(of: layer.id)
        let isStoredOnly = substitutes.contains(key)
        let reader = TileReader(
            layer: layer, decoder: decoder, fetcher: fetcher, seen: partToDraw(of: key, layer),
            isStoredOnly: isStoredOnly)
        let request = TileRequest(tile: layer.dataTile(for: key.tile), of: layer) { outcome in
            queue.async {
                let reading = reader.reading(of: outcome, for: key.tile)
                Task { await self.finish(number, key, with: reading) }
            }
        }
        queued.remove(key)
        work.begin(
            TileJob(
                key: key, request: request, isStoredOnly: isStoredOnly, timer: timer(of: number, layer)),
            number: number)
        apply(.started(job: number), to: key)
        queue.async {
            let reading = reader.read(request, for: key.tile)
            Task { await self.returned(number, key, with: reading, reader) }
        }
    }

    /// Handles the return of a layer's thread from its source.
    private func returned(
        _ number: Int, _ key: TileKey, with reading: TileReading, _ reader: TileReader
    ) {
        work.leaveSource(number)
        switch reading {
        case .promised: startJobs()
        case .fetch: fetch(number, key, reader)
        case .ready, .absent, .failed, .unchanged: finish(number, key, with: reading)
        }
    }

    /// Ends a job. A tile that arrives after its job was abandoned is still stored.
    private func finish(_ number: Int, _ key: TileKey, with reading: TileReading) {
        let job = work.end(number)
        job?.timer?.cancel()
        if work.isOutdated(number, of: key.layer) { return askAnew(key) }
        if case .failed = reading, job?.isStoredOnly == true, !substitutes.contains(key) {
            return askAnew(key)
        }
        if job?.fetch != nil, let mark = reading.outcome?.mark { noteAsked(key, mark) }
        switch reading {
        case .ready, .absent: apply(.answered(job: number), to: key, storing: reading.outcome)
        case .failed(let failure):
            apply(
                .failed(job: number, retryAfter: failure.retryAfter), to: key, storing: reading.outcome)
        case .promised, .fetch, .unchanged: break
        }
        if reading.outcome?.mark.drawnPart != nil { checkPart(of: key) }
        startJobs()
        if let mark = reading.outcome?.mark, mark.standing != .current { startRefreshes() }
        noteIdleness()
    }

    private func askAnew(_ key: TileKey) {
        apply(.unwanted, to: key)
        if wanted[key] != nil { apply(.wanted, to: key) }
        startJobs()
        noteIdleness()
    }

    private func fetch(_ number: Int, _ key: TileKey, _ reader: TileReader) {
        guard work.jobs[number] != nil else { return startJobs() }
        guard let fetcher else {
            let failure = TileFailure(
                .offline, "\(reader.layer.info.name) \(key.tile): needs the network, which is off")
            return finish(number, key, with: .failed(failure))
        }
        let want = WantedTile(
            layer: reader.layer, tile: key.tile, urgency: .visible(view: viewNumber))
        let task = Task.detached {
            let reading: TileReading
            do throws(TileFailure) {
                reading = reader.reading(
                    of: try await fetcher.fetch(want, holdsStored: false), for: key.tile)
            } catch {
                reading = .failed(error)
            }
            await self.finish(number, key, with: reading)
        }
        work.setFetch(task, of: number)
    }

    /// Abandons a tile that left the view while it was requested. A thread inside the source finishes its
    /// work; everything else is cancelled.
    func abandon(_ number: Int) {
        guard !work.isInSource(number), let job = work.end(number) else { return }
        job.timer?.cancel()
        job.fetch?.cancel()
        job.request.cancel()
    }

    private func timer(of number: Int, _ layer: TileLayer) -> Task<Void, Never> {
        Task {
            guard (try? await clock.sleep(layer.timeout)) != nil else { return }
            giveUp(number, layer)
        }
    }

    private func giveUp(_ number: Int, _ layer: TileLayer) {
        guard let job = work.jobs[number] else { return }
        job.fetch?.cancel()
        job.request.cancel()
        let failure = TileFailure(
            .timedOut, "\(layer.info.name) \(job.key.tile): no response within \(layer.timeout)")
        finish(number, job.key, with: .failed(failure))
    }

    private func refuse(_ key: TileKey, of layer: TileLayer) {
        let number = work.nextNumber()
        queued.remove(key)
        apply(.started(job: number), to: key)
        let failure = TileFailure(
            .timedOut, "\(layer.info.name): the source does not respond; \(key.tile) was not requested")
        apply(
            .failed(job: number, retryAfter: failure.retryAfter), to: key,
            storing: (.failed(failure), TileMark()))
    }
}

/// The request of one tile.
struct TileJob {
    let key: TileKey
    let request: TileRequest
    /// True if the tile is only looked up in the stores.
    let isStoredOnly: Bool
    /// Ends the job when the layer's timeout has passed.
    var timer: Task<Void, Never>?
    /// Fetches a URL answer.
    var fetch: Task<Void, Never>?
}

/// The work in flight: the jobs, and the threads that are inside a source.
struct WorkInFlight {
    /// The maximum number of concurrent requests to the source of a layer.
    static let width = 4
    /// The maximum number of tiles of one layer that are being fetched. The fetcher decides their order.
    static let fetchWidth = 64
    /// The number of threads blocked in a source at which the layer is no longer read.
    static let stuckLimit = 4

    private(set) var jobs: [Int: TileJob] = [:]
    private var inSource: [Int: TileKey] = [:]
    private var queues: [TileLayer.ID: DispatchQueue] = [:]
    private var last = 0
    /// The last job of each layer before it was reloaded.
    private var outdated: [TileLayer.ID: Int] = [:]

    /// The tiles that are being requested.
    var keys: some Sequence<TileKey> { jobs.values.lazy.map(\.key) }

    /// Returns the layer's own queue, so that a source that blocks uses no threads of others.
    mutating func queue(of layer: TileLayer.ID) -> DispatchQueue {
        if let queue = queues[layer] { return queue }
        // Of a class of its own: libdispatch has few threads per class on Linux, and sources block them while
        // they wait for tasks of the usual class.
        let queue = DispatchQueue(
            label: "rhumb.layer.\(layer)", qos: .userInteractive, attributes: .concurrent)
        queues[layer] = queue
        return queue
    }

    /// Removes the queues of removed layers.
    mutating func forgetQueues(except present: Set<TileLayer.ID>) {
        queues = queues.filter { present.contains($0.key) }
        outdated = outdated.filter { present.contains($0.key) }
    }

    /// Marks the jobs of a reloaded layer as outdated.
    mutating func outdate(_ layer: TileLayer.ID) { outdated[layer] = last }

    func isOutdated(_ number: Int, of layer: TileLayer.ID) -> Bool { number <= outdated[layer] ?? 0 }

    func hasRoom(for key: TileKey) -> Bool {
        let layers = jobs.values.filter { $0.key.layer == key.layer }
        return layers.count { $0.fetch == nil } < Self.width && layers.count < Self.fetchWidth
            && !inSource.values.contains(key)
    }

    /// Returns true if a layer has lost as many threads as allowed.
    func isStuck(_ layer: TileLayer.ID) -> Bool {
        inSource.count { jobs[$0.key] == nil && $0.value.layer == layer } >= Self.stuckLimit
    }

    /// Returns true if a thread is blocked in the source with this tile after its job was given up.
    func isLost(_ key: TileKey) -> Bool {
        inSource.contains { $0.value == key && jobs[$0.key] == nil }
    }

    mutating func nextNumber() -> Int {
        last += 1
        return last
    }

    mutating func begin(_ job: TileJob, number: Int) {
        jobs[number] = job
        inSource[number] = job.key
    }

    mutating func setFetch(_ task: Task<Void, Never>, of number: Int) {
        jobs[number]?.fetch = task
        jobs[number]?.timer?.cancel()
    }

    /// Records that the thread of a job returned from the source.
    mutating func leaveSource(_ number: Int) { inSource[number] = nil }

    func isInSource(_ number: Int) -> Bool { inSource[number] != nil }

    /// Removes a job. Its thread may still be inside the source.
    mutating func end(_ number: Int) -> TileJob? { jobs.removeValue(forKey: number) }
}
