package import RhumbCore
internal import Synchronization

/// The outcome of reading a tile from its source.
enum TileReading: Sendable {
    case ready(Raster, TileMark)
    case absent(TileMark)
    case failed(TileFailure)
    /// The source accepted the request, and reports its outcome later.
    case promised
    /// The fetcher loads the tile from the source's address for it.
    case fetch
    /// The stored tile is still valid.
    case unchanged(TileMark)

    /// The state for the board; nil if there is none yet.
    var outcome: (state: TileState, mark: TileMark)? {
        switch self {
        case .ready(let raster, let mark): (.ready(raster), mark)
        case .absent(let mark): (.absent, mark)
        case .failed(let failure): (.failed(failure), TileMark())
        case .promised, .fetch, .unchanged: nil
        }
    }

    fileprivate var isStale: Bool { outcome?.mark.standing.isStale ?? false }
}

/// Reads the tiles of one layer's source and decodes them. Runs on the layer's own threads.
struct TileReader: Sendable {
    let layer: TileLayer
    let decoder: any ImageDecoder
    var fetcher: (any TileFetcher)?
    /// The visible part of the picture, if the rest may be drawn later; nil for all of it.
    var seen: PixelBox?
    /// True if a tile that is not stored is not requested.
    var isStoredOnly = false

    /// Reads the stored tile, or else queries the source in the order of its protocol.
    /// - Parameters:
    ///   - request: The request for the source's tile.
    ///   - tile: The tile to show.
    func read(_ request: TileRequest, for tile: TileID) -> TileReading {
        let source = layer.source, data = request.tile
        guard source.hasTile(data, of: layer) else { return .absent(TileMark()) }
        do throws(TileFailure) {
            switch try layer.tileAtHand(data) {
            case .drawn(let drawn): return picture(of: drawn, for: tile, TileMark())
            case .answer(let answer?): return reading(of: answer, for: tile)
            case .answer(nil), nil: break
            }
        } catch {
            return .failed(error)
        }
        let stored = storedReading(of: tile)
        guard !isStoredOnly else {
            return stored ?? .failed(TileFailure(.unreadable, "\(name(tile)): not stored"))
        }
        // A tile without an address can't be renewed in the background.
        if let stored, !stored.isStale || layer.hasAddress(for: data) { return stored }
        do {
            if let answer = try source.tile(data, of: layer) {
                store(answer, for: tile)
                return reading(of: answer, for: tile)
            }
        } catch {
            return storedReading(of: tile, evenIfOutdated: true) ?? .failed(error)
        }
        if source.begin(request) { return .promised }
        if layer.hasAddress(for: data) { return .fetch }
        return .failed(TileFailure(.sourceFailed, "\(name(tile)): no response from the source"))
    }

    /// Returns the picture of a decoded tile, or of its part in view if that suffices.
    private func picture(of data: any DrawnTile, for tile: TileID, _ mark: TileMark) -> TileReading {
        let side = layer.tileSize.rawValue
        var mark = mark
        func ready(_ raster: Raster) -> TileReading {
            mark.omission = data.omission ?? mark.omission
            return .ready(
                (data.endsWithin ? raster.isClear ? .clear : raster : flattened(raster)).packed(), mark)
        }
        do throws(TileFailure) {
            guard let seen, let raster = try data.picture(of: tile, side: side, seen: seen) else {
                return ready(try data.picture(of: tile, side: side))
            }
            mark.drawnPart = seen
            return ready(raster)
        } catch {
            return .failed(error)
        }
    }

    private func picture(
        by drawing: any TileDrawing, from bytes: [UInt8], for tile: TileID, _ mark: TileMark
    ) -> TileReading {
        do throws(TileFailure) {
            return picture(of: try drawing.tile(layer.dataTile(for: tile), from: bytes), for: tile, mark)
        } catch {
            return .failed(error)
        }
    }

    /// Returns an opaque layer's picture over the layer's background. A transparent layer's picture is
    /// returned unchanged, or as a single pixel if it is empty.
    private func flattened(_ raster: Raster) -> Raster {
        guard layer.isTransparent else { return raster.flattened(over: layer.background) }
        return raster.isClear ? Raster.clear : raster
    }

    /// Returns the stored tile, if it is a picture that can be shown.
    /// - Parameter evenIfOutdated: If true, also returns a tile that should have been requested again first.
    private func storedReading(of tile: TileID, evenIfOutdated: Bool = false) -> TileReading? {
        guard let stored = fetcher?.stored(WantedTile(layer: layer, tile: tile)),
            evenIfOutdated || !stored.mustAsk
        else { return nil }
        let reading = reading(
            of: stored.answer, for: tile,
            TileMark(stored.standing, isPinned: stored.isPinned, edition: stored.edition))
        if case .failed = reading {
            fetcher?.discard(WantedTile(layer: layer, tile: tile))
            return nil
        }
        return reading
    }

    private func store(_ answer: TileAnswer, for tile: TileID) {
        guard layer.cacheIdentifier != nil else { return }
        fetcher?.store(answer, for: WantedTile(layer: layer, tile: tile))
    }

    /// Returns the reading for the outcome of a promise.
    func reading(of outcome: Result<TileAnswer, TileFailure>, for tile: TileID) -> TileReading {
        switch outcome {
        case .success(let answer):
            store(answer, for: tile)
            return reading(of: answer, for: tile)
        case .failure(let failure): return storedReading(of: tile, evenIfOutdated: true) ?? .failed(failure)
        }
    }

    /// Returns the reading for the outcome of a fetch.
    func reading(of fetched: FetchedTile, for tile: TileID) -> TileReading {
        switch fetched {
        case .unchanged(let standing): return .unchanged(TileMark(standing))
        case .new(let answer, let standing):
            let reading = reading(of: answer, for: tile, TileMark(standing))
            if case .failed = reading { fetcher?.discard(WantedTile(layer: layer, tile: tile)) }
            return reading
        }
    }

    /// Returns the reading for an answer, after decoding it and checking it against the layer.
    private func reading(
        of answer: TileAnswer, for tile: TileID, _ mark: TileMark = TileMark()
    ) -> TileReading {
        switch answer {
        case .absent: return .absent(mark)
        case .bitmap(let bitmap):
            var mark = mark
            mark.omission = (layer.source as? any HillTileSource)?.omission(of: layer.dataTile(for: tile))
            if case .encoded(let bytes) = bitmap, let drawing = layer.drawing {
                return picture(by: drawing, from: bytes, for: tile, mark)
            }
            return switch raster(of: bitmap, for: tile) {
            case .success(let raster): .ready(raster, mark)
            case .failure(let failure): .failed(failure)
            }
        }
    }

    private func raster(of bitmap: TileBitmap, for tile: TileID) -> Result<Raster, TileFailure> {
        let side = layer.tileSize.rawValue
        let raster: Raster
        switch bitmap {
        case .raster(let given): raster = given
        case .encoded(let bytes):
            do throws(TileFailure) {
                raster = try decoded(bytes, for: tile)
            } catch {
                return .failure(error)
            }
        case .pixels(let bytes, let format):
            guard bytes.count == side * side * format.bytesPerPixel,
                let given = Raster(width: side, height: side, pixels: format.rgba(bytes))
            else { return .failure(wrongLength(bytes.count, format, for: tile)) }
            raster = given
        }
        return .success(flattened(raster))
    }

    private func decoded(_ bytes: [UInt8], for tile: TileID) throws(TileFailure) -> Raster {
        return try converting(decoder.decode(bytes, limits: .tile)) { (error: ImageFailure) in
            TileFailure(.badContent, "\(name(tile)): \(error)")
        }
    }

    private func name(_ tile: TileID) -> String { "\(layer.info.name) \(tile)" }

    private func wrongLength(_ count: Int, _ format: PixelFormat, for tile: TileID) -> TileFailure {
        let side = layer.tileSize.rawValue
        return TileFailure(
            .wrongSize,
            "\(name(tile)): \(count) bytes of pixels, but \(side)×\(side) pixels of \(format.rawValue) take "
                + "\(side * side * format.bytesPerPixel) bytes")
    }
}

extension TileLayer {
    /// Returns the picture of a tile that is available without a request; nil if there is none. It reads from
    /// disk and draws.
    /// - Throws: `TileFailure` if the tile can't be read or is damaged.
    package func storedPicture(
        of tile: TileID, decoder: any ImageDecoder, fetcher: any TileFetcher
    ) throws(TileFailure) -> Raster? {
        let request = TileRequest(tile: dataTile(for: tile), of: self) { _ in }
        let reading = TileReader(layer: self, decoder: decoder, fetcher: fetcher).read(request, for: tile)
        switch reading {
        case .ready(let raster, _): return raster
        case .failed(let failure): throw failure
        case .absent, .promised, .fetch, .unchanged: return nil
        }
    }
}

/// Coalesces concurrent loads of the same source tile and keeps the last four results for ten seconds.
final class SharedFetcher: TileFetcher {
    private let base: any TileFetcher
    private let clock: EngineClock
    private let flight = SingleFlight<Key, Outcome>()
    private let state = Mutex(State())

    /// The lifetime of a result in memory.
    private static let memory = Duration.seconds(10)
    /// The maximum number of results in memory.
    private static let limit = 4

    typealias Outcome = Result<FetchedTile, TileFailure>

    private struct LayerTile: Hashable {
        let layer: TileLayer.ID
        let tile: TileID
    }
    private struct Key: Hashable {
        let tile: LayerTile
        let holdsStored: Bool
        let isPrefetch: Bool
        /// The number of reloads of the layer before this load.
        let reloads: Int
    }
    private struct State {
        var recent: [(tile: LayerTile, outcome: Outcome, at: Duration)] = []
        var reloads: [TileLayer.ID: Int] = [:]
    }

    init(_ base: any TileFetcher, clock: EngineClock) { (self.base, self.clock) = (base, clock) }

    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        guard want.layer.drawing != nil else { return try await base.fetch(want, holdsStored: holdsStored) }
        let tile = LayerTile(layer: want.layer.id, tile: want.tile)
        if !holdsStored, case .failure(let failure)? = recent(tile) { throw failure }
        let reloads = state.withLock { $0.reloads[want.layer.id] ?? 0 }
        let key = Key(
            tile: tile, holdsStored: holdsStored, isPrefetch: want.urgency == .prefetch, reloads: reloads)
        return try await flight.value(for: key) {
            let outcome: Outcome
            do throws(TileFailure) {
                outcome = .success(try await self.base.fetch(want, holdsStored: holdsStored))
            } catch {
                outcome = .failure(error)
            }
            self.remember(outcome, for: key)
            return outcome
        }.get()
    }

    func stored(_ want: WantedTile) -> CachedTile? {
        if let stored = base.stored(want) { return stored }
        guard want.layer.drawing != nil,
            case .success(.new(let answer, let standing))? = recent(
                LayerTile(layer: want.layer.id, tile: want.tile))
        else { return nil }
        return CachedTile(answer, standing)
    }

    func discard(_ want: WantedTile) {
        state.withLock { state in
            state.recent.removeAll { entry in
                if case .failure = entry.outcome { return false }
                return entry.tile == LayerTile(layer: want.layer.id, tile: want.tile)
            }
        }
        base.discard(want)
    }

    func reload(_ layer: TileLayer) {
        state.withLock { state in
            state.reloads[layer.id, default: 0] += 1
            state.recent.removeAll { $0.tile.layer == layer.id }
        }
        base.reload(layer)
    }

    func store(_ answer: TileAnswer, for want: WantedTile) { base.store(answer, for: want) }
    func protect(_ wants: [WantedTile]) { base.protect(wants) }
    func mayPrefetch(_ layer: TileLayer) -> Bool { base.mayPrefetch(layer) }

    // MARK: Recent results

    private func remember(_ outcome: Outcome, for key: Key) {
        let now = clock.now()
        state.withLock { state in
            guard outcome.isWorthKeeping, !Task.isCancelled, key.reloads == state.reloads[key.tile.layer] ?? 0
            else { return }
            state.recent.removeAll { $0.tile == key.tile }
            state.recent.append((key.tile, outcome, now))
            if state.recent.count > Self.limit { state.recent.removeFirst() }
        }
    }

    private func recent(_ tile: LayerTile) -> Outcome? {
        let now = clock.now()
        return state.withLock { $0.recent.first { $0.tile == tile && now - $0.at < Self.memory }?.outcome }
    }
}

extension SharedFetcher.Outcome {
    /// True for a response of the server; network errors are temporary.
    fileprivate var isWorthKeeping: Bool {
        switch self {
        case .success(.new): true
        case .success(.unchanged): false
        case .failure(let failure): [.badContent, .refused, .sourceFailed].contains(failure.reason)
        }
    }
}
