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
