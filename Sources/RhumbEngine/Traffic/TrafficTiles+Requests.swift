public import RhumbCore
internal import Synchronization

/// How tiles and models are asked for.
extension TrafficTiles {
    /// Asks for a tile of a set, if it may be asked for now.
    func begin(_ request: TileRequest, ofSet number: Int) {
        let outcome = state.withLock { question(for: request.tile, ofSet: number, $0) }
        switch outcome {
        case .failure(let failure): request.fail(failure)
        case .success(let question):
            let task = Task { [weak self, fetcher] in
                let answer = await fetcher.fetch(question.request)
                self?.take(answer, to: question, for: request, ofSet: number)
            }
            request.onCancel { task.cancel() }
        }
    }

    struct TileQuestion: Sendable {
        let request: TrafficRequest
        /// What a "not modified" means.
        let kept: TrafficSetRecord.Kept?
        let source: TrafficSource
        let set: TrafficSet
    }

    private func question(
        for tile: TileID, ofSet number: Int, _ state: State
    ) -> Result<TileQuestion, TileFailure> {
        guard let record = state.records[number] else {
            return .failure(TileFailure(.sourceFailed, "this traffic is no longer shown"))
        }
        let (kind, now) = (record.set.kind, clock.now())
        guard state.schedule.mayAsk(kind, at: now) else {
            let failure = state.schedule.problem(kind, at: now) ?? TrafficFailure(record.source.provider, .offline)
            let pause = state.schedule.pauseLeft(kind, at: now)
            return .failure(TileFailure(failure, pause: pause))
        }
        let kept = keptTile(tile, record, state)
        var request = TrafficRequest(
            record.source.address(for: tile, model: record.set.model),
            provider: record.source.provider, kind: kind, subject: .tile(tile),
            passesThrough: state.schedule.passesThrough.contains(kind))
        request.validators = kept?.validators ?? Validators()
        return .success(TileQuestion(request: request, kept: kept, source: record.source, set: record.set))
    }

    /// The same tile of the set on screen, where it was drawn in the same way.
    private func keptTile(
        _ tile: TileID, _ record: TrafficSetRecord, _ state: State
    ) -> TrafficSetRecord.Kept? {
        guard let shown = state.schedule.shown(record.set.kind), let old = state.records[shown.number],
            old.source.template == record.source.template
        else { return nil }
        return old.kept[tile]
    }

    // MARK: Tiles

    private func take(
        _ answer: TrafficAnswer, to question: TileQuestion, for request: TileRequest, ofSet number: Int
    ) {
        switch answer {
        case .body(let body, let headers):
            take(body, headers, to: question, for: request, ofSet: number)
        case .notModified(let headers):
            guard let kept = question.kept else {
                return fail(request, TrafficFailure(question.source.provider, .badAnswer), ofSet: number)
            }
            let fresh = Validators(of: headers)
            let validators = fresh.isEmpty ? kept.validators : fresh
            keep(.init(validators: validators, raster: kept.raster), request.tile, ofSet: number)
            request.complete(.bitmap(.raster(kept.raster)))
        case .absent: request.complete(.absent)
        case .refused(let status, let headers, let body, let wait):
            if status == 400 && question.set.model != nil { return refuseModel(ofSet: number) }
            fail(
                request,
                TrafficFailure(
                    question.source.provider, status: status, headers: headers, body: body,
                    retryAfter: wait, address: question.request.address),
                ofSet: number)
        case .fault(let fault):
            fail(request, TrafficFailure(question.source.provider, fault: fault), ofSet: number)
        }
    }

    private func take(
        _ body: [UInt8], _ headers: HTTPHeaders, to question: TileQuestion, for request: TileRequest,
        ofSet number: Int
    ) {
        let model = TrafficModel(of: headers)
        guard state.withLock({ $0.records[number]?.accepts(model) ?? false }) else {
            if question.set.model == nil {
                request.fail(TileFailure(.unreadable, "\(request.tile): of another moment than its neighbours"))
            }
            return refuseModel(ofSet: number)
        }
        let raster: Raster
        do throws(ImageFailure) {
            raster = drawn(try decoder.decode(body, limits: .tile), question.source)
        } catch {
            let name = question.source.definition.name
            return _ = request.fail(TileFailure(.badContent, "\(name) \(request.tile): \(error)"))
        }
        let validators = Validators(of: headers)
        if !validators.isEmpty { keep(.init(validators: validators, raster: raster), request.tile, ofSet: number) }
        request.complete(.bitmap(.raster(raster)))
    }

    private func drawn(_ raster: Raster, _ source: TrafficSource) -> Raster {
        guard let ramp, source.kind == .flow else { return raster }
        return source.colours.recoloured(raster, with: ramp)
    }

    private func keep(_ kept: TrafficSetRecord.Kept, _ tile: TileID, ofSet number: Int) {
        state.withLock { $0.records[number]?.keep(kept, tile) }
    }

    /// The tile stays promised: another set will take the place of its own.
    private func refuseModel(ofSet number: Int) { change { _ in [.modelRefused(set: number)] } }

    private func fail(_ request: TileRequest, _ failure: TrafficFailure, ofSet number: Int) {
        change { _ in [.tileFailed(set: number, failure)] }
        let pause = state.withLock { state in
            state.records[number].map { state.schedule.pauseLeft($0.set.kind, at: clock.now()) } ?? .zero
        }
        request.fail(TileFailure(failure, pause: pause))
    }

    // MARK: The model

    /// Asks for the newest model.
    /// - Parameter viewport: nil for the smallest box.
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

    /// What there is around a place, for a panel.
    /// - Parameter radius: metres.
    /// - Throws: `TrafficFailure`, also where no provider gives details.
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
    /// What an answer that is none amounts to.
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
