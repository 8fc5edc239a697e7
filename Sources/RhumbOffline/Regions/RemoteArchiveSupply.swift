internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore
internal import Synchronization

/// Supplies tiles from an archive or a GeoTIFF on a web server. Fetches adjacent tiles with one request.
struct RemoteArchiveSupply: RegionSupply {
    let policy: SourcePolicy
    private let archive: RemoteArchive
    private let asking = Asking()

    /// The hashes of the stored and the new edition, used to reuse unchanged tiles; nil to fetch all tiles.
    var patch: TilePatch?
    /// The signed hashes, with which every tile is compared; nil if the archive is not signed.
    var signed: TileHashes?
    /// The end of the message about a tile that differs from its signed hash.
    static let mismatch = "is not the one in the signed catalogue"

    init(_ archive: RemoteArchive, policy: SourcePolicy) {
        self.archive = archive
        self.policy = policy
        origin = archive.origin
        unreadableZooms = archive.unreadableZooms
    }

    func successor() async -> RegionSuccessor? {
        let next = RemoteArchiveSupply(archive, policy: policy), loader = archive.file.loader
        guard next.origin != origin else { return nil }
        var found: [RegionDocument] = []
        for resource in await archive.currentDocuments {
            guard case .document(let address)? = resource.key, let document = try? await loader.load(resource)
            else { continue }
            found.append(RegionDocument(address: address, document.stored))
        }
        return RegionSuccessor(supply: next, documents: found)
    }

    func fault(of tile: TileID, _ body: [UInt8]?) -> String? {
        guard let signed, signed[tile] != body.map({ TileDigest(ofUnpacked: $0) }) else { return nil }
        return "\(archive.file.name): tile \(tile) \(RemoteArchiveSupply.mismatch)"
    }

    let origin: TileOrigin
    let unreadableZooms: ClosedRange<Int>?

    var storedRatio: Double { archive.areTilesRepacked ? TileBody.packedRatio : 1 }

    /// Large enough to contain several adjacent packs.
    var batch: Int { 512 }

    /// Returns the address under which a document of the archive is stored with a region.
    func storedAddress(of document: String) -> String { archive.file.storedAddress(of: document) }

    /// Returns false for tiles of an earlier edition.
    func isCurrent(_ stored: StoredResponse) async -> Bool {
        await archive.versions.edition.version == stored.dataVersion
    }

    func load(_ items: [SupplyRequest], post: @escaping @Sendable (SupplyEvent) -> Void) async {
        var left = items
        do throws(SupplyFailure) {
            let edition = try await edition(isReload: items.contains { $0.held != nil })
            if edition.tiles == origin.edition { left = await load(left, edition, post) }
            if left.isEmpty { return }
            if signed != nil {
                throw SupplyFailure(
                    .refused, "\(archive.file.name): the archive was replaced; check for updates again")
            }
            if edition.tiles == origin.edition, try await edition.next(archive.versions) === edition {
                throw SupplyFailure(.tile, RangeFailure.differs(nil).tileFailure(archive.file).message)
            }
            throw SupplyFailure(.superseded, "\(archive.file.name): the archive has changed")
        } catch {
            for item in left { post(.loaded(item.tile, .failure(error))) }
        }
    }

    /// Returns the edition to read from.
    /// - Parameter isReload: If true, revalidates the edition, but at most once a minute.
    private func edition(isReload: Bool) async throws(SupplyFailure) -> ArchiveVersion {
        let edition = await archive.versions.current(), now = archive.file.loader.date()
        guard isReload, asking.isDue(at: now) else { return edition }
        let next = try await edition.next(archive.versions)
        asking.note(at: now)
        return next
    }

    /// Fetches tiles from an edition.
    /// - Returns: The tiles that were not reported because the file has changed.
    private func load(
        _ items: [SupplyRequest], _ edition: ArchiveVersion, _ post: @escaping @Sendable (SupplyEvent) -> Void
    ) async -> [SupplyRequest] {
        var wanted: [TileRange] = [], left: [SupplyRequest] = []
        for (at, item) in items.enumerated() {
            if let supplied = supplied(item, edition) {
                post(.loaded(item.tile, .success(supplied)))
                continue
            }
            do throws(RangeFailure) {
                let sections = try await edition.sections(of: item.tile)
                if sections.isEmpty { post(.loaded(item.tile, .success(.answer(edition.answer(nil))))) }
                wanted += sections.map { TileRange(item: item, section: $0, count: sections.count) }
            } catch {
                if let failure = SupplyFailure(error) {
                    post(.loaded(item.tile, .failure(failure)))
                    guard failure.concernsServer else { continue }
                    // The other tiles would each ask for a directory three times.
                    for other in items[(at + 1)...] { post(.loaded(other.tile, .failure(failure))) }
                    break
                } else {
                    // The directory of every further tile is gone, too, and each would take two requests.
                    left += items[at...]
                    break
                }
            }
        }
        let assembly = TileAssembly()
        if let recent = edition.recent {
            wanted.removeAll { range in
                guard let part = recent[range.section] else { return false }
                if let parts = assembly.add(part, range) {
                    post(.loaded(range.item.tile, supplied(range.item, parts, edition)))
                }
                return true
            }
        }
        let runs = TileRange.runs(wanted, readingAlong: patch == nil)
        return left + (await load(runs, edition, assembly, post))
    }

    /// Returns the stored tile if it equals the tile in the archive; nil if it must be fetched.
    private func supplied(_ item: SupplyRequest, _ edition: ArchiveVersion) -> SupplyResponse? {
        guard let held = item.held else { return nil }
        if held.dataVersion == edition.version {
            return .unchanged(edition.answer(nil).freshness, held.headers)
        }
        guard let patch, patch.holds(held, of: item.tile) else { return nil }
        var carried = edition.answer(held.body)
        carried.omits = held.omits
        return .carried(carried)
    }

    /// Returns the total size of tiles in the archive in bytes. Shared bodies count once.
    func bytes(of tiles: [TileID]) async throws(SupplyFailure) -> Int {
        let edition = await archive.versions.current()
        var found: Set<FileSection> = []
        for tile in tiles {
            do throws(RangeFailure) {
                found.formUnion(try await edition.sections(of: tile))
            } catch {
                throw SupplyFailure(error) ?? SupplyFailure(.tile, error.tileFailure(archive.file).message)
            }
        }
        return Int(clamping: found.reduce(0) { $0 + $1.length })
    }

    func listedSizes(of tiles: [TileID]) async -> [Int]? {
        let edition = await archive.versions.current()
        // Blocks that several tiles share say nothing about the sizes of tiles.
        guard edition.recent == nil else { return nil }
        var sizes: [Int] = []
        for tile in tiles {
            do throws(RangeFailure) {
                sizes.append(Int(clamping: try await edition.sections(of: tile).first?.length ?? 0))
            } catch {
                return nil
            }
        }
        return sizes
    }

    /// The total size of all tiles in the archive in bytes.
    var tileBytes: Int { get async { Int(clamping: await archive.versions.edition.index.tileBytes) } }

    /// Returns the size on the disk of tiles with a size in the archive, in bytes.
    func stored(_ bytes: Int) -> Int { Int(clamping: Int64(Double(bytes) * storedRatio)) }

    /// Returns true if a list of hashes was made from the archive.
    /// - Parameter size: The size of the file; nil if unknown.
    func fits(_ list: TileHashes, size: Int?) async -> Bool {
        let edition = await archive.versions.edition
        if let size, let found = edition.fileVersion.size, found != UInt64(clamping: size) { return false }
        return list.fits(edition.beginning.body, metadata: edition.packedMetadata)
    }

    /// Reads groups of tiles in parallel, within the provider's connection limit.
    /// - Returns: The tiles that were not reported because the file has changed.
    private func load(
        _ runs: [[TileRange]], _ edition: ArchiveVersion, _ assembly: TileAssembly,
        _ post: @escaping @Sendable (SupplyEvent) -> Void
    ) async -> [SupplyRequest] {
        await withTaskGroup(of: RemainingTiles.self) { group in
            var waiting = runs.makeIterator(), left: [SupplyRequest] = [], obstacle: SupplyFailure?
            for run in Array(runs.prefix(max(policy.connections, 1))) {
                _ = waiting.next()
                group.addTask { await read(run, edition, assembly, post) }
            }
            while let (tiles, failure) = await group.next() {
                if let failure {
                    report(tiles, failure, post)
                    if failure.concernsOthers { obstacle = failure.ofOthers }
                } else {
                    left += tiles
                }
                if left.isEmpty, obstacle == nil, let run = waiting.next() {
                    group.addTask { await read(run, edition, assembly, post) }
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
        _ run: [TileRange], _ edition: ArchiveVersion, _ assembly: TileAssembly,
        _ post: @Sendable (SupplyEvent) -> Void
    ) async -> RemainingTiles {
        var sections = RangeBatch(run.map { (item: $0, section: $0.section) })
        do throws(RangeFailure) {
            try await archive.file.load(
                &sections, of: edition.fileVersion, priority: .download,
                retrying: RemoteArchiveSupply.retrying, onRequest: { post(.requested) }
            ) { range, part in
                if edition.recent?[range.section] == nil { post(.received(bytes: part.bytes.count)) }
                edition.recent?.add(part, range.section, bytes: part.bytes.count)
                if let parts = assembly.add(part, range) {
                    post(.loaded(range.item.tile, supplied(range.item, parts, edition)))
                }
            }
            return ([], nil)
        } catch {
            return (sections.missing.map(\.item.item), SupplyFailure(error))
        }
    }

    private static let retrying = RetryRule(tries: 4, backoff: Backoff(base: 1, cap: 10))

    /// Reports failed tiles. Reports a lost connection only for the first, because the others were not
    /// requested.
    private func report(_ items: [SupplyRequest], _ failure: SupplyFailure, _ post: (SupplyEvent) -> Void) {
        for (index, item) in items.enumerated() {
            post(.loaded(item.tile, .failure(index == 0 ? failure : failure.ofOthers)))
        }
    }

    // MARK: Responses

    private func supplied(
        _ item: SupplyRequest, _ parts: [FileSection: LoadedRange], _ edition: ArchiveVersion
    ) -> Result<SupplyResponse, SupplyFailure> {
        do throws(TileFailure) {
            guard let body = try edition.body(of: item.tile, from: parts), let part = parts.first?.value
            else {
                return .success(.answer(edition.answer(nil)))
            }
            let stored = parts.count == 1 ? TileBody.stored(part.bytes, body) : TileBody.packed(body)
            let (answer, isStorable) = part.response(stored, .tiles())
            return .success(isStorable ? .answer(answer) : .notStorable)
        } catch {
            return .failure(SupplyFailure(.tile, error.message))
        }
    }
}

extension ArchiveVersion {
    /// Returns the server's current edition.
    fileprivate func next(_ tracker: ArchiveVersionTracker) async throws(SupplyFailure) -> ArchiveVersion {
        do throws(RangeFailure) {
            return try await tracker.replaced(self)
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
        case .request(let failure) where failure.fault == .truncated && !failure.isPaused:
            self.init(.lost, failure.message)
        case .request(let failure): self.init(failure)
        }
    }

    /// True if requests for other tiles would fail too.
    fileprivate var concernsOthers: Bool { kind == .lost || concernsServer }

    /// The failure of tiles that were not requested because of this one.
    fileprivate var ofOthers: SupplyFailure {
        switch kind {
        case .lost, .paused: SupplyFailure(.offline, message)
        default: self
        }
    }
}

/// Collects the sections of tiles as they arrive.
private final class TileAssembly: Sendable {
    private let parts = Mutex<[TileID: [FileSection: LoadedRange]]>([:])

    /// Adds a section of a tile.
    /// - Returns: All sections of the tile if this was the last one.
    func add(_ part: LoadedRange, _ range: TileRange) -> [FileSection: LoadedRange]? {
        if range.count == 1 { return [range.section: part] }
        return parts.withLock { parts in
            parts[range.item.tile, default: [:]][range.section] = part
            guard parts[range.item.tile]?.count == range.count else { return nil }
            return parts.removeValue(forKey: range.item.tile)
        }
    }
}

/// A section of a tile to fetch.
struct TileRange: Sendable {
    let item: SupplyRequest
    let section: FileSection
    /// The number of sections of the tile.
    var count = 1

    /// Returns groups of adjacent tiles, in the order of the file.
    /// - Parameter readingAlong: True to allow small gaps between them, whose bytes are read and discarded.
    static func runs(_ ranges: [TileRange], readingAlong: Bool = true) -> [[TileRange]] {
        FileSection.groups(of: ranges, gap: readingAlong ? 64 << 10 : 0, by: \.section).map(\.items)
    }
}

/// The tiles of an archive that have not changed since an earlier edition, according to the publisher's lists
/// of hashes for both editions.
struct TilePatch: Sendable {
    /// The version that tiles of the earlier edition are stored under.
    let earlier: String
    let old: TileHashes
    let new: TileHashes

    /// Returns true if a stored tile equals the archive's current one.
    func holds(_ held: StoredResponse, of tile: TileID) -> Bool {
        held.dataVersion == earlier && old[tile] == new[tile] && (held.body == nil) == (new[tile] == nil)
    }
}
