internal import CDefaults
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

        /// Returns nil if the box around the area is beyond the map.
        fileprivate init?(_ name: String, _ polygons: CountryArcs.Polygons, of arcs: CountryArcs) {
            guard let box = arcs.box(of: polygons) else { return nil }
            self.name = name
            self.box = box
            outline = Lazy { arcs.area(of: polygons) }
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
        package let provinces: [Area]
    }

    let continents: [String]
    package let countries: [Country]

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
    }
}

/// The parts of outlines, which neighbours share.
private struct CountryArcs: Sendable {
    /// Polygons, each an outer ring and its holes; a ring is a list of references to arcs.
    typealias Polygons = [[[Int]]]
    typealias Corner = SIMD2<Int>

    let scale: Double
    private(set) var corners: [Corner] = []
    /// The index of the first corner of each arc, and at the end the number of corners.
    private(set) var starts = [0]
    private var boxes: [(low: Corner, high: Corner)] = []

    init(scale: Double) { self.scale = scale }

    mutating func add(_ corner: Corner) { corners.append(corner) }

    mutating func endArc() {
        let arc = corners[(starts.last ?? 0)...], first = arc.first ?? .zero
        boxes.append(
            arc.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) })
        starts.append(corners.count)
    }

    var count: Int { boxes.count }

    /// Returns the number of the arc that a reference names.
    static func number(_ reference: Int) -> Int { reference >= 0 ? reference : -1 - reference }

    private func position(_ corner: Corner) -> Position {
        Position(longitude: Double(corner.x) * scale, latitude: Double(corner.y) * scale)
    }

    func box(of polygons: Polygons) -> PackageArea? {
        let parts = polygons.joined().joined().map { boxes[Self.number($0)] }
        guard let first = parts.first else { return nil }
        let (low, high) = parts.reduce(first) { (pointwiseMin($0.0, $1.low), pointwiseMax($0.1, $1.high)) }
        let ring = [low, Corner(high.x, low.y), high, Corner(low.x, high.y)]
        return PackageArea(polygons: [[ring.map(position)]])
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
    private var numbers: Varints
    private var arcs = CountryArcs(scale: 1)

    private struct Damaged: Error {}

    init(_ bytes: [UInt8]) { numbers = Varints(bytes) }

    mutating func read() throws {
        let steps = try number()
        guard steps > 0 else { throw Damaged() }
        arcs = CountryArcs(scale: 1 / Double(steps))
        try readArcs()
        for _ in 0..<(try number()) { continents.append(try text()) }
        for _ in 0..<(try number()) {
            let code = try text(), name = try text(), continent = try number(), area = try area(name)
            guard continents.indices.contains(continent) else { throw Damaged() }
            var provinces: [CountryAreas.Area] = []
            for _ in 0..<(try number()) { provinces.append(try self.area(try text())) }
            countries.append(
                CountryAreas.Country(code: code, continent: continent, area: area, provinces: provinces))
        }
    }

    private mutating func readArcs() throws {
        var corner = CountryArcs.Corner.zero
        for _ in 0..<(try number()) {
            let count = try number()
            guard count > 1 else { throw Damaged() }
            for _ in 0..<count {
                let east = try signed(), north = try signed()
                corner &+= CountryArcs.Corner(east, north)
                arcs.add(corner)
            }
            arcs.endArc()
        }
    }

    private mutating func area(_ name: String) throws -> CountryAreas.Area {
        var polygons: CountryArcs.Polygons = [], reference = 0
        for _ in 0..<(try number()) {
            var rings: [[Int]] = []
            for _ in 0..<(try number()) {
                var ring: [Int] = [], count = 0
                for _ in 0..<(try number()) {
                    reference &+= try signed()
                    let at = CountryArcs.number(reference)
                    guard (0..<arcs.count).contains(at) else { throw Damaged() }
                    ring.append(reference)
                    count += arcs.starts[at + 1] - arcs.starts[at] - 1
                }
                guard count > 2 else { throw Damaged() }
                rings.append(ring)
            }
            guard !rings.isEmpty else { throw Damaged() }
            polygons.append(rings)
        }
        guard let area = CountryAreas.Area(name, polygons, of: arcs) else { throw Damaged() }
        return area
    }

    private mutating func number() throws -> Int {
        Int(truncatingIfNeeded: try numbers.next("a number") & 0xFFFF_FFFF)
    }

    private mutating func signed() throws -> Int {
        let folded = try number()
        return folded & 1 == 0 ? folded >> 1 : -(folded >> 1) - 1
    }

    private mutating func text() throws -> String {
        let count = try number()
        guard let bytes = numbers.bytes(count) else { throw Damaged() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
