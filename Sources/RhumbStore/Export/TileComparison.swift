internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// Reads the tiles that two archives have in common, on all cores, and finds those whose bodies differ. Pairs
/// of bodies that many tiles share are compared once.
struct TileComparison {
    /// Two bodies of a tile, which differ as stored.
    struct Pair {
        let tile: TileID
        let first: [UInt8]
        let second: [UInt8]
    }

    /// Tiles with the same two bodies.
    private struct Item: Sendable {
        var ids: [Range<UInt64>]
        let first: TileBodyLocation
        let second: TileBodyLocation

        var bytes: UInt64 { (first.section?.length ?? 0) + (second.section?.length ?? 0) }
    }

    private let first: ArchiveInput
    private let second: ArchiveInput
    /// The number of parts of a batch that may be read at once. Archives on servers are read in order.
    private let parts: Int

    private static let batchLimit = 4096, runLimit = 1 << 16
    private static let byteLimit: UInt64 = 32 << 20

    init(_ first: ArchiveInput, _ second: ArchiveInput) {
        self.first = first
        self.second = second
        let isRemote = first.archive.remoteSize != nil || second.archive.remoteSize != nil
        parts = isRemote ? 1 : 16
    }

    /// Compares tiles that both archives have.
    /// - Parameters:
    ///   - examine: Called from several threads with each pair that differs; nil if its tiles are equal.
    ///   - collect: Called with tiles and their finding.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure` or `TileFailure` for a body that can't be read;
    ///   `CancellationError` if the task is cancelled; an error of `examine`.
    func run<Finding: Sendable>(
        _ common: TileRuns, examine: @Sendable (Pair) throws -> Finding?,
        collect: (Range<UInt64>, Finding) -> Void
    ) throws {
        var own = LocationCursor(first), its = LocationCursor(second)
        var batch: [Item] = [], bytes: UInt64 = 0, runs = 0, recent = RecentPairs(), done = 0
        let total = common.count
        func flush() throws {
            try Task.checkCancellation()
            WorkProgress.report(done, of: total)
            let size = max(1, (batch.count + parts - 1) / parts)
            let slices = stride(from: 0, to: batch.count, by: size).map {
                batch[$0..<min($0 + size, batch.count)]
            }
            let found = slices.concurrentlyMapped { items in
                Result { try findings(items, examine) }
            }
            var differing: [Int] = []
            for (at, finding) in try found.flatMap({ try $0.get() }) {
                differing.append(at)
                if let finding { for ids in batch[at].ids { collect(ids, finding) } }
            }
            recent.settle(batch.count, forgetting: differing)
            batch.removeAll(keepingCapacity: true)
            bytes = 0
            runs = 0
        }
        for run in common.runs {
            var id = run.lowerBound
            while id < run.upperBound {
                let a = try own.location(of: id), b = try its.location(of: id)
                let ids = id..<min(run.upperBound, a.end, b.end)
                id = ids.upperBound
                done += ids.count
                runs += 1
                switch recent.find(a, b, new: batch.count) {
                case .equal: continue
                case .item(let at): batch[at].ids.append(ids)
                case nil:
                    batch.append(Item(ids: [ids], first: a, second: b))
                    bytes += batch[batch.count - 1].bytes
                }
                if batch.count >= Self.batchLimit || runs >= Self.runLimit || bytes >= Self.byteLimit {
                    try flush()
                }
            }
        }
        try flush()
    }

    /// Returns the indices of items that differ as stored, with their findings.
    private func findings<Finding>(
        _ items: ArraySlice<Item>, _ examine: (Pair) throws -> Finding?
    ) throws -> [(at: Int, finding: Finding?)] {
        var own = BodyReader(first, items.lazy.map(\.first)),
            its = BodyReader(second, items.lazy.map(\.second))
        var found: [(at: Int, finding: Finding?)] = []
        for at in items.indices {
            let old = try own.read(items[at].first), new = try its.read(items[at].second)
            guard !old.isEqual(to: new), let id = items[at].ids.first?.lowerBound,
                let tile = TileID(hilbertID: id)
            else { continue }
            let pair = Pair(tile: tile, first: Array(old), second: Array(new))
            found.append((at, try examine(pair)))
        }
        return found
    }
}

/// The location of the body of consecutive tiles.
private struct TileBodyLocation: Sendable {
    /// The first tile.
    let id: UInt64
    /// The id after the last tile.
    let end: UInt64
    /// The section in the file; nil if the archive is read tile by tile.
    let section: FileSection?
}

/// The pairs of bodies that were found last. Those of earlier batches are equal.
private struct RecentPairs {
    enum State {
        case equal
        /// The index in the batch.
        case item(Int)
    }

    private struct Slot {
        var first: UInt64
        var second: UInt64
        /// The number of the item, counted over all batches.
        var number: Int
    }

    /// A direct-mapped cache.
    private var slots = [Slot](
        repeating: Slot(first: .max, second: .max, number: 0), count: RecentPairs.count)
    /// The number of the first item of the batch.
    private var start = 0

    private static let count = 1 << 12

    private func slot(_ first: UInt64, _ second: UInt64) -> Int {
        Int(ContentHash.mixed(first &+ second &* 0x9E37_79B9_7F4A_7C15) >> 32) & (Self.count - 1)
    }

    /// Returns the state of a pair, and remembers it as the next item of the batch if it is unknown.
    mutating func find(_ first: TileBodyLocation, _ second: TileBodyLocation, new index: Int) -> State? {
        guard let a = first.section?.offset, let b = second.section?.offset else { return nil }
        let at = slot(a, b)
        guard slots[at].first == a, slots[at].second == b else {
            slots[at] = Slot(first: a, second: b, number: start + index)
            return nil
        }
        return slots[at].number < start ? .equal : .item(slots[at].number - start)
    }

    /// Ends a batch, and forgets the items that differ, so that later tiles with them are examined again.
    mutating func settle(_ count: Int, forgetting differing: [Int]) {
        let forgotten = Set(differing.map { start + $0 })
        if !forgotten.isEmpty {
            for at in slots.indices where forgotten.contains(slots[at].number) { slots[at].first = .max }
        }
        start += count
    }
}

/// Finds the bodies of an archive's tiles in ascending order. Entries of PMTiles are read once.
private struct LocationCursor {
    private let input: ArchiveInput
    private let file: PMTilesFile?
    private var entries: PMTilesEntries?
    private var current: PMTilesDirectory.Entry?

    init(_ input: ArchiveInput) {
        self.input = input
        file = (input.archive as? PMTilesArchive)?.file
        entries = file.map { PMTilesEntries($0) }
    }

    /// Returns the location of a tile that the archive lists.
    /// - Parameter id: Greater than those before.
    mutating func location(of id: UInt64) throws -> TileBodyLocation {
        guard let file else { return TileBodyLocation(id: id, end: id + 1, section: nil) }
        while current.map({ $0.id <= id && id - $0.id >= UInt64($0.run) }) ?? true {
            guard let next = entries?.next() else { throw disorder(id) }
            if case .tiles(let entry) = next { current = entry }
        }
        guard let entry = current, entry.id <= id else { throw disorder(id) }
        return TileBodyLocation(
            id: id, end: entry.id + UInt64(entry.run),
            section: entry.length > 0 ? try file.index.section(ofTile: entry, ArchiveScan.name(id)) : nil)
    }

    private func disorder(_ id: UInt64) -> ArchiveFailure {
        ArchiveFailure(
            input.path, .damaged, "the entries are out of order at tile \(ArchiveScan.name(id))",
            "recreate the archive")
    }
}

/// Reads bodies at locations that are about in the order of the file.
private struct BodyReader {
    private let input: ArchiveInput
    private var window: ByteWindow?

    init(_ input: ArchiveInput, _ locations: some Sequence<TileBodyLocation>) {
        self.input = input
        let end = locations.reduce(0) { max($0, $1.section?.end ?? 0) }
        window = (input.archive as? PMTilesArchive).map { ByteWindow($0.file.bytes, until: end) }
    }

    mutating func read(_ location: TileBodyLocation) throws -> ArraySlice<UInt8> {
        if let section = location.section { return try window?.read(section) ?? [] }
        guard let tile = TileID(hilbertID: location.id) else { return [] }
        return try input.stored(tile)[...]
    }
}

extension ArraySlice<UInt8> {
    fileprivate func isEqual(to other: Self) -> Bool {
        count == other.count
            && withUnsafeBytes { own in
                other.withUnsafeBytes { its in
                    guard let a = own.baseAddress, let b = its.baseAddress else { return true }
                    return memcmp(a, b, own.count) == 0
                }
            }
    }
}

/// Reads parts of a file. If they are in the order of the file, they are read in long pieces.
struct ByteWindow {
    private let source: any ByteSource
    /// The end of the bytes that may be read in advance.
    private let limit: UInt64
    private var start: UInt64 = 0
    private var end: UInt64 = 0
    /// The bytes from `start` to `end`, then unused ones.
    private var bytes: [UInt8] = []
    private var ahead = leastAhead

    private static let leastAhead: UInt64 = 64 << 10
    /// The longest piece. Those of local files remain in the processor's cache until they are used.
    private static let mostAhead: UInt64 = 256 << 10, mostAheadRemote: UInt64 = 4 << 20

    /// - Parameter limit: The end of the last part.
    init(_ source: any ByteSource, until limit: UInt64) {
        self.source = source
        self.limit = limit
    }

    /// Returns a part. Parts before the last one are read alone.
    mutating func read(_ section: FileSection) throws(TileFailure) -> ArraySlice<UInt8> {
        guard section.offset >= start else {
            return try source.read(offset: section.offset, count: Int(section.length))[...]
        }
        if section.end > end {
            let most = source.isRemote ? Self.mostAheadRemote : Self.mostAhead
            ahead = section.offset <= end + Self.leastAhead ? min(ahead * 2, most) : Self.leastAhead
            let rest = max(min(source.size, limit), section.end) - section.offset
            let count = max(section.length, min(ahead, rest))
            start = section.offset
            end = start
            try source.read(offset: start, count: Int(count), into: &bytes)
            end = start + count
        }
        let at = Int(section.offset - start)
        return bytes[at..<at + Int(section.length)]
    }
}
