internal import RhumbCore

/// Where the chunks of an index lie: all of them, in memory.
struct SearchMap {
    struct Entry {
        let id: Int
        let source: Int
        let tile: TileID
        /// On the world.
        let low: SIMD2<Double>, high: SIMD2<Double>
        let categories: UInt64

        /// How far a point lies outside its box, squared, in widths of the world; never farther than half round.
        func distance(from point: SIMD2<Double>) -> Double {
            let gap = pointwiseMax(pointwiseMax(low - point, point - high), .zero)
            let across = min(gap.x, max(1 - max(high.x - point.x, point.x - low.x), 0))
            return across * across + gap.y * gap.y
        }
    }

    /// By their ids.
    private(set) var entries: [Entry] = []
    private var removals = -1

    subscript(id: Int) -> Entry? {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].id == id ? entries[low] : nil
    }

    /// Reads what was added, or everything if something was taken out.
    mutating func follow(_ connection: Connection) throws(StoreFailure) {
        let removals = try connection.integer("SELECT coalesce((SELECT value FROM facts WHERE name = 'removals'), 0)")
        if removals != self.removals { entries = [] }
        self.removals = removals
        let rows = try connection.prepare(
            "SELECT id, source, z, x, y, west, north, east, south, categories FROM chunks WHERE id > ?1 ORDER BY id", to: "read the search index")
        try rows.bind(1, entries.last?.id ?? 0)
        while try rows.step() {
            guard let tile = TileID(zoom: rows.int(2) ?? -1, x: rows.int(3) ?? -1, y: rows.int(4) ?? -1) else { continue }
            func place(_ column: Int) -> SIMD2<Double> {
                let point = TileFeatures.world(SIMD2(Int32(clamping: rows.int(column) ?? 0), Int32(clamping: rows.int(column + 1) ?? 0)), in: tile)
                return SIMD2(point.x, point.y)
            }
            entries.append(
                Entry(
                    id: rows.int(0) ?? 0, source: rows.int(1) ?? 0, tile: tile, low: place(5), high: place(7),
                    categories: UInt64(bitPattern: Int64(rows.int(9) ?? 0))))
        }
    }
}

/// Gives the nearest of some entries one after the other, without putting all of them in order.
struct NearestEntries: Sequence, IteratorProtocol {
    private var heap: [(distance: Double, entry: SearchMap.Entry)]

    init(_ entries: some Sequence<SearchMap.Entry>, to point: SIMD2<Double>) {
        heap = entries.map { ($0.distance(from: point), $0) }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    mutating func next() -> (distance: Double, entry: SearchMap.Entry)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink(0)
        }
        return first
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].distance < heap[least].distance { least = child }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
