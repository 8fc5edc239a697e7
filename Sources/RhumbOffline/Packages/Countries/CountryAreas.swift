internal import CDefaults
internal import Glibc
package import RhumbCore
internal import RhumbEngine
internal import RhumbOpening
internal import RhumbStore

/// The outlines of the world's countries and provinces, embedded in the library:
///
///     "RhumbAR1", then, compressed with gzip:
///     steps        the coordinate units per degree
///     arcs         count; for each: count of its points, and the offset of each point from the one before:
///                  east, north
///     continents   count and names
///     countries    count; for each: code, name, index of its continent, area; its provinces: count, and
///                  for each: name and area
///
/// An area is its count of polygons, for each polygon its count of rings (the outer one first), and for each
/// ring its count of arcs and the references to them. A reference is the difference from the previous one;
/// arc n is n forwards and -1 - n backwards. Numbers are unsigned LEB128; signed ones are zigzag encoded: 0,
/// -1, 1, …. A name is its count of bytes, followed by UTF-8.
package struct CountryAreas: Sendable {
    package struct Area: Sendable {
        package let name: String
        /// The box around the area.
        private let box: PackageArea
        private let outline: Lazy<PackageArea?>

        /// The outlines. They are joined from arcs when first needed: for all countries this takes 10 ms, and
        /// a question about a place needs a few.
        package var ground: PackageArea { outline.value ?? box }

        fileprivate init(_ name: String, _ box: PackageArea, _ outline: Lazy<PackageArea?>) {
            self.name = name
            self.box = box
            self.outline = outline
        }

        /// Returns true if the area contains a place. Edges belong to it.
        package func contains(_ place: Coordinate) -> Bool { box.contains(place) && ground.contains(place) }

        /// Returns a lower limit of the distance to a place in degrees of latitude.
        package func distanceToBox(_ place: Coordinate) -> Double { box.distanceToBox(place) }
    }

    package struct Country: Sendable {
        package let code: String
        let continent: Int
        package let area: Area
        private let lazyProvinces: Lazy<[Area]>

        /// The provinces. They are read when first needed: there are 4,600, and a question about a place
        /// needs those of one country.
        package var provinces: [Area] { lazyProvinces.value }

        fileprivate init(_ code: String, continent: Int, _ area: Area, _ provinces: Lazy<[Area]>) {
            self.code = code
            self.continent = continent
            self.area = area
            lazyProvinces = provinces
        }
    }

    let continents: [String]
    package let countries: [Country]
    private let arcs: CountryArcs
    /// The numbers of the arcs that belong to a single country.
    private let coasts: [Int]

    /// The embedded areas; nil if they are damaged.
    package static let embedded = CountryAreas(rhumb_asset_countries().array)

    private static let mark = Array("RhumbAR1".utf8)

    /// Fails if the bytes don't have the format above.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: CountryAreas.mark),
            let plain = try? Gzip.unpacked(Array(bytes.dropFirst(CountryAreas.mark.count)))
        else { return nil }
        var reader = CountryReader(plain)
        do { try reader.read() } catch { return nil }
        continents = reader.continents
        countries = reader.countries
        arcs = reader.arcs
        coasts = reader.uses.indices.filter { reader.uses[$0] == 1 }
    }

    /// Returns the nearest point of a coast, and the direction of the sea there in degrees clockwise from
    /// north; nil if there is none within a distance in degrees of latitude.
    package func coast(near place: Coordinate, within reach: Double) -> (point: Coordinate, sea: Double)? {
        guard let (point, way) = arcs.nearest(among: coasts, to: place, within: reach) else { return nil }
        // The sea is on the side of the edge that belongs to no country, also some way off: estuaries have
        // no country, either.
        let sides = [way + 90, way - 90].filter { degrees in
            Self.steps.allSatisfy { step in
                let (east, north) = (sin(degrees.radians), cos(degrees.radians))
                let spot = Coordinate(
                    latitude: point.latitude + step * north,
                    longitude: point.longitude + step * east / cos(point.latitude.radians))
                return !countries.contains { $0.area.contains(spot) }
            }
        }
        return sides.count == 1 ? (point, sides[0]) : nil
    }

    /// The distances in degrees beside a coast at which there is sea.
    private static let steps = [0.003, 0.02, 0.04]
}

/// The parts of outlines, which neighbours share.
private struct CountryArcs: Sendable {
    /// Polygons, each an outer ring and its holes; a ring is a list of references to arcs.
    typealias Polygons = [[[Int]]]
    typealias Corner = SIMD2<Int32>
    typealias Box = (low: Corner, high: Corner)

    let scale: Double
    private(set) var corners: [Corner] = []
    /// The index of the first corner of each arc, and at the end the number of corners.
    private(set) var starts = [0]
    private(set) var boxes: [Box] = []

    init(scale: Double) { self.scale = scale }

    /// Adds an arc from the offsets of its corners, each from the one before.
    mutating func add(_ offsets: [UInt64], from corner: inout Corner) {
        var box: Box?
        for at in stride(from: 0, to: offsets.count - 1, by: 2) {
            corner &+= Corner(
                Int32(truncatingIfNeeded: Self.signed(offsets[at])),
                Int32(truncatingIfNeeded: Self.signed(offsets[at + 1])))
            corners.append(corner)
            box =
                box.map { (pointwiseMin($0.low, corner), pointwiseMax($0.high, corner)) } ?? (corner, corner)
        }
        boxes.append(box ?? (corner, corner))
        starts.append(corners.count)
    }

    /// Returns the number of a zigzag encoding.
    static func signed(_ folded: UInt64) -> Int {
        let half = Int(truncatingIfNeeded: (folded & 0xFFFF_FFFF) >> 1)
        return folded & 1 == 0 ? half : -half - 1
    }

    var count: Int { boxes.count }

    /// Returns the number of the arc that a reference names.
    static func number(_ reference: Int) -> Int { reference >= 0 ? reference : -1 - reference }

    private func position(_ corner: Corner) -> Position {
        Position(longitude: Double(corner.x) * scale, latitude: Double(corner.y) * scale)
    }

    /// Returns a box as an area; nil if it is beyond the map.
    func area(of box: Box) -> PackageArea? {
        let (low, high) = box, ring = [low, Corner(high.x, low.y), high, Corner(low.x, high.y)]
        return PackageArea(polygons: [[ring.map(position)]])
    }

    /// Returns the nearest point of some arcs and the direction of its edge in degrees; nil if there is none
    /// within a distance in degrees of latitude.
    func nearest(
        among arcs: [Int], to place: Coordinate, within reach: Double
    ) -> (point: Coordinate, way: Double)? {
        let scale = SIMD2(self.scale * cos(place.latitude.radians), self.scale)
        let here = SIMD2(place.longitude, place.latitude) / self.scale, date = 180 / self.scale
        var best: (point: SIMD2<Double>, step: SIMD2<Double>)?, least = reach
        for arc in arcs {
            let low = SIMD2<Double>(boxes[arc].low), high = SIMD2<Double>(boxes[arc].high)
            let gap = pointwiseMax(pointwiseMax(low - here, here - high), .zero) * scale
            guard (gap * gap).sum() < least * least else { continue }
            for at in starts[arc]..<starts[arc + 1] - 1 {
                let from = SIMD2<Double>(corners[at]), to = SIMD2<Double>(corners[at + 1])
                // Outlines are cut at the antimeridian.
                if abs(from.x) == date, abs(to.x) == date { continue }
                let ends = [(from - here) * scale, (to - here) * scale]
                let nearest = PlaneGeometry.nearest(.zero, along: ends)
                if nearest.distance < least {
                    (best, least) = ((nearest.point, ends[1] - ends[0]), nearest.distance)
                }
            }
        }
        return best.map { point, step in
            let spot = here * self.scale + point / SIMD2(cos(place.latitude.radians), 1)
            return (
                Coordinate(latitude: spot.y, longitude: spot.x), atan2(step.x, step.y).degrees
            )
        }
    }

    func area(of polygons: Polygons) -> PackageArea? {
        PackageArea(polygons: polygons.map { polygon in polygon.map { ring($0) } })
    }

    private func ring(_ references: [Int]) -> [Position] {
        var ring: [Position] = []
        for reference in references {
            let number = Self.number(reference)
            let arc = corners[starts[number]..<starts[number + 1]]
            // The last corner of an arc is the first one of the next.
            if reference >= 0 {
                ring += arc.dropLast().lazy.map(position)
            } else {
                ring += arc.dropFirst().reversed().lazy.map(position)
            }
        }
        return ring
    }
}

private struct CountryReader {
    private(set) var continents: [String] = []
    private(set) var countries: [CountryAreas.Country] = []
    private(set) var arcs = CountryArcs(scale: 1)
    /// The number of outlines of countries that each arc belongs to.
    private(set) var uses: [UInt8] = []
    private var numbers: Varints

    init(_ bytes: [UInt8]) { numbers = Varints(bytes) }

    /// Creates a reader of the provinces of a country.
    private init(_ numbers: Varints, _ arcs: CountryArcs) {
        self.numbers = numbers
        self.arcs = arcs
    }

    mutating func read() throws {
        let steps = try number()
        guard steps > 0 else { throw Varints.Failure.damaged }
        arcs = CountryArcs(scale: 1 / Double(steps))
        var corner = CountryArcs.Corner.zero
        for _ in 0..<(try number()) {
            let count = try number()
            guard count > 1 else { throw Varints.Failure.damaged }
            arcs.add(try numbers.next(2 * count, "an offset"), from: &corner)
        }
        var uses = Array(repeating: UInt8(0), count: arcs.count)
        for _ in 0..<(try number()) { continents.append(try text()) }
        for _ in 0..<(try number()) {
            let code = try text(), name = try text(), continent = try number()
            let area = try area(name) { uses[$0] &+= 1 }
            guard continents.indices.contains(continent) else { throw Varints.Failure.damaged }
            let start = CountryReader(numbers, arcs)
            try skipProvinces()
            countries.append(
                CountryAreas.Country(
                    code, continent: continent, area,
                    Lazy {
                        var reader = start
                        return (try? reader.provinces()) ?? []
                    }))
        }
        self.uses = uses
    }

    private mutating func provinces() throws -> [CountryAreas.Area] {
        var provinces: [CountryAreas.Area] = []
        for _ in 0..<(try number()) { provinces.append(try area(try text())) }
        return provinces
    }

    private mutating func skipProvinces() throws {
        for _ in 0..<(try number()) {
            guard numbers.bytes(try number()) != nil else { throw Varints.Failure.damaged }
            for _ in 0..<(try number()) {
                for _ in 0..<(try number()) { try numbers.skip(try number(), "a reference") }
            }
        }
    }

    /// Reads the box around an area. The polygons are read again when the outline is needed, because to keep
    /// those of all provinces takes 6 ms.
    private mutating func area(_ name: String, _ use: (Int) -> Void = { _ in }) throws -> CountryAreas.Area {
        let start = numbers, arcs = arcs
        var box: CountryArcs.Box?
        try Self.readPolygons(&numbers, of: arcs) { ring in
            for number in ring.lazy.map(CountryArcs.number) {
                let part = arcs.boxes[number]
                box =
                    box.map { (pointwiseMin($0.low, part.low), pointwiseMax($0.high, part.high)) } ?? part
                use(number)
            }
        }
        guard let area = box.flatMap(arcs.area(of:)) else { throw Varints.Failure.damaged }
        return CountryAreas.Area(
            name, area,
            Lazy {
                var numbers = start
                return (try? Self.readPolygons(&numbers, of: arcs) { _ in }).flatMap(arcs.area(of:))
            })
    }

    @discardableResult private static func readPolygons(
        _ numbers: inout Varints, of arcs: CountryArcs, _ body: ([Int]) -> Void
    ) throws -> CountryArcs.Polygons {
        var polygons: CountryArcs.Polygons = [], reference = 0
        for _ in 0..<(try number(&numbers)) {
            var rings: [[Int]] = []
            for _ in 0..<(try number(&numbers)) {
                var count = 0
                let ring = try numbers.next(try number(&numbers), "a reference").map { offset in
                    reference &+= CountryArcs.signed(offset)
                    let at = CountryArcs.number(reference)
                    guard (0..<arcs.count).contains(at) else { throw Varints.Failure.damaged }
                    count += arcs.starts[at + 1] - arcs.starts[at] - 1
                    return reference
                }
                guard count > 2 else { throw Varints.Failure.damaged }
                body(ring)
                rings.append(ring)
            }
            guard !rings.isEmpty else { throw Varints.Failure.damaged }
            polygons.append(rings)
        }
        return polygons
    }

    private mutating func number() throws -> Int { try Self.number(&numbers) }

    private static func number(_ numbers: inout Varints) throws -> Int {
        Int(truncatingIfNeeded: try numbers.next("a number") & 0xFFFF_FFFF)
    }

    private mutating func text() throws -> String {
        let count = try number()
        guard let bytes = numbers.bytes(count) else { throw Varints.Failure.damaged }
        return String(decoding: bytes, as: UTF8.self)
    }
}
