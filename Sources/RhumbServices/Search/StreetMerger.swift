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
    /// Maximum distance between two pieces of one street.
    private let gap: Int32
    /// Maximum distance between a house without a street name and its street.
    private let reach: Int32

    init(tile: TileID, reach: Int32? = nil) {
        gap = TileFeatures.units(metres: 150, in: tile)
        self.reach = reach ?? TileFeatures.units(metres: 90, in: tile)
    }

    mutating func add(_ thing: IndexedFeature, _ shape: SearchShape) {
        guard !shape.pieces.isEmpty else { return }
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
        let grid = StreetGrid(
            pieces.flatMap { name, pieces in pieces.flatMap { $0.segments.map { (name, $0) } } },
            cell: max(reach, 64))
        return houses.map { house in
            guard house.street.isEmpty else { return house }
            var house = house
            house.street = grid.nearest(to: house.place, within: reach) ?? ""
            return house
        }
    }
}

/// Street segments, indexed by the cells of a grid that their boxes touch.
private struct StreetGrid {
    private var cells: [SIMD2<Int32>: [Int]] = [:]
    private let segments: [(name: String, segment: (from: SIMD2<Int32>, to: SIMD2<Int32>))]
    private let cell: Int32

    init(_ segments: [(String, (from: SIMD2<Int32>, to: SIMD2<Int32>))], cell: Int32) {
        self.segments = segments.map { ($0.0, $0.1) }
        self.cell = cell
        for (index, entry) in self.segments.enumerated() {
            let low = square(pointwiseMin(entry.segment.from, entry.segment.to)),
                high = square(pointwiseMax(entry.segment.from, entry.segment.to))
            for x in low.x...high.x {
                for y in low.y...high.y { cells[SIMD2(x, y), default: []].append(index) }
            }
        }
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
