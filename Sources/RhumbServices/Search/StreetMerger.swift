internal import RhumbBase
internal import RhumbGeo
internal import RhumbVector

/// Merges the pieces of a tile's streets by name.
struct StreetMerger {
    private typealias Place = IndexedFeature.Place
    private typealias Segment = (from: Place, to: Place)

    private struct Piece {
        let thing: IndexedFeature
        let segments: [(from: IndexedFeature.Place, to: IndexedFeature.Place)]
    }

    private var pieces: [String: [Piece]] = [:]
    /// The number of pieces.
    private(set) var count = 0
    /// Maximum distance between two pieces of one street.
    private let gap: Int32
    /// Maximum distance between a house without a street name and its street.
    private let reach: Int32
    /// The maximum number of separate streets of one name to which further pieces are compared.
    private static let groupLimit = 1000
    /// The maximum number of segments among which the streets of houses are found.
    private static let segmentLimit = 200_000

    init(tile: TileID, reach: Int32? = nil) {
        gap = TileFeatures.units(metres: 150, in: tile)
        self.reach = reach ?? TileFeatures.units(metres: 90, in: tile)
    }

    mutating func add(_ thing: IndexedFeature, _ shape: SearchShape) {
        guard !shape.pieces.isEmpty else { return }
        count += 1
        pieces[thing.name, default: []].append(Piece(thing: thing, segments: shape.pieces))
    }

    /// Returns the segments of all streets with a name.
    func segments(of name: String) -> [(from: IndexedFeature.Place, to: IndexedFeature.Place)] {
        pieces[name, default: []].flatMap(\.segments)
    }

    // MARK: Merging

    /// The merged streets.
    var joined: [IndexedFeature] {
        pieces.sorted { $0.key < $1.key }.flatMap { groups(of: $0.value).map(street) }
    }

    /// Groups the pieces that are near each other.
    private func groups(of all: [Piece]) -> [[Piece]] {
        var groups: [(low: Place, high: Place, pieces: [Piece])] = []
        for piece in all {
            var group = (low: piece.thing.low, high: piece.thing.high, pieces: [piece])
            guard groups.count < Self.groupLimit else {
                groups.append(group)
                continue
            }
            var rest: [(low: Place, high: Place, pieces: [Piece])] = []
            for other in groups {
                guard isNear(group.low, group.high, other.low, other.high) else {
                    rest.append(other)
                    continue
                }
                group = (
                    pointwiseMin(group.low, other.low), pointwiseMax(group.high, other.high),
                    other.pieces + group.pieces
                )
            }
            groups = rest + [group]
        }
        return groups.map(\.pieces)
    }

    private func isNear(_ low: Place, _ high: Place, _ otherLow: Place, _ otherHigh: Place) -> Bool {
        all(low .<= otherHigh &+ gap) && all(otherLow .<= high &+ gap)
    }

    /// Merges the pieces of one street. The kind is that of the piece with the most segments.
    private func street(_ pieces: [Piece]) -> IndexedFeature {
        var street = pieces.max { $0.segments.count < $1.segments.count }?.thing ?? pieces[0].thing
        street.middle = SearchShape.middle(of: pieces.flatMap(\.segments)) ?? street.middle
        var names: Set = [street.name]
        street.otherNames = pieces.flatMap(\.thing.otherNames).filter { names.insert($0).inserted }
        for piece in pieces {
            street.low = pointwiseMin(street.low, piece.thing.low)
            street.high = pointwiseMax(street.high, piece.thing.high)
        }
        return street
    }

    // MARK: Houses

    /// Returns the houses, with the name of the nearest street where theirs is missing.
    func named(_ houses: [HouseNumber]) -> [HouseNumber] {
        guard houses.contains(where: { $0.street.isEmpty }) else { return houses }
        let segments = pieces.lazy.flatMap { name, pieces in
            pieces.lazy.flatMap { $0.segments.lazy.map { (name, $0) } }
        }
        let grid = StreetGrid(Array(segments.prefix(Self.segmentLimit)), cell: max(reach, 64))
        return houses.map { house in
            guard house.street.isEmpty else { return house }
            var house = house
            house.street = grid.nearest(to: house.place, within: reach) ?? ""
            return house
        }
    }
}

/// Street segments, indexed by the cells of a grid through which they run.
private struct StreetGrid {
    /// The maximum number of segments in a cell, about ten times that of a dense city.
    private static let crowd = 1000

    private var cells: [SIMD2<Int32>: [Int]] = [:]
    private let segments: [(name: String, segment: (from: SIMD2<Int32>, to: SIMD2<Int32>))]
    private let cell: Int32

    init(_ segments: [(String, (from: SIMD2<Int32>, to: SIMD2<Int32>))], cell: Int32) {
        self.segments = segments.map { ($0.0, $0.1) }
        self.cell = cell
        for (index, entry) in self.segments.enumerated() {
            let ends = (square(entry.segment.from).y, square(entry.segment.to).y)
            for y in min(ends.0, ends.1)...max(ends.0, ends.1) {
                // Of a long diagonal, only the cells along it are filled.
                for x in columns(of: entry.segment, inRow: y)
                where cells[SIMD2(x, y), default: []].count < Self.crowd {
                    cells[SIMD2(x, y), default: []].append(index)
                }
            }
        }
    }

    /// Returns the columns through which a segment runs in a row. The outer rows extend beyond the tile.
    private func columns(
        of segment: (from: SIMD2<Int32>, to: SIMD2<Int32>), inRow row: Int32
    ) -> ClosedRange<Int32> {
        let from = SIMD2<Double>(segment.from), step = SIMD2<Double>(segment.to) - from
        func column(atEdge y: Double) -> Int32 {
            let share = min(max((y - from.y) / step.y, 0), 1)
            return square(SIMD2(Int32(clamping: (from.x + share * step.x).rounded(.down)), 0)).x
        }
        guard step.y != 0 else {
            let low = min(segment.from.x, segment.to.x), high = max(segment.from.x, segment.to.x)
            return square(SIMD2(low, 0)).x...square(SIMD2(high, 0)).x
        }
        let top = row == 0 ? -.infinity : Double(row * cell)
        let bottom = row == TileFeatures.extent / cell ? .infinity : Double((row + 1) * cell)
        let ends = (column(atEdge: top), column(atEdge: bottom))
        return min(ends.0, ends.1)...max(ends.0, ends.1)
    }

    private func square(_ place: SIMD2<Int32>) -> SIMD2<Int32> {
        pointwiseMin(pointwiseMax(place, .zero), SIMD2(repeating: TileFeatures.extent)) / cell
    }

    func nearest(to place: SIMD2<Int32>, within reach: Int32) -> String? {
        let center = square(place)
        var best = (metres: Double(reach), name: String?.none)
        for x in center.x - 1...center.x + 1 {
            for y in center.y - 1...center.y + 1 {
                for index in cells[SIMD2(x, y)] ?? [] {
                    let distance = distance(place, segments[index].segment)
                    if distance < best.metres { best = (distance, segments[index].name) }
                }
            }
        }
        return best.name
    }

    private func distance(_ place: SIMD2<Int32>, _ segment: (from: SIMD2<Int32>, to: SIMD2<Int32>)) -> Double
    {
        let from = SIMD2<Double>(segment.from), step = SIMD2<Double>(segment.to) - from,
            here = SIMD2<Double>(place)
        let square = (step * step).sum()
        let share = square > 0 ? min(max(((here - from) * step).sum() / square, 0), 1) : 0
        return (from + share * step - here).length
    }
}
