public import RhumbCore
internal import Synchronization

/// The requests for tiles and models.
extension TrafficTiles {
    struct SetTile: Hashable {
        let set: Int
        let tile: TileID
    }

    /// The requests that wait for a tile, and its task. Several pictures may be drawn from one tile.
    struct UnderWay {
        var requests: [TileRequest] = []
        var task: Task<Void, Never>?
    }

    /// Requests a tile of a set unless it is loaded or in flight, if requests are allowed now.
    func begin(_ request: TileRequest, ofSet number: Int) {
        let key = SetTile(set: number, tile: request.tile)
        let (cached, isFirst) = state.withLock { state -> (TileAnswer?, Bool) in
            if let cached = state.records[number]?.cached[key.tile] { return (cached.answer, false) }
            state.underWay[key, default: UnderWay()].requests.append(request)
            return (nil, state.underWay[key]?.requests.count == 1)
        }
        if let cached { return _ = request.complete(cached) }
        request.onCancel { [weak self] in self?.leave(request, key) }
        if isFirst { ask(for: key) }
    }

    private func ask(for key: SetTile) {
        switch state.withLock({ question(for: key, $0) }) {
        case .failure(let failure): finish(key, .failure(failure))
        case .success(let question):
            let task = Task { [weak self, fetcher] in
                let answer = await fetcher.fetch(question.request)
                self?.take(answer, to: question, key)
            }
            let isWanted = state.withLock { state in
                state.underWay[key]?.task = task
                return state.underWay[key] != nil
            }
            if !isWanted { task.cancel() }
        }
    }

    /// Removes a waiting caller. The request ends with the last one.
    private func leave(_ request: TileRequest, _ key: SetTile) {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.underWay[key]?.requests.removeAll { $0 === request }
            guard state.underWay[key]?.requests.isEmpty == true else { return nil }
            return state.underWay.removeValue(forKey: key)?.task
        }
        task?.cancel()
    }

    private func finish(_ key: SetTile, _ outcome: Result<TileAnswer, TileFailure>) {
        let requests = state.withLock { $0.underWay.removeValue(forKey: key)?.requests ?? [] }
        for request in requests {
            switch outcome {
            case .success(let answer): request.complete(answer)
            case .failure(let failure): request.fail(failure)
            }
        }
    }

    struct TileQuestion: Sendable {
        let request: TrafficRequest
        /// The stored tile that "not modified" confirms.
        let cached: TrafficSetRecord.CachedTile?
        let source: TrafficSource
        let set: TrafficSet
    }

    private func question(for key: SetTile, _ state: State) -> Result<TileQuestion, TileFailure> {
        let tile = key.tile
        guard let record = state.records[key.set] else {
            return .failure(TileFailure(.sourceFailed, "this traffic is no longer shown"))
        }
        let kind = record.set.kind
        let now = clock.now()
        guard state.schedule.mayAsk(kind, at: now) else {
            let failure =
                state.schedule.problem(kind, at: now) ?? TrafficFailure(record.source.provider, .offline)
            let pause = state.schedule.pauseLeft(kind, at: now)
            return .failure(TileFailure(failure, pause: pause))
        }
        let cached = cachedTile(tile, record, state)
        var request = TrafficRequest(
            record.source.address(for: tile, model: record.set.model),
            provider: record.source.provider, kind: kind,
            subject: record.source.isVector ? .vectorTile(tile) : .tile(tile),
            passesThrough: state.schedule.passesThrough.contains(kind))
        request.validators = cached?.validators ?? Validators()
        return .success(
            TileQuestion(request: request, cached: cached, source: record.source, set: record.set))
    }

    /// Returns the same tile of the shown set if both sets have the same template; nil otherwise.
    private func cachedTile(
        _ tile: TileID, _ record: TrafficSetRecord, _ state: State
    ) -> TrafficSetRecord.CachedTile? {
        guard let shown = state.schedule.shown(record.set.kind), let old = state.records[shown.number],
            old.source.template == record.source.template
        else { return nil }
        return old.cached[tile]
    }

    // MARK: Tiles

    private func take(_ answer: TrafficAnswer, to question: TileQuestion, _ key: SetTile) {
        switch answer {
        case .body(let body, let headers): take(body, headers, to: question, key)
        case .notModified(let headers):
            guard let cached = question.cached else {
                return fail(key, TrafficFailure(question.source.provider, .badAnswer))
            }
            let fresh = Validators(of: headers)
            let validators = fresh.isEmpty ? cached.validators : fresh
            store(.init(validators: validators, answer: cached.answer, content: cached.content), key)
            finish(key, .success(cached.answer))
        case .absent: finish(key, .success(.absent))
        case .refused(let status, let headers, let body, let wait):
            if status == 400 && question.set.model != nil { return refuseModel(ofSet: key.set) }
            fail(
                key,
                TrafficFailure(
                    question.source.provider, status: status, headers: headers, body: body,
                    retryAfter: wait, address: question.request.address))
        case .fault(let fault): fail(key, TrafficFailure(question.source.provider, fault: fault))
        }
    }

    private func take(_ body: [UInt8], _ headers: HTTPHeaders, to question: TileQuestion, _ key: SetTile) {
        let model = TrafficModel(of: headers)
        guard state.withLock({ $0.records[key.set]?.accepts(model) ?? false }) else {
            if question.set.model == nil {
                let failure = TileFailure(
                    .unreadable, "\(key.tile): not from the same time as its neighbours")
                finish(key, .failure(failure))
            }
            return refuseModel(ofSet: key.set)
        }
        do throws(TileFailure) {
            let tile = try read(body, Validators(of: headers), key.tile, question.source)
            if tile.isWorthKeeping { store(tile, key) }
            finish(key, .success(tile.answer))
        } catch {
            noteDamage(key)
            finish(key, .failure(error))
        }
    }

    private func read(
        _ body: [UInt8], _ validators: Validators, _ tile: TileID, _ source: TrafficSource
    ) throws(TileFailure) -> TrafficSetRecord.CachedTile {
        let name = "\(source.definition.name) \(tile)"
        if let drawer, source.isVector {
            let plain = try drawer.unpacked(body, name: name)
            do throws(VectorTileFailure) {
                let content = TrafficTileContent(try VectorTile(plain), at: tile, source.kind)
                return .init(validators: validators, answer: .bitmap(.encoded(plain)), content: content)
            } catch {
                throw TileFailure(.badContent, "\(name): \(error)")
            }
        }
        do throws(ImageFailure) {
            let raster = drawn(try decoder.decode(body, limits: .tile), source)
            return .init(validators: validators, answer: .bitmap(.raster(raster)))
        } catch {
            throw TileFailure(.badContent, "\(name): \(error)")
        }
    }

    private func drawn(_ raster: Raster, _ source: TrafficSource) -> Raster {
        guard let ramp, source.kind == .flow else { return raster }
        return source.colours.recoloured(raster, with: ramp)
    }

    private func store(_ cached: TrafficSetRecord.CachedTile, _ key: SetTile) {
        state.withLock { state in
            let viewport = state.viewport
            state.records[key.set]?.store(cached, key.tile, in: viewport)
        }
    }

    private func noteDamage(_ key: SetTile) {
        state.withLock { _ = $0.records[key.set]?.damaged.insert(key.tile) }
    }

    /// Reports that a set's model was refused. The tile's requests stay pending, because another set replaces
    /// this one.
    private func refuseModel(ofSet number: Int) { change { _ in [.modelRefused(set: number)] } }

    private func fail(_ key: SetTile, _ failure: TrafficFailure) {
        if failure.reason == .badAnswer { noteDamage(key) }
        change { _ in [.tileFailed(set: key.set, failure)] }
        let pause = state.withLock { state in
            state.records[key.set].map { state.schedule.pauseLeft($0.set.kind, at: clock.now()) } ?? .zero
        }
        finish(key, .failure(TileFailure(failure, pause: pause)))
    }

    // MARK: The model

    /// Requests the newest model.
    /// - Parameter viewport: The view; nil for the smallest box.
    func poll(_ viewport: Viewport?, passesThrough: Bool) {
        let box = viewport.flatMap(ViewportService.Box.init(of:)) ?? .smallest
        guard let address = sources.modelAddress(box) else { return }
        let request = TrafficRequest(
            address, provider: .tomtom, kind: .incidents, subject: .document, passesThrough: passesThrough)
        Task { [weak self, fetcher] in
            let answer = await fetcher.fetch(request)
            self?.change { _ in [TrafficTiles.event(of: answer, to: request)] }
        }
    }

    private static func event(of answer: TrafficAnswer, to request: TrafficRequest) -> TrafficSchedule.Event {
        if case .body(let body, _) = answer, let found = ViewportService.Answer(reading: body) {
            return .modelArrived(found.model, age: found.age)
        }
        return .pollFailed(answer.failure(request))
    }

    /// Returns the incidents around a position, for a panel.
    /// - Parameter radius: The radius in metres.
    /// - Throws: `TrafficFailure`, also if no provider has details.
    public func incidents(
        around place: Coordinate, radius: Double
    ) async throws(TrafficFailure) -> [TrafficIncident] {
        let now = clock.now()
        let (problem, model, passesThrough) = state.withLock { state in
            let schedule = state.schedule
            let problem = schedule.problem(.incidents, at: now) ?? TrafficFailure(.tomtom, .offline)
            return (
                schedule.mayAsk(.incidents, at: now) ? nil : problem, schedule.shown(.incidents)?.model,
                schedule.passesThrough.contains(.incidents)
            )
        }
        if let problem { throw problem }
        guard let address = sources.detailsAddress(around: place, radius: radius, model: model)
        else { throw TrafficFailure(.tomtom, .badKey) }
        let request = TrafficRequest(
            address, provider: .tomtom, kind: .incidents, subject: .document, passesThrough: passesThrough)
        let answer = await fetcher.fetch(request)
        guard case .body(let body, _) = answer, let found = try? IncidentDetails.read(body) else {
            throw answer.failure(request)
        }
        return found
    }
}

extension TrafficAnswer {
    /// Returns the failure that an error response represents.
    func failure(_ request: TrafficRequest) -> TrafficFailure {
        switch self {
        case .body, .notModified: TrafficFailure(request.provider, .badAnswer)
        case .absent(let status): TrafficFailure(request.provider, status: status, address: request.address)
        case .refused(let status, let headers, let body, let wait):
            TrafficFailure(
                request.provider, status: status, headers: headers, body: body, retryAfter: wait,
                address: request.address)
        case .fault(let fault): TrafficFailure(request.provider, fault: fault)
        }
    }
}
