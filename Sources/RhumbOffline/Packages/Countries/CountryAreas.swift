internal import CDefaults
package import RhumbCore
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
        package let ground: PackageArea
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
        var reader = CountryReader(Varints(plain))
        do { try reader.read() } catch { return nil }
        continents = reader.continents
        countries = reader.countries
    }
}

private struct CountryReader {
    private(set) var continents: [String] = []
    private(set) var countries: [CountryAreas.Country] = []
    private var numbers: Varints
    private var scale = 1.0
    private var arcs: [[Position]] = []

    private struct Damaged: Error {}

    init(_ numbers: Varints) { self.numbers = numbers }

    mutating func read() throws {
        let steps = try number()
        guard steps > 0 else { throw Damaged() }
        scale = 1 / Double(steps)
        try readArcs()
        for _ in 0..<(try number()) { continents.append(try text()) }
        for _ in 0..<(try number()) {
            let code = try text(), name = try text(), continent = try number(), ground = try ground()
            guard continents.indices.contains(continent) else { throw Damaged() }
            var provinces: [CountryAreas.Area] = []
            for _ in 0..<(try number()) {
                provinces.append(CountryAreas.Area(name: try text(), ground: try self.ground()))
            }
            countries.append(
                CountryAreas.Country(
                    code: code, continent: continent, area: .init(name: name, ground: ground),
                    provinces: provinces))
        }
    }

    private mutating func readArcs() throws {
        let count = try number()
        arcs.reserveCapacity(count)
        var x = 0, y = 0
        for _ in 0..<count {
            var arc: [Position] = []
            for _ in 0..<(try number()) {
                x = x + (try signed())
                y = y + (try signed())
                arc.append(Position(longitude: Double(x) * scale, latitude: Double(y) * scale))
            }
            guard arc.count > 1 else { throw Damaged() }
            arcs.append(arc)
        }
    }

    private mutating func ground() throws -> PackageArea {
        var polygons: [[[Position]]] = [], reference = 0
        for _ in 0..<(try number()) {
            var rings: [[Position]] = []
            for _ in 0..<(try number()) {
                var ring: [Position] = []
                for _ in 0..<(try number()) {
                    reference += try signed()
                    let at = reference >= 0 ? reference : -1 - reference
                    guard arcs.indices.contains(at) else { throw Damaged() }
                    if reference >= 0 {
                        ring += arcs[at].dropLast()
                    } else {
                        ring += arcs[at].reversed().dropLast()
                    }
                }
                rings.append(ring)
            }
            polygons.append(rings)
        }
        guard let area = PackageArea(polygons: polygons) else { throw Damaged() }
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
