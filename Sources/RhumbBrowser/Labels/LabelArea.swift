internal import CDefaults
internal import Glibc
internal import RhumbCore

/// A country, an ocean, a sea or a lake whose name is written across its area.
///
/// `Assets/labels.tsv` has a line for each country and ocean, most important first. Its fields are separated
/// by tabs:
///
///     kind       "country" or "ocean"
///     code       ISO 3166-1 alpha-2; empty for oceans
///     rank       zoom from which Natural Earth labels it
///     people     population
///     middle     latitude, longitude
///     names      usual, own and English name; the last two may be empty
///     outlines   one field each: steps in 32768ths of the Mercator square, x and y, encoded as in `Polyline`
struct LabelArea: Sendable {
    /// The area's name in each language, and its country code.
    let place: NamedPlace
    /// The zoom from which Natural Earth labels the area on a screen map.
    let rank: Double
    /// The outlines, largest first, each with its bounding box.
    let rings: [Ring]
    /// The area of the outlines on the Mercator square.
    let size: Double

    /// An outline or a line. Its points are integers, because the program holds hundreds of thousands.
    struct Ring: Sendable {
        /// The points in steps of `length`.
        private let steps: [SIMD2<Int32>]
        private let length: Double
        let box: WorldBox
        let size: Double

        /// The points on the Mercator square.
        var points: LazyMapSequence<[SIMD2<Int32>], WorldPoint> {
            steps.lazy.map { [length] in Self.point($0, length) }
        }

        private static func point(_ step: SIMD2<Int32>, _ length: Double) -> WorldPoint {
            WorldPoint(x: Double(step.x) * length, y: Double(step.y) * length)
        }
    }

    /// The areas embedded in the program.
    static let embedded = TablePieces.lines(of: rhumb_asset_labels().table).compactMap { LabelArea($0) }
    /// The names of the embedded countries.
    static let countryNames = texts(6, of: "country")
    /// The codes of the embedded countries.
    static let codes = texts(1, of: "country").subtracting([""])
    /// The names of the embedded oceans.
    static let oceans = texts(6, of: "ocean")

    /// Returns the texts in a field of all areas of a kind, whose outlines are not decoded for them.
    private static func texts(_ field: Int, of kind: String) -> Set<String> {
        Set(
            TablePieces.lines(of: rhumb_asset_labels().table).compactMap { line in
                let fields = Array(TablePieces.fields(of: line).prefix(field + 1))
                return fields.count > field && fields[0].elementsEqual(kind.utf8) ? fields[field].text : nil
            })
    }

    /// Returns the width in metres of a view of the main parts of a country: of those with a quarter of the
    /// largest one's area. nil for a country without outlines.
    static func extent(ofCountry code: String) -> Double? {
        let line = TablePieces.lines(of: rhumb_asset_labels().table).first { line in
            let fields = Array(TablePieces.fields(of: line).prefix(2))
            return fields.count > 1 && fields[0].elementsEqual("country".utf8)
                && fields[1].elementsEqual(code.utf8)
        }
        guard !code.isEmpty, let rings = line.flatMap({ LabelArea($0) })?.rings else { return nil }
        func narrowing(_ box: WorldBox) -> Double {
            let middle = WorldPoint(x: 0.5, y: (box.minY + box.maxY) / 2)
            return cos(Mercator.coordinate(middle).latitude.radians)
        }
        let areas = rings.map { $0.size * narrowing($0.box) * narrowing($0.box) }
        guard let largest = areas.indices.max(by: { areas[$0] < areas[$1] }) else { return nil }
        var box = rings[largest].box
        for (ring, area) in zip(rings, areas) where area >= areas[largest] / 4 {
            let wider = WorldBox(
                minX: min(box.minX, ring.box.minX), minY: min(box.minY, ring.box.minY),
                maxX: max(box.maxX, ring.box.maxX), maxY: max(box.maxY, ring.box.maxY))
            // Parts on both sides of the antimeridian have no common box.
            if wider.maxX - wider.minX < 0.5 { box = wider }
        }
        let metres = narrowing(box) * 2 * .pi * Mercator.earthRadius
        // A view is wider than high.
        return max(box.maxX - box.minX, (box.maxY - box.minY) * 1.5) * metres * 1.25
    }

    /// True for oceans, seas and lakes.
    var isOcean: Bool { place.kind == .water }

    /// Creates the area of a lake or a sea; nil without parts.
    init?(_ parts: [NaturalFeature]) {
        guard let first = parts.first else { return nil }
        place = first.place
        rank = 0
        rings = parts.flatMap(\.shapes)
        size = rings.reduce(0) { $0 + $1.size }
    }

    private static let side = 32768.0

    private init?(_ line: TableBytes) {
        let fields = Array(TablePieces.fields(of: line))
        guard fields.count > 9 else { return nil }
        func name(_ at: Int) -> String? { fields[at].isEmpty ? nil : fields[at].text }
        rings = fields.dropFirst(9).compactMap { Ring($0, side: Self.side, least: 3) }
        guard let rank = fields[2].number, let people = fields[3].number.flatMap(Int.init(exactly:)),
            !rings.isEmpty, let north = fields[4].number, let east = fields[5].number
        else { return nil }
        self.rank = rank
        size = rings.reduce(0) { $0 + $1.size }
        let usual = fields[6].text
        place = NamedPlace(
            number: 0, name: usual, localName: name(7), englishName: name(8),
            kind: fields[0].elementsEqual("ocean".utf8) ? .water : .country, countryCode: fields[1].text,
            country: usual, region: "",
            coordinate: Coordinate(latitude: north, longitude: east), population: people)
    }
}

extension LabelArea.Ring {
    /// The middle of the widest part of the outline's middle row, which is inside the area.
    var middle: WorldPoint {
        let y = (box.minY + box.maxY) / 2
        var crossings: [Double] = [], last = points[points.count - 1]
        for point in points {
            if (last.y < y) != (point.y < y) {
                crossings.append(last.x + (y - last.y) / (point.y - last.y) * (point.x - last.x))
            }
            last = point
        }
        crossings.sort()
        let parts = stride(from: 1, to: crossings.count, by: 2).map { crossings[$0 - 1]...crossings[$0] }
        let widest = parts.max { $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound }
        return widest.map { WorldPoint(x: ($0.lowerBound + $0.upperBound) / 2, y: y) } ?? last
    }

    /// Decodes an outline. Returns nil if it has fewer than `least` points.
    /// - Parameters:
    ///   - side: The number of steps per side of the Mercator square.
    ///   - least: The minimum number of points.
    init?(_ text: TableBytes, side: Double, least: Int) {
        var steps: [SIMD2<Int32>] = []
        steps.reserveCapacity(text.count / 3)
        steps.append(contentsOf: text.points)
        let length = 1 / side
        guard steps.count >= least, var last = steps.last.map({ Self.point($0, length) }) else { return nil }
        var box = WorldBox(minX: last.x, minY: last.y, maxX: last.x, maxY: last.y), doubled = 0.0
        for step in steps {
            let point = Self.point(step, length)
            box.minX = min(box.minX, point.x)
            box.maxX = max(box.maxX, point.x)
            box.minY = min(box.minY, point.y)
            box.maxY = max(box.maxY, point.y)
            doubled += last.x * point.y - point.x * last.y
            last = point
        }
        // The copy has no spare capacity.
        self.steps = Array(steps[...])
        self.length = length
        self.box = box
        size = abs(doubled) / 2
    }
}
