internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// Reads the tiles that two archives have in common, and finds those whose bodies differ. Pairs of bodies
/// that many tiles share are compared once.
struct TileComparison {
    /// Tiles with the same two bodies, which differ as stored.
    struct Pair: Sendable {
        var ids: [Range<UInt64>]
        let first: [UInt8]
        let second: [UInt8]
    }

    /// The places of two bodies.
    private struct Places: Hashable {
        let first: UInt64
        let second: UInt64
    }

    private enum Known {
        case equal
        /// The index in the batch.
        case pending(Int)
    }

    private let first: ArchiveInput
    private let second: ArchiveInput
    private let take: ([Pair]) throws -> Void
    private var batch: [Pair] = []
    private var batchBytes = 0
    private var known: [Places: Known] = [:]
    /// The keys in `known` of pairs in the batch.
    private var pending: [Places] = []

    private static let batchLimit = 256
    private static let byteLimit = 8 << 20
    private static let knownLimit = 1 << 16

    /// - Parameter take: Called with batches of pairs.
    init(_ first: ArchiveInput, _ second: ArchiveInput, _ take: @escaping ([Pair]) throws -> Void) {
        self.first = first
        self.second = second
        self.take = take
    }

    /// Compares tiles that both archives have.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure` or `TileFailure` for a body that can't be read;
    ///   `CancellationError` if the task is cancelled; an error of `take`.
    mutating func run(_ common: TileRuns) throws {
        var own = BodyCursor(first), its = BodyCursor(second)
        let total = common.count
        var done = 0
        for run in common.runs {
            var id = run.lowerBound
            while id < run.upperBound {
                try Task.checkCancellation()
                WorkProgress.report(done, of: total)
                let a = try own.body(of: id), b = try its.body(of: id)
                let ids = id..<min(run.upperBound, a.end, b.end)
                try add(ids, a, b, &own, &its)
                done += ids.count
                id = ids.upperBound
            }
        }
        try flush()
    }

    private mutating func add(
        _ ids: Range<UInt64>, _ a: BodyCursor.Body, _ b: BodyCursor.Body, _ own: inout BodyCursor,
        _ its: inout BodyCursor
    ) throws {
        let places = a.offset.flatMap { first in b.offset.map { Places(first: first, second: $0) } }
        switch places.flatMap({ known[$0] }) {
        case .equal: return
        case .pending(let at):
            batch[at].ids.append(ids)
            return
        case nil: break
        }
        let old = try own.read(a), new = try its.read(b)
        if known.count >= Self.knownLimit { try flush() }
        guard !old.isEqual(to: new) else {
            if let places { known[places] = .equal }
            return
        }
        if let places {
            known[places] = .pending(batch.count)
            pending.append(places)
        }
        batch.append(Pair(ids: [ids], first: Array(old), second: Array(new)))
        batchBytes += old.count + new.count
        if batch.count >= Self.batchLimit || batchBytes >= Self.byteLimit { try flush() }
    }

    private mutating func flush() throws {
        try take(batch)
        batch.removeAll(keepingCapacity: true)
        batchBytes = 0
        if known.count >= Self.knownLimit { known.removeAll(keepingCapacity: true) }
        // Pairs that differ are examined again in the next batch.
        for places in pending { known[places] = nil }
        pending.removeAll(keepingCapacity: true)
    }
}

/// Finds the bodies of an archive's tiles in ascending order. Entries of PMTiles are read once.
private struct BodyCursor {
    /// The body of consecutive tiles.
    struct Body {
        let tile: TileID
        /// The id after the last tile.
        let end: UInt64
        /// The section in the file; nil if the archive is read tile by tile.
        let section: FileSection?

        var offset: UInt64? { section?.offset }
    }

    private let input: ArchiveInput
    private let file: PMTilesFile?
    private var entries: PMTilesEntries?
    private var current: PMTilesDirectory.Entry?
    private var window: ByteWindow?

    init(_ input: ArchiveInput) {
        self.input = input
        file = (input.archive as? PMTilesArchive)?.file
        entries = file.map { PMTilesEntries($0) }
        window = file.map { ByteWindow($0.bytes) }
    }

    /// Returns the body of a tile that the archive lists.
    /// - Parameter id: Greater than those before.
    mutating func body(of id: UInt64) throws -> Body {
        guard let tile = TileID(pmtilesID: id) else {
            throw ArchiveFailure(
                input.path, .damaged, "tile \(id) is beyond the deepest zoom", "recreate the archive")
        }
        guard let file else { return Body(tile: tile, end: id + 1, section: nil) }
        while current.map({ $0.id + UInt64($0.run) <= id }) ?? true {
            guard let next = entries?.next() else { throw disorder(tile) }
            if case .tiles(let entry) = next { current = entry }
        }
        guard let entry = current, entry.id <= id else { throw disorder(tile) }
        return Body(
            tile: tile, end: entry.id + UInt64(entry.run),
            section: try file.index.place(ofTile: entry, "\(tile)"))
    }

    private func disorder(_ tile: TileID) -> ArchiveFailure {
        ArchiveFailure(
            input.path, .damaged, "the entries are out of order at tile \(tile)", "recreate the archive")
    }

    mutating func read(_ body: Body) throws -> ArraySlice<UInt8> {
        guard let section = body.section else { return try input.stored(body.tile)[...] }
        return try window?.read(section) ?? []
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
