internal import RhumbCore

/// Returns the entries of a map in order of distance. Of distant entries, only the boxes of whole blocks are
/// examined.
struct NearestEntries: Sequence, IteratorProtocol {
    private let map: SearchMap
    private let among: [Int]?
    private let point: SIMD2<Double>
    private let isWanted: (SearchMap.Entry) -> Bool
    private var heap = Heap<Candidate>()

    private struct Candidate: Comparable {
        let distance: Double
        /// The index in the map's list of entries, or, if negative, in the list of blocks.
        let index: Int

        static func < (a: Candidate, b: Candidate) -> Bool { a.distance < b.distance }
    }

    /// - Parameters:
    ///   - ids: The ids to include, in ascending order; nil for all.
    ///   - isWanted: Returns true for entries to include; called for near ones only.
    init(
        _ map: SearchMap, among ids: [Int]? = nil, to point: SIMD2<Double>,
        where isWanted: @escaping (SearchMap.Entry) -> Bool
    ) {
        self.map = map
        among = ids
        self.point = point
        self.isWanted = isWanted
        for (number, block) in map.blocks.enumerated() {
            heap.insert(Candidate(distance: block.box.distance(from: point), index: -1 - number))
        }
    }

    mutating func next() -> (distance: Double, entry: SearchMap.Entry)? {
        while let first = heap.popFirst() {
            if first.index >= 0 { return (first.distance, map.entries[first.index]) }
            open(map.blocks[-1 - first.index])
        }
        return nil
    }

    private mutating func open(_ block: SearchMap.Block) {
        guard let among else { return block.entries.forEach { add($0) } }
        let first = map.entries[block.entries.lowerBound].id
        var at = among.partitioningIndex { $0 >= first }
        for index in block.entries {
            while at < among.count, among[at] < map.entries[index].id { at += 1 }
            if at < among.count, among[at] == map.entries[index].id { add(index) }
        }
    }

    private mutating func add(_ index: Int) {
        let entry = map.entries[index]
        guard isWanted(entry) else { return }
        heap.insert(Candidate(distance: entry.box.distance(from: point), index: index))
    }
}
