internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import Synchronization

/// Tiles of an archive on a web server for regions: those that lie close together come with one
/// request.
struct RemoteArchiveSupply: RegionSupply {
    let policy: SourcePolicy
    private let bodies: TileBodies
    private let asking = Asking()

    private let documents: [WebResource]
    /// What need not be fetched, as it is stored of an earlier edition.
    var known: KnownTiles?

    init(_ archive: RemotePMTiles, policy: SourcePolicy) {
        self.init(archive.bodies, policy, archive.documents)
    }

    private init(_ bodies: TileBodies, _ policy: SourcePolicy, _ documents: [WebResource]) {
        (self.bodies, self.policy, self.documents) = (bodies, policy, documents)
        origin = bodies.keeper.origin
    }

    func successor() async -> RegionSuccessor? {
        let next = RemoteArchiveSupply(bodies, policy, documents), loader = bodies.file.loader
        guard next.origin != origin else { return nil }
        var found: [RegionDocument] = []
        for resource in documents {
            guard case .document(let address)? = resource.key, let document = try? await loader.load(resource) else { continue }
            found.append(RegionDocument(address: address, document.stored))
        }
        return RegionSuccessor(supply: next, documents: found)
    }

    let origin: TileOrigin
    /// Enough that the packs of a neighbourhood are among them.
    var batch: Int { 512 }

    /// Tiles of the archive that was there before are not.
    func isCurrent(_ stored: StoredResponse) async -> Bool {
        await bodies.keeper.edition.version == stored.dataVersion
    }

    func load(_ items: [SupplyRequest], tell: @escaping @Sendable (SupplyNews) -> Void) async {
        var left = items
        do throws(SupplyFailure) {
            let edition = try await edition(isReload: items.contains { $0.held != nil })
            if edition.tiles == origin.edition { left = await load(left, edition, tell) }
            if left.isEmpty { return }
            if edition.tiles == origin.edition { _ = try await edition.next(bodies.keeper) }
            throw SupplyFailure(.superseded, "\(bodies.file.name): the archive has changed")
        } catch {
            for item in left { tell(.came(item.tile, .failure(error))) }
        }
    }

    /// The edition to read from; where stored tiles are to be asked about, the server is asked for
    /// it, but not again for every few tiles.
    private func edition(isReload: Bool) async throws(SupplyFailure) -> Edition {
        let edition = await bodies.keeper.current(), now = bodies.file.loader.date()
        guard isReload, asking.isDue(at: now) else { return edition }
        let beginning: Document
        do throws(ArchiveFailure) {
            beginning = try await bodies.file.start(prefersStored: false, isReload: true)
        } catch {
            throw SupplyFailure(.lost, error.description)
        }
        if case .outdated(let cause?) = beginning.standing { throw SupplyFailure(cause) }
        asking.note(at: now)
        return RemoteFile.version(beginning.headers) == edition.version ? edition : try await edition.next(bodies.keeper)
    }

    /// - Returns: what was not told of, because the file has changed.
    private func load(
        _ items: [SupplyRequest], _ edition: Edition, _ tell: @escaping @Sendable (SupplyNews) -> Void
    ) async -> [SupplyRequest] {
        var wanted: [TileSpot] = [], left: [SupplyRequest] = []
        for item in items {
            if let supplied = supplied(item, edition) {
                tell(.came(item.tile, .success(supplied)))
                continue
            }
            do throws(RemoteFile.Failure) {
                if let section = try await edition.place(of: item.tile) {
                    wanted.append(TileSpot(item: item, section: section))
                } else {
                    tell(.came(item.tile, .success(.answer(edition.answer(nil)))))
                }
            } catch {
                if case .failed(let failure) = error {
                    tell(.came(item.tile, .failure(SupplyFailure(failure))))
                } else {
                    left.append(item)
                }
            }
        }
        return left + (await load(TileSpot.runs(wanted, readingAlong: known == nil), edition, tell))
    }

    /// What is held of a tile, where it is what the archive has.
    private func supplied(_ item: SupplyRequest, _ edition: Edition) -> Supplied? {
        guard let held = item.held else { return nil }
        if held.dataVersion == edition.version { return .unchanged(edition.answer(nil).freshness, held.headers) }
        guard let known, known.holds(held, of: item.tile) else { return nil }
        var carried = edition.answer(held.body)
        carried.omits = held.omits
        return .carried(carried)
    }

    /// The bytes that the archive has of tiles.
    func bytes(of tiles: [TileID]) async throws(SupplyFailure) -> Int {
        let edition = await bodies.keeper.current()
        var places: [UInt64: UInt64] = [:]
        for tile in tiles {
            do throws(RemoteFile.Failure) {
                if let place = try await edition.place(of: tile) { places[place.offset] = place.length }
            } catch {
                throw SupplyFailure(error.tileFailure(bodies.file))
            }
        }
        return Int(places.values.reduce(0, +))
    }

    /// The bytes that the archive has of all its tiles.
    var tileBytes: Int { get async { Int(clamping: await bodies.keeper.edition.index.header.tiles.length) } }

    /// The bytes that the archive of this edition was opened by.
    var beginning: [UInt8] { get async { await bodies.keeper.edition.beginning.body } }

    private func load(
        _ runs: [[TileSpot]], _ edition: Edition, _ tell: @escaping @Sendable (SupplyNews) -> Void
    ) async -> [SupplyRequest] {
        await withTaskGroup(of: [SupplyRequest].self) { group in
            var waiting = runs.makeIterator(), left: [SupplyRequest] = []
            for run in Array(runs.prefix(max(policy.connections, 1))) {
                _ = waiting.next()
                group.addTask { await read(run, edition, tell) }
            }
            while let changed = await group.next() {
                left += changed
                if left.isEmpty, let run = waiting.next() { group.addTask { await read(run, edition, tell) } }
            }
            while let run = waiting.next() { left += run.map(\.item) }
            return left
        }
    }

    /// One request.
    private func read(
        _ run: [TileSpot], _ edition: Edition, _ tell: @Sendable (SupplyNews) -> Void
    ) async -> [SupplyRequest] {
        guard let span = TileSpot.span(run) else { return [] }
        tell(.asked)
        let request = bodies.file.asking(span, .download)
        do {
            let response = try await bodies.file.loader.client.load(request, retrying: RemoteArchiveSupply.retrying)
            let part = try bodies.file.part(response, to: request, span, version: edition.version)
            for spot in run { tell(.came(spot.item.tile, supplied(spot, part, span, edition))) }
            return []
        } catch let failure as HTTPFailure where failure.status != 416 {
            return refuse(run, SupplyFailure(failure), tell)
        } catch RemoteFile.Failure.failed(let failure) {
            return refuse(run, SupplyFailure(.tile, failure.message), tell)
        } catch {
            return run.map(\.item)
        }
    }

    private static let retrying = RetryRule(tries: 4, backoff: Backoff(base: 1, cap: 10))

    private func refuse(
        _ run: [TileSpot], _ failure: SupplyFailure, _ tell: (SupplyNews) -> Void
    ) -> [SupplyRequest] {
        for spot in run { tell(.came(spot.item.tile, .failure(failure))) }
        return []
    }

    // MARK: Answers

    private func supplied(
        _ spot: TileSpot, _ part: RemoteFile.Part, _ span: PMTilesHeader.Section, _ edition: Edition
    ) -> Result<Supplied, SupplyFailure> {
        guard part.response.mayBeKept(for: part.request) else { return .success(.mayNotBeKept) }
        do throws(TileFailure) {
            let stored = Array(spot.section.bytes(in: part.bytes, of: span) ?? [])
            let body = try edition.index.body(stored, "\(spot.item.tile)")
            var answer = StoredResponse(
                body: body, freshness: part.response.freshness(.tiles()), headers: part.response.headers)
            answer.dataVersion = edition.version
            return .success(.answer(answer))
        } catch {
            return .failure(SupplyFailure(.tile, error.message))
        }
    }
}

extension Edition {
    /// The edition that holds now, by the server.
    fileprivate func next(_ keeper: EditionKeeper) async throws(SupplyFailure) -> Edition {
        do throws(ArchiveFailure) {
            return try await keeper.replaced(self)
        } catch {
            throw SupplyFailure(.lost, error.description)
        }
    }
}

/// Whether the server was asked about the edition lately.
private final class Asking: Sendable {
    private let last = Mutex(UnixSeconds(0))

    func isDue(at now: UnixSeconds) -> Bool { last.withLock { now.seconds(since: $0) >= 60 } }

    func note(at now: UnixSeconds) { last.withLock { $0 = now } }
}

extension SupplyFailure {
    /// Why a directory of an archive could not be read.
    fileprivate init(_ failure: TileFailure) {
        let kind: Kind =
            switch failure.reason {
            case .offline: .offline
            case .timedOut, .unreadable: .lost
            case .refused: .wait(failure.retryAfter)
            default: .tile
            }
        self.init(kind, failure.message)
    }
}
