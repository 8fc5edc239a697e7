internal import Dispatch
public import RhumbCore
internal import RhumbEngine
public import RhumbStore
internal import Synchronization

/// The result of checking all tiles of a region.
public struct RegionCheck: Sendable, Equatable {
    /// The number of tiles that belong to the region.
    public internal(set) var tiles = 0
    /// The number of stored tiles with a body.
    public internal(set) var present = 0
    /// The number of tiles known not to exist.
    public internal(set) var absent = 0
    /// The number of stored tiles that are not fresh.
    public internal(set) var stale = 0
    /// The first missing tiles, at most 20.
    public internal(set) var missing: [TileID] = []
    /// The total number of missing tiles.
    public internal(set) var missingCount = 0
    /// The number of tiles that lack layers which the region needs, because they were stored by another
    /// region or before the region was changed.
    public internal(set) var incomplete = 0
    /// The keys of tiles whose bodies differ from their hashes, or can't be drawn.
    public internal(set) var damaged: [ResourceKey] = []
    /// Sentences about other faults that prevent the region from being shown.
    public internal(set) var faults: [String] = []
    /// The addresses of documents that are missing or damaged, which `faults` also reports.
    public internal(set) var missingDocuments: [String] = []
    /// The addresses of those in `missingDocuments` that are stored, but damaged.
    public internal(set) var damagedDocuments: [String] = []

    /// True if the whole region can be shown offline.
    public var isWhole: Bool { missingCount == 0 && incomplete == 0 && damaged.isEmpty && faults.isEmpty }
    /// True if the sources have no tiles in the region's area.
    public var isEmpty: Bool { isWhole && present == 0 }
}

extension Regions {
    /// The number of tiles that are sorted before they are read.
    private static let batch = 65_536

    /// Checks that all tiles of a region can be drawn, using all cores.
    /// - Parameter depth: The depth of the check.
    /// - Throws: `RegionStoreFailure`
    public func check(
        _ record: RegionRecord, depth: TileValidator.Depth = .content
    ) throws(RegionStoreFailure) -> RegionCheck {
        var check = RegionCheck()
        let integrity = Mutex<Result<[String], RegionStoreFailure>>(.success([])), verified = DispatchGroup()
        DispatchQueue.global().async(group: verified) { [store] in
            // An index that lacks a tile shows when the tile is read.
            let faults = Result { () throws(RegionStoreFailure) in try store.integrityFaults(isQuick: true) }
            integrity.withLock { $0 = faults }
        }
        if let package = record.package, record.parts.isEmpty {
            check.faults.append("the download of package \(package.package) has not begun; resume it")
        } else if record.covers.count < record.parts.count || record.parts.isEmpty {
            check.faults.append("the definition of a source is missing; recreate the region with that source")
        }
        let documents = try store.documentFaults(of: record.number)
        check.missingDocuments = documents.map(\.address)
        check.damagedDocuments = documents.filter(\.isDamaged).map(\.address)
        check.faults += documents.map { address, isDamaged in
            "\(SafeText.sanitised(address)) is \(isDamaged ? "damaged" : "missing"); repair the region while online"
        }
        let readers = ReaderPool(store)
        for (part, source) in zip(record.covers, record.parts.compactMap(\.definition)) {
            let tileCheck = TileCheck(
                origin: part.origin, features: Set(record.definition?.features ?? []), readers: readers,
                tileValidator: try BodyValidator(source.tileBodyKind, depth, store))
            var tiles: [TileID] = []
            func examine() throws(RegionStoreFailure) {
                // The store sorts tiles in this way.
                tiles.sort { ($0.zoom, $0.x, $0.y) < ($1.zoom, $1.x, $1.y) }
                let done = check.tiles
                check.add(
                    try tileCheck.run(tiles) { WorkProgress.report(done + $0, of: record.planned) })
                tiles.removeAll(keepingCapacity: true)
            }
            for tile in part.cover.tiles() {
                tiles.append(tile)
                if tiles.count == Regions.batch { try examine() }
            }
            try examine()
            tileCheck.tileValidator.store(in: store)
        }
        verified.wait()
        check.faults.insert(contentsOf: try integrity.withLock(\.self).get(), at: 0)
        return check
    }

    /// Returns the region. If it is complete, but some of its tiles can't be drawn or lack layers, it is
    /// restarted for repair.
    func sound(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        guard [.complete, .completeWithGaps].contains(record.state) else { return record }
        let check = try check(record, depth: .structure)
        return check.damaged.isEmpty && check.incomplete == 0 ? record : try prepareRepair(of: record, check)
    }

    /// Returns the region marked as complete, if all its tiles are stored although its last download failed;
    /// nil if its state is right, or an update is unfinished.
    /// - Parameter check: The result of its check, which found nothing to repair.
    /// - Throws: `RegionStoreFailure`
    public func correctState(
        of record: RegionRecord, _ check: RegionCheck
    ) throws(RegionStoreFailure) -> RegionRecord? {
        guard check.isWhole, [.completeWithGaps, .failed, .cancelled].contains(record.state),
            !record.isUpdating
        else { return nil }
        try store.claim(record, at: .now)
        defer { try? store.release(record.number) }
        var parts: [RegionSourceRecord] = []
        for (part, (origin, cover)) in zip(record.parts, record.covers) {
            let count = try store.count(of: origin) { cover.contains($0) }
            var corrected = part.restarted
            corrected.reused = count.tiles
            corrected.absent = count.absent
            corrected.bytes = count.bytes
            for tile in cover.tiles() { corrected.cursor = tile }
            parts.append(corrected)
        }
        return try store.complete(record, parts, at: .now)
    }

    /// Restarts a region so that damaged and missing tiles are fetched again. Damaged tiles remain stored
    /// until they are replaced.
    /// - Throws: `RegionStoreFailure`
    public func prepareRepair(
        of record: RegionRecord, _ check: RegionCheck
    ) throws(RegionStoreFailure) -> RegionRecord {
        try store.claim(record, at: .now)
        defer { try? store.release(record.number) }
        try store.invalidate(check.damaged)
        return try store.restart(record)
    }
}

extension RegionCheck {
    private static let listed = 20

    fileprivate mutating func count(
        _ response: StoredResponse?, _ tile: TileID, wanting features: Set<String>
    ) {
        tiles += 1
        guard let response else {
            missingCount += 1
            if missing.count < RegionCheck.listed { missing.append(tile) }
            return
        }
        if response.state(at: .now) != .fresh { stale += 1 }
        if !response.omits.isDisjoint(with: features) { incomplete += 1 }
        if response.body == nil { absent += 1 } else { present += 1 }
    }

    /// Adds the tiles of another check.
    fileprivate mutating func add(_ other: RegionCheck) {
        tiles += other.tiles
        present += other.present
        absent += other.absent
        stale += other.stale
        missing += other.missing.prefix(RegionCheck.listed - missing.count)
        missingCount += other.missingCount
        incomplete += other.incomplete
        damaged += other.damaged
    }
}

/// Checks the tiles of a source on all cores.
private struct TileCheck: Sendable {
    let origin: TileOrigin, features: Set<String>
    let readers: ReaderPool
    let tileValidator: BodyValidator
    /// The tiles of one core, and the size in bytes of the bodies that it reads at once.
    private static let chunk = 1024, limit = 1 << 20

    /// - Parameter report: Receives the number of checked tiles.
    func run(
        _ tiles: [TileID], report: @Sendable (Int) -> Void
    ) throws(RegionStoreFailure) -> RegionCheck {
        let starts = Array(stride(from: 0, to: tiles.count, by: TileCheck.chunk))
        let done = Mutex(0), handler = WorkProgress.handler
        let parts = starts.concurrentlyMapped { start in
            Result { () throws(RegionStoreFailure) in
                let part = try readers.withReader { check(tiles[start...].prefix(TileCheck.chunk), $0) }
                let count = done.withLock { done in
                    done += part.tiles
                    return done
                }
                WorkProgress.$handler.withValue(handler) { report(count) }
                return part
            }
        }
        var sum = RegionCheck()
        for part in parts { sum.add(try part.get()) }
        return sum
    }

    private func check(_ tiles: ArraySlice<TileID>, _ reader: RegionReader) -> RegionCheck {
        var check = RegionCheck(), rest = tiles
        while !rest.isEmpty {
            let responses = reader.responses(for: rest, of: origin, upTo: TileCheck.limit)
            for (tile, response) in zip(rest, responses) {
                check.count(response, tile, wanting: features)
                if let response, let body = response.body, response.isDamaged || tileValidator.isDamaged(body)
                {
                    check.damaged.append(.tile(origin: origin, tile))
                }
            }
            rest = rest.dropFirst(responses.count)
        }
        return check
    }
}

/// The connections that read a store at the same time, one per core in use.
private final class ReaderPool: Sendable {
    private let store: RegionStore
    private let free = Mutex<[RegionReader]>([])

    init(_ store: RegionStore) { self.store = store }

    func withReader<Value>(
        _ body: (RegionReader) -> Value
    ) throws(RegionStoreFailure) -> Value {
        let reader: RegionReader
        if let idle = free.withLock({ $0.popLast() }) {
            reader = idle
        } else {
            reader = try store.makeReader()
        }
        defer { free.withLock { $0.append(reader) } }
        return body(reader)
    }
}

/// Checks the bodies of a source. Equal ones are checked once, and those of an earlier check not again.
private final class BodyValidator: Sendable {
    private let validator: TileValidator
    private let kind: String
    /// The hashes of sound contents, and of those that were not known before.
    private let hashes: Mutex<(sound: Set<Int>, added: [Int])>
    /// Changes if the decoders check more than before.
    private static let version = 1

    init(
        _ kind: TileContentKind, _ depth: TileValidator.Depth, _ store: RegionStore
    ) throws(RegionStoreFailure) {
        validator = TileValidator(kind, depth: depth)
        self.kind = "\(BodyValidator.version) \(kind)"
        hashes = Mutex((depth == .content ? try store.soundBodies(self.kind) : [], []))
    }

    /// True if a body can't be drawn.
    func isDamaged(_ body: [UInt8]) -> Bool {
        let hash = RegionStore.contentHash(of: body)
        if hashes.withLock({ $0.sound.contains(hash) }) { return false }
        if validator.fault(in: body) != nil { return true }
        hashes.withLock { if $0.sound.insert(hash).inserted { $0.added.append(hash) } }
        return false
    }

    /// Stores the result for later checks. A store that can't be written is no error.
    func store(in store: RegionStore) {
        guard validator.depth == .content else { return }
        try? store.addSoundBodies(hashes.withLock(\.added), kind)
    }
}
