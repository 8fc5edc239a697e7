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
    /// The keys of tiles that can't be drawn.
    public internal(set) var damaged: [ResourceKey] = []
    /// Sentences about other faults that prevent the region from being shown.
    public internal(set) var faults: [String] = []
    /// The addresses of documents that are missing or damaged, which `faults` also reports.
    public internal(set) var missingDocuments: [String] = []

    /// True if the whole region can be shown offline.
    public var isWhole: Bool { missingCount == 0 && incomplete == 0 && damaged.isEmpty && faults.isEmpty }
    /// True if the sources have no tiles in the region's area.
    public var isEmpty: Bool { isWhole && present == 0 }
}

extension Regions {
    /// The number of tiles that are sorted before they are read, and the size in bytes of bodies in memory.
    private static let batch = (tiles: 65_536, bytes: 8 << 20)

    /// Checks that all tiles of a region can be drawn, using all cores.
    /// - Parameter depth: The depth of the check.
    /// - Throws: `RegionStoreFailure`
    public func check(
        _ record: RegionRecord, depth: TileValidator.Depth = .content
    ) throws(RegionStoreFailure) -> RegionCheck {
        var check = RegionCheck()
        let integrity = Mutex<Result<[String], RegionStoreFailure>>(.success([])), verified = DispatchGroup()
        DispatchQueue.global().async(group: verified) { [store] in
            let faults = Result { () throws(RegionStoreFailure) in try store.integrityFaults() }
            integrity.withLock { $0 = faults }
        }
        if record.covers.count < record.parts.count || record.parts.isEmpty {
            check.faults.append("the definition of a source is missing; recreate the region with that source")
        }
        check.missingDocuments = try store.missingDocuments(of: record.number)
        check.faults += check.missingDocuments.map {
            "\(SafeText.sanitised($0)) is missing; recreate the region while online"
        }
        let features = Set(record.definition?.features ?? [])
        for (part, source) in zip(record.covers, record.parts.compactMap(\.definition)) {
            var judge = try BodyJudge(source.tileBodyKind, depth, store)
            func examine(_ tiles: [TileID]) {
                // The store sorts tiles in this way.
                var rest = tiles.sorted { ($0.zoom, $0.x, $0.y) < ($1.zoom, $1.x, $1.y) }[...]
                while !rest.isEmpty {
                    let responses = store.responses(for: rest, of: part.origin, upTo: Regions.batch.bytes)
                    for (tile, response) in zip(rest, responses) {
                        check.count(response, tile, wanting: features)
                    }
                    check.damaged += judge.damaged(
                        zip(rest, responses).compactMap { tile, response in
                            (response?.body).map { (.tile(origin: part.origin, tile), $0) }
                        })
                    WorkProgress.report(check.tiles, of: record.planned)
                    rest = rest.dropFirst(responses.count)
                }
            }
            var tiles: [TileID] = []
            for tile in part.cover.tiles() {
                tiles.append(tile)
                guard tiles.count == Regions.batch.tiles else { continue }
                examine(tiles)
                tiles.removeAll(keepingCapacity: true)
            }
            examine(tiles)
            judge.store(in: store)
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
}

/// Checks the bodies of a source. Equal ones are checked once, and those of an earlier check not again.
private struct BodyJudge {
    private let validator: TileValidator
    private let kind: String
    /// The hashes of sound contents.
    private var sound: Set<Int> = []
    /// Those that were not known before.
    private var added: [Int] = []
    /// Changes if the decoders check more than before.
    private static let version = 1

    init(
        _ kind: TileContentKind, _ depth: TileValidator.Depth, _ store: RegionStore
    ) throws(RegionStoreFailure) {
        validator = TileValidator(kind, depth: depth)
        self.kind = "\(BodyJudge.version) \(kind)"
        if depth == .content { sound = try store.soundBodies(self.kind) }
    }

    /// Returns the keys of tiles that can't be drawn, in the order of `bodies`.
    mutating func damaged(_ bodies: [(key: ResourceKey, body: [UInt8])]) -> [ResourceKey] {
        let found = Mutex<(damaged: Set<Int>, sound: Set<Int>)>(([], []))
        DispatchQueue.concurrentPerform(iterations: bodies.count) { [sound, validator] at in
            let body = bodies[at].body, hash = RegionStore.contentHash(of: body)
            if sound.contains(hash) || found.withLock({ $0.sound.contains(hash) }) { return }
            let isDamaged = validator.fault(in: body) != nil
            found.withLock { _ = isDamaged ? $0.damaged.insert(at) : $0.sound.insert(hash) }
        }
        let (damaged, new) = found.withLock(\.self)
        sound.formUnion(new)
        if validator.depth == .content { added += new }
        return damaged.sorted().map { bodies[$0].key }
    }

    /// Stores the result for later checks. A store that can't be written is no error.
    func store(in store: RegionStore) { try? store.addSoundBodies(added, kind) }
}
