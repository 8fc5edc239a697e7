internal import RhumbCore
internal import RhumbStore

/// The progress of one source of a region while tiles arrive in any order: a value that knows the tile up to
/// which all are settled, and the tiles to write next.
struct PartProgress {
    private(set) var part: RegionPart
    /// Begun tiles in their order, the oldest first; settled ones wait for those before them.
    private var order: [TileID] = []
    private var first = 0
    private(set) var unwritten: [(tile: TileID, outcome: TileOutcome)] = []
    /// Of the bodies that came.
    private(set) var unwrittenBytes = 0

    private let isGap: (TileID) -> Bool

    /// - Parameter isGap: whether a tile is in the list of gaps: such tiles are counted as failed, and
    ///   how far the part is does not change by them.
    init(_ part: RegionPart, isGap: @escaping (TileID) -> Bool = { _ in false }) {
        self.part = part
        self.isGap = isGap
    }

    /// Returns true if a tile was settled before the work was interrupted.
    func isSettled(_ tile: TileID) -> Bool { part.ahead.contains(tile) }

    mutating func begin(_ tile: TileID) { order.append(tile) }

    /// Notes how often a server was asked.
    mutating func asked(_ requests: Int) { part.requests += requests }

    /// Records the outcome of a tile.
    mutating func settle(_ tile: TileID, _ outcome: TileOutcome) {
        count(outcome)
        unwritten.append((tile, outcome))
        if isGap(tile) { part.failed -= 1 } else { pass(tile) }
    }

    /// A tile that was settled before: nothing is counted or written.
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

    /// Takes out the tiles to write.
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

    /// - Parameter bytes: of the body; nil: the tile is known not to exist.
    private mutating func count(_ bytes: Int?, as way: WritableKeyPath<RegionPart, Int>) {
        part[keyPath: bytes == nil ? \.absent : way] += 1
        part.bytes += bytes ?? 0
    }
}
