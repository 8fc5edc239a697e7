internal import RhumbCore
internal import RhumbStore

/// The progress of a region's source while tiles arrive in any order. It tracks the tile up to which all are
/// processed, and the results to write.
struct SourceProgress {
    private(set) var part: RegionSourceRecord
    /// The requested tiles in order, oldest first. Processed tiles stay until all tiles before them are
    /// processed.
    private var order: [TileID] = []
    private var first = 0
    private(set) var unwritten: [(tile: TileID, outcome: TileOutcome)] = []
    /// The size of the fetched tiles in `unwritten`, in bytes.
    private(set) var unwrittenBytes = 0

    private let isGap: (TileID) -> Bool

    /// - Parameter isGap: Returns true for a tile in the list of gaps. Gaps already count as failed, and
    ///   don't move the cursor.
    init(_ part: RegionSourceRecord, isGap: @escaping (TileID) -> Bool = { _ in false }) {
        self.part = part
        self.isGap = isGap
    }

    /// True if a tile was processed before the download was interrupted.
    func isSettled(_ tile: TileID) -> Bool { part.ahead.contains(tile) }

    mutating func begin(_ tile: TileID) { order.append(tile) }

    /// Counts requests.
    mutating func asked(_ requests: Int) { part.requests += requests }

    /// Records the result of a tile.
    mutating func settle(_ tile: TileID, _ outcome: TileOutcome) {
        count(outcome)
        unwritten.append((tile, outcome))
        if isGap(tile) { part.failed -= 1 } else { pass(tile) }
    }

    /// Advances the cursor past a processed tile, without counting or writing it.
    mutating func pass(_ tile: TileID) {
        part.ahead.insert(tile)
        while first < order.count, part.ahead.remove(order[first]) != nil {
            part.cursor = order[first]
            first += 1
        }
        if first > 1024 {
            order.removeFirst(first)
            first = 0
        }
    }

    /// Returns the results to write, and clears them.
    mutating func take() -> [(tile: TileID, outcome: TileOutcome)] {
        defer { (unwritten, unwrittenBytes) = ([], 0) }
        return unwritten
    }

    private mutating func count(_ outcome: TileOutcome) {
        switch outcome {
        case .fetched(let response):
            count(response.body?.count, as: \.done)
            unwrittenBytes += response.body?.count ?? 0
            part.loaded += 1
            part.loadedBytes += response.body?.count ?? 0
        case .reused(let response): count(response.body?.count, as: \.reused)
        case .carried(let response): count(response.body?.count, as: \.unchanged)
        case .present(let bytes, let isAbsent): count(isAbsent ? nil : bytes, as: \.reused)
        case .unchanged(_, _, let bytes): count(bytes > 0 ? bytes : nil, as: \.unchanged)
        case .failed: part.failed += 1
        }
    }

    /// - Parameter bytes: The size of the tile; nil if it doesn't exist.
    private mutating func count(_ bytes: Int?, as way: WritableKeyPath<RegionSourceRecord, Int>) {
        part[keyPath: bytes == nil ? \.absent : way] += 1
        part.bytes += bytes ?? 0
    }
}
