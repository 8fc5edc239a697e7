internal import RhumbCore

/// The positions of an index's chunks, in memory.
struct SearchMap {
    struct Entry {
        let id: Int
        let source: Int
        let tile: TileID
        let box: Box
        let categories: UInt64
    }

    /// A bounding box in world coordinates.
    struct Box {
        var low: SIMD2<Double>, high: SIMD2<Double>

        /// Returns the squared distance from a point to the box, in widths of the world, the shorter way
        /// around it; 0 inside. The distance to a box is never less than the distance to a box that contains
        /// it.
        func distance(from point: SIMD2<Double>) -> Double {
            let gap = pointwiseMax(pointwiseMax(low - point, point - high), .zero)
            let across = min(gap.x, max(1 - max(high.x - point.x, point.x - low.x), 0))
            return across * across + gap.y * gap.y
        }
    }

    /// Consecutive entries, usually close to each other, with their bounding box.
    struct Block {
        let entries: Range<Int>
        let box: Box
    }

    /// The entries in the order of their ids.
    private(set) var entries: [Entry] = []
    private(set) var blocks: [Block] = []
    private static let blockSize = 64
    private var removals = -1

    subscript(id: Int) -> Entry? {
        let at = entries.partitioningIndex { $0.id >= id }
        return at < entries.count && entries[at].id == id ? entries[at] : nil
    }

    /// Reads added chunks, or all chunks if some were removed.
    /// - Returns: True if some were removed.
    @discardableResult
    mutating func follow(_ connection: Connection) throws(StoreFailure) -> Bool {
        let removals = try connection.integer(
            "SELECT coalesce((SELECT value FROM facts WHERE name = 'removals'), 0)")
        let isCut = removals != self.removals
        if isCut { entries = [] }
        self.removals = removals
        let rows = try connection.prepare(
            "SELECT id, source, z, x, y, west, north, east, south, categories FROM chunks WHERE id > ?1 ORDER BY id",
            to: "read the search index")
        try rows.bind(1, entries.last?.id ?? 0)
        while try rows.step() {
            guard let tile = TileID(zoom: rows.int(2) ?? -1, x: rows.int(3) ?? -1, y: rows.int(4) ?? -1)
            else { continue }
            func place(_ column: Int) -> SIMD2<Double> {
                let point = TileFeatures.world(
                    SIMD2(Int32(clamping: rows.int(column) ?? 0), Int32(clamping: rows.int(column + 1) ?? 0)),
                    in: tile)
                return SIMD2(point.x, point.y)
            }
            entries.append(
                Entry(
                    id: rows.int(0) ?? 0, source: rows.int(1) ?? 0, tile: tile,
                    box: Box(low: place(5), high: place(7)),
                    categories: UInt64(bitPattern: Int64(rows.int(9) ?? 0))))
        }
        blocks = stride(from: 0, to: entries.count, by: SearchMap.blockSize).map(block)
        return isCut
    }

    private func block(from first: Int) -> Block {
        let range = first..<min(first + SearchMap.blockSize, entries.count)
        let box = entries[range].dropFirst().reduce(into: entries[first].box) { box, entry in
            box.low = pointwiseMin(box.low, entry.box.low)
            box.high = pointwiseMax(box.high, entry.box.high)
        }
        return Block(entries: range, box: box)
    }
}
