/// Gives the entries of a map one after the other, the nearest first. Of what is far away only the boxes of whole
/// blocks are looked at.
struct NearestEntries: Sequence, IteratorProtocol {
    private let map: SearchMap
    private let among: [Int]?
    private let point: SIMD2<Double>
    private let isWanted: (SearchMap.Entry) -> Bool
    /// Places in the map's list of entries; below zero, places in that of blocks.
    private var heap: [(distance: Double, place: Int)]

    /// - Parameters:
    ///   - ids: the ids that count, in order; nil: all.
    ///   - isWanted: asked of those that are near.
    init(_ map: SearchMap, among ids: [Int]? = nil, to point: SIMD2<Double>, where isWanted: @escaping (SearchMap.Entry) -> Bool) {
        (self.map, among, self.point, self.isWanted) = (map, ids, point, isWanted)
        heap = map.blocks.enumerated().map { ($1.box.distance(from: point), -1 - $0) }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    mutating func next() -> (distance: Double, entry: SearchMap.Entry)? {
        while let first = takeFirst() {
            if first.place >= 0 { return (first.distance, map.entries[first.place]) }
            open(map.blocks[-1 - first.place])
        }
        return nil
    }

    private mutating func open(_ block: SearchMap.Block) {
        guard let among else { return block.entries.forEach { add($0) } }
        var at = among.partition(from: map.entries[block.entries.lowerBound].id)
        for place in block.entries {
            while at < among.count, among[at] < map.entries[place].id { at += 1 }
            if at < among.count, among[at] == map.entries[place].id { add(place) }
        }
    }

    private mutating func add(_ place: Int) {
        let entry = map.entries[place]
        guard isWanted(entry) else { return }
        heap.append((entry.box.distance(from: point), place))
        rise(heap.count - 1)
    }

    // MARK: The heap

    private mutating func takeFirst() -> (distance: Double, place: Int)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink(0)
        }
        return first
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, heap[index].distance < heap[(index - 1) / 2].distance {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
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

extension [Int] {
    /// The first place, in order, whose number is not below one.
    fileprivate func partition(from number: Int) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
