internal import RhumbCore
internal import RhumbStore

/// How far one source of a region is while tiles come in any order: a value that knows up to which
/// tile all are settled, and what is to be written next.
struct PartLedger {
    private(set) var part: RegionPart
    /// Begun tiles in their order, the oldest first; settled ones wait for those before them.
    private var order: [TileID] = []
    private var first = 0
    private(set) var unwritten: [(tile: TileID, outcome: TileOutcome)] = []

    private let isInOrder: Bool

    /// - Parameter isInOrder: false: tiles come from the list of gaps, and how far the part is does
    ///   not change.
    init(_ part: RegionPart, isInOrder: Bool = true) {
        self.part = part
        self.isInOrder = isInOrder
    }

    /// Whether a tile was settled before the work was broken off.
    func isSettled(_ tile: TileID) -> Bool { part.ahead.contains(tile) }

    mutating func begin(_ tile: TileID) { if isInOrder { order.append(tile) } }

    /// Notes that a server was asked.
    mutating func ask() { part.requests += 1 }

    /// Notes what came of a tile.
    mutating func settle(_ tile: TileID, _ outcome: TileOutcome) {
        // It was counted as a gap before.
        if !isInOrder { part.failed -= 1 }
        count(outcome)
        unwritten.append((tile, outcome))
        pass(tile)
    }

    /// A tile that was settled before: nothing is counted or written.
    mutating func pass(_ tile: TileID) {
        guard isInOrder else { return }
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

    /// Hands over what is to be written.
    mutating func take() -> [(tile: TileID, outcome: TileOutcome)] {
        defer { unwritten = [] }
        return unwritten
    }

    private mutating func count(_ outcome: TileOutcome) {
        switch outcome {
        case .fetched(let response):
            if response.body == nil { part.absent += 1 } else { part.done += 1 }
            part.bytes += response.body?.count ?? 0
            part.loaded += 1
            part.loadedBytes += response.body?.count ?? 0
        case .reused(let response):
            part.reused += 1
            part.bytes += response.body?.count ?? 0
        case .carried(let response):
            part.unchanged += 1
            part.bytes += response.body?.count ?? 0
        case .present(let bytes, let isAbsent):
            if isAbsent { part.absent += 1 } else { part.reused += 1 }
            part.bytes += bytes
        case .unchanged(_, _, let bytes):
            part.unchanged += 1
            part.bytes += bytes
        case .failed: part.failed += 1
        }
    }
}
