internal import RhumbCore

/// Searches by kind, by location and for houses.
extension SearchReader {
    /// The maximum number of chunks examined for a kind.
    private static let looked = 400

    /// Returns the nearest features of a kind, followed by those of related kinds.
    func nearestAndRelated(
        _ question: SearchQuestion, of kind: SearchKind
    ) throws(StoreFailure) -> [RankedFeature] {
        let meant = try nearest(question, of: kind, score: 8)
        guard kind.hasRelated, meant.count < question.limit else { return meant }
        return meant + (try nearest(question, of: kind, score: 4, isRelated: true))
    }

    /// Returns the features of a kind, nearest first.
    /// - Parameters:
    ///   - score: The score at a distance of 0.
    ///   - isRelated: True for features of related kinds only.
    func nearest(
        _ question: SearchQuestion, of kind: SearchKind, score: Double, isRelated: Bool = false
    ) throws(StoreFailure) -> [RankedFeature] {
        var question = question
        question.kind = kind
        let point = Mercator.world(question.near ?? Coordinate(latitude: 0, longitude: 0)),
            here = SIMD2(point.x, point.y)
        var found: [(distance: Double, feature: RankedFeature)] = [], looked = 0
        let limit = question.limit + question.limit / 2
        for (least, entry) in NearestEntries(
            map, to: here, where: { [question] in self.isWanted($0, question) })
        {
            if found.count >= limit, let last = found.last,
                least > last.distance || looked >= SearchReader.looked
            {
                break
            }
            looked += 1
            guard let chunk = try chunk(entry)?.chunk else { continue }
            for index in 0..<chunk.count where chunk.category(index) == kind.category {
                add(index, of: chunk, entry, here, question, (limit, score, isRelated), to: &found)
            }
        }
        return found.map(\.feature)
    }

    private func add(
        _ index: Int, of chunk: SearchChunk, _ entry: SearchMap.Entry, _ here: SIMD2<Double>,
        _ question: SearchQuestion,
        _ bounds: (limit: Int, score: Double, isRelated: Bool),
        to found: inout [(distance: Double, feature: RankedFeature)]
    ) {
        let world = TileFeatures.world(chunk.middle(index), in: chunk.tile),
            gap = SIMD2(world.x, world.y) - here
        let across = min(abs(gap.x), 1 - abs(gap.x)), distance = across * across + gap.y * gap.y
        guard found.count < bounds.limit || distance < found.last?.distance ?? 0 else { return }
        let thing = chunk.feature(index)
        guard let kind = question.kind, kind.category == thing.category,
            kind.isMeant(thing.kind) != bounds.isRelated
        else { return }
        var feature = FeatureMatch(thing, in: chunk.tile).seen(from: question.near)
        feature.isRelated = bounds.isRelated
        guard question.scope.bounds?.contains(feature.coordinate) ?? true else { return }
        let score = bounds.score - (feature.metres ?? 0) / 100_000
        let ranked = RankedFeature(
            feature: feature, score: score, fit: nil, source: sources[entry.source] ?? "", tile: chunk.tile)
        let at = found.firstIndex { $0.distance > distance } ?? found.count
        found.insert((distance, ranked), at: at)
        if found.count > bounds.limit { found.removeLast() }
    }

    /// Returns the houses with a number in the streets that were found.
    func houses(
        _ number: String, in streets: [RankedFeature], near: Coordinate?
    ) throws(StoreFailure) -> [RankedFeature] {
        var found: [RankedFeature] = [], seen: Set<FeatureMatch> = []
        for street in streets {
            guard let source = sources.first(where: { $0.value == street.source })?.key else { continue }
            let name = folding.fold(street.feature.name)
            for tile in tiles(of: street) {
                for house in try houses(source, tile) {
                    guard let match = HouseNumberText.match(house.number, number),
                        folding.fold(house.street) == name
                    else { continue }
                    let feature = FeatureMatch(house, in: tile).seen(from: near)
                    guard seen.insert(feature).inserted else { continue }
                    found.append(
                        RankedFeature(
                            feature: feature, score: street.score + (match == .exact ? 1 : 0.9), fit: .exact,
                            source: street.source,
                            tile: tile))
                }
            }
        }
        return found
    }

    /// Returns the tiles that a street crosses.
    private func tiles(of street: RankedFeature) -> [TileID] {
        let box = street.feature.box, zoom = street.tile.zoom, side = 1 / Double(1 << zoom)
        let first = TileID(
            zoom: zoom, containing: WorldPoint(x: box.minX - side / 20, y: box.minY - side / 20))
        let last = TileID(
            zoom: zoom, containing: WorldPoint(x: box.maxX + side / 20, y: box.maxY + side / 20))
        guard first.x <= last.x, first.y <= last.y, last.x - first.x < 8, last.y - first.y < 8 else {
            return [street.tile]
        }
        return (first.x...last.x).flatMap { x in
            (first.y...last.y).compactMap { TileID(zoom: zoom, x: x, y: $0) }
        }
    }
}

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
