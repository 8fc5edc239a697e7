internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore
internal import Synchronization

/// Supplies tiles from a PMTiles or VersaTiles archive on a web server. Fetches adjacent tiles with one
/// request.
struct RemoteArchiveSupply: RegionSupply {
    let policy: SourcePolicy
    private let bodies: TileBodies
    private let asking = Asking()

    private let documents: [WebResource]
    /// The hashes of the stored and the new edition, used to reuse unchanged tiles; nil to fetch all tiles.
    var known: TilePatch?

    init(_ archive: RemotePMTiles, policy: SourcePolicy) {
        self.init(archive.bodies, policy, archive.documents)
    }

    private init(_ bodies: TileBodies, _ policy: SourcePolicy, _ documents: [WebResource]) {
        self.bodies = bodies
        self.policy = policy
        self.documents = documents
        origin = bodies.keeper.origin
    }

    func successor() async -> RegionSuccessor? {
        let next = RemoteArchiveSupply(bodies, policy, documents), loader = bodies.file.loader
        guard next.origin != origin else { return nil }
        var found: [RegionDocument] = []
        for resource in documents {
            guard case .document(let address)? = resource.key, let document = try? await loader.load(resource)
            else { continue }
            found.append(RegionDocument(address: address, document.stored))
        }
        return RegionSuccessor(supply: next, documents: found)
    }

    let origin: TileOrigin
    /// Large enough to contain several adjacent packs.
    var batch: Int { 512 }

    /// Returns false for tiles of an earlier edition.
    func isCurrent(_ stored: StoredResponse) async -> Bool {
        await bodies.keeper.edition.version == stored.dataVersion
    }

    func load(_ items: [SupplyRequest], post: @escaping @Sendable (SupplyNews) -> Void) async {
        var left = items
        do throws(SupplyFailure) {
            let edition = try await edition(isReload: items.contains { $0.held != nil })
            if edition.tiles == origin.edition { left = await load(left, edition, post) }
            if left.isEmpty { return }
            if edition.tiles == origin.edition, try await edition.next(bodies.keeper) === edition {
                throw SupplyFailure(.tile, RangeFailure.differs(nil).tileFailure(bodies.file).message)
            }
            throw SupplyFailure(.superseded, "\(bodies.file.name): the archive has changed")
        } catch {
            for item in left { post(.came(item.tile, .failure(error))) }
        }
    }

    /// Returns the edition to read from.
    /// - Parameter isReload: If true, revalidates the edition, but at most once a minute.
    private func edition(isReload: Bool) async throws(SupplyFailure) -> ArchiveVersion {
        let edition = await bodies.keeper.current(), now = bodies.file.loader.date()
        guard isReload, asking.isDue(at: now) else { return edition }
        let next = try await edition.next(bodies.keeper)
        asking.note(at: now)
        return next
    }

    /// Fetches tiles from an edition.
    /// - Returns: The tiles that were not reported because the file has changed.
    private func load(
        _ items: [SupplyRequest], _ edition: ArchiveVersion, _ post: @escaping @Sendable (SupplyNews) -> Void
    ) async -> [SupplyRequest] {
        var wanted: [TileRange] = [], left: [SupplyRequest] = []
        for item in items {
            if let supplied = supplied(item, edition) {
                post(.came(item.tile, .success(supplied)))
                continue
            }
            do throws(RangeFailure) {
                if let section = try await edition.place(of: item.tile) {
                    wanted.append(TileRange(item: item, section: section))
                } else {
                    post(.came(item.tile, .success(.answer(edition.answer(nil)))))
                }
            } catch {
                if let failure = SupplyFailure(error) {
                    post(.came(item.tile, .failure(failure)))
                } else {
                    left.append(item)
                }
            }
        }
        return left + (await load(TileRange.runs(wanted, readingAlong: known == nil), edition, post))
    }

    /// Returns the stored tile if it equals the tile in the archive; nil if it must be fetched.
    private func supplied(_ item: SupplyRequest, _ edition: ArchiveVersion) -> Supplied? {
        guard let held = item.held else { return nil }
        if held.dataVersion == edition.version {
            return .unchanged(edition.answer(nil).freshness, held.headers)
        }
        guard let known, known.holds(held, of: item.tile) else { return nil }
        var carried = edition.answer(held.body)
        carried.omits = held.omits
        return .carried(carried)
    }

    /// Returns the total size of tiles in the archive in bytes. Shared bodies count once.
    func bytes(of tiles: [TileID]) async throws(SupplyFailure) -> Int {
        let edition = await bodies.keeper.current()
        var places: [UInt64: UInt64] = [:]
        for tile in tiles {
            do throws(RangeFailure) {
                if let place = try await edition.place(of: tile) { places[place.offset] = place.length }
            } catch {
                throw SupplyFailure(error) ?? SupplyFailure(.tile, error.tileFailure(bodies.file).message)
            }
        }
        return Int(places.values.reduce(0, +))
    }

    func listedSizes(of tiles: [TileID]) async -> [Int]? {
        let edition = await bodies.keeper.current()
        var sizes: [Int] = []
        for tile in tiles {
            do throws(RangeFailure) {
                sizes.append(Int(clamping: try await edition.place(of: tile)?.length ?? 0))
            } catch {
                return nil
            }
        }
        return sizes
    }

    /// The total size of all tiles in the archive in bytes.
    var tileBytes: Int { get async { Int(clamping: await bodies.keeper.edition.index.tileBytes) } }

    /// The first bytes of the archive from which this edition was opened.
    var beginning: [UInt8] { get async { await bodies.keeper.edition.beginning.body } }

    /// Reads groups of tiles in parallel, within the provider's connection limit.
    /// - Returns: The tiles that were not reported because the file has changed.
    private func load(
        _ runs: [[TileRange]], _ edition: ArchiveVersion, _ post: @escaping @Sendable (SupplyNews) -> Void
    ) async -> [SupplyRequest] {
        await withTaskGroup(of: RemainingTiles.self) { group in
            var waiting = runs.makeIterator(), left: [SupplyRequest] = [], obstacle: SupplyFailure?
            for run in Array(runs.prefix(max(policy.connections, 1))) {
                _ = waiting.next()
                group.addTask { await read(run, edition, post) }
            }
            while let (tiles, failure) = await group.next() {
                if let failure {
                    report(tiles, failure, post)
                    if failure.concernsOthers { obstacle = failure.ofOthers }
                } else {
                    left += tiles
                }
                if left.isEmpty, obstacle == nil, let run = waiting.next() {
                    group.addTask { await read(run, edition, post) }
                }
            }
            while let run = waiting.next() {
                if let obstacle { report(run.map(\.item), obstacle, post) } else { left += run.map(\.item) }
            }
            return left
        }
    }

    /// The tiles that could not be read, and the reason; nil if the file has changed.
    private typealias RemainingTiles = (tiles: [SupplyRequest], failure: SupplyFailure?)

    /// Reads adjacent tiles, and reports each one as soon as its bytes have arrived.
    private func read(
        _ run: [TileRange], _ edition: ArchiveVersion, _ post: @Sendable (SupplyNews) -> Void
    ) async -> RemainingTiles {
        var sections = RangeBatch(run.map { (item: $0.item, section: $0.section) })
        do throws(RangeFailure) {
            try await bodies.file.load(
                &sections, of: edition.fileVersion, priority: .download,
                retrying: RemoteArchiveSupply.retrying, onRequest: { post(.asked) }
            ) { item, part in
                post(.received(bytes: part.bytes.count))
                post(.came(item.tile, supplied(item, part, edition)))
            }
            return ([], nil)
        } catch {
            return (sections.missing.map(\.item), SupplyFailure(error))
        }
    }

    private static let retrying = RetryRule(tries: 4, backoff: Backoff(base: 1, cap: 10))

    /// Reports failed tiles. Reports a lost connection only for the first, because the others were not
    /// requested.
    private func report(_ items: [SupplyRequest], _ failure: SupplyFailure, _ post: (SupplyNews) -> Void) {
        for (place, item) in items.enumerated() {
            post(.came(item.tile, .failure(place == 0 ? failure : failure.ofOthers)))
        }
    }

    // MARK: Responses

    private func supplied(
        _ item: SupplyRequest, _ part: LoadedRange, _ edition: ArchiveVersion
    ) -> Result<Supplied, SupplyFailure> {
        do throws(TileFailure) {
            let (answer, isStorable) = part.response(
                try edition.index.body(part.bytes, "\(item.tile)"), .tiles())
            return .success(isStorable ? .answer(answer) : .mayNotBeKept)
        } catch {
            return .failure(SupplyFailure(.tile, error.message))
        }
    }
}

extension ArchiveVersion {
    /// Returns the server's current edition.
    fileprivate func next(_ keeper: ArchiveVersionTracker) async throws(SupplyFailure) -> ArchiveVersion {
        do throws(RangeFailure) {
            return try await keeper.replaced(self)
        } catch {
            if case .failed(let failure) = error { throw SupplyFailure(.refused, failure.message) }
            throw SupplyFailure(error) ?? SupplyFailure(.tile, "\(error)")
        }
    }
}

/// The time of the last revalidation of the edition.
private final class Asking: Sendable {
    private let last = Mutex(UnixSeconds(0))

    /// Returns true if the last one was more than a minute ago, or if the clock was set back since.
    func isDue(at now: UnixSeconds) -> Bool { last.withLock { !(0..<60).contains(now.seconds(since: $0)) } }

    func note(at now: UnixSeconds) { last.withLock { $0 = now } }
}

extension SupplyFailure {
    /// Creates the failure of reading a part of an archive; nil if the file has changed.
    fileprivate init?(_ failure: RangeFailure) {
        switch failure {
        case .changed, .differs: return nil
        case .failed(let failure): self.init(.tile, failure.message)
        // Part of a range is missing because the connection broke.
        case .request(let failure) where failure.fault == .truncated: self.init(.lost, failure.message)
        case .request(let failure): self.init(failure)
        }
    }

    /// True if requests for other tiles would fail too.
    fileprivate var concernsOthers: Bool {
        switch kind {
        case .offline, .metered, .lost, .wait, .refused, .cancelled: true
        case .server, .tile, .damaged, .superseded: false
        }
    }

    /// The failure of tiles that were not requested because of this one.
    fileprivate var ofOthers: SupplyFailure { kind == .lost ? SupplyFailure(.offline, message) : self }
}

/// A tile to fetch, and its position in the archive.
struct TileRange: Sendable {
    let item: SupplyRequest
    let section: FileSection

    /// The maximum gap in bytes between two tiles of one request. The bytes of the gap are read and
    /// discarded.
    private static let gap: UInt64 = 64 << 10
    /// The maximum size of a request in bytes, unless a single tile is larger.
    private static let longest: UInt64 = 4 << 20

    /// Returns groups of adjacent tiles, in the order of the file.
    /// - Parameter readingAlong: True to allow small gaps between them.
    static func runs(_ spots: [TileRange], readingAlong: Bool = true) -> [[TileRange]] {
        var runs: [[TileRange]] = [], end: UInt64 = 0
        let gap = readingAlong ? gap : 0
        for spot in spots.sorted(by: { $0.section.offset < $1.section.offset }) {
            if let first = runs.last?.first, spot.section.offset <= end + gap,
                max(end, spot.section.end) - first.section.offset <= longest
            {
                runs[runs.count - 1].append(spot)
                end = max(end, spot.section.end)
            } else {
                runs.append([spot])
                end = spot.section.end
            }
        }
        return runs
    }
}
