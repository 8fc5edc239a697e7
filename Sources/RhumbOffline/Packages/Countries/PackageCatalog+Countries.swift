internal import CDefaults
public import RhumbCore
internal import RhumbEngine

/// A generated catalogue for a source without one: the world, its continents, countries and provinces.
extension PackageCatalog {
    /// The prefix of the address of a generated catalogue: `countries:osm`, or with zooms
    /// `countries:0-12:osm`.
    public static let countriesPrefix = "countries:"
    /// The zooms of packages if the address has none: some hundred thousand tiles for a medium-sized country.
    static let countryZooms = 0...14

    /// Returns a catalogue with a package for each country and province. Borders are from Natural Earth.
    /// - Parameter address: The part after the prefix: optional zooms, and the source's name or address.
    /// - Throws: `PackageCatalogFailure`
    public static func countries(of address: String) throws(PackageCatalogFailure) -> PackageCatalog {
        guard let areas = CountryAreas.embedded else { throw .text("the built-in country areas are damaged") }
        let (source, zooms) = try source(address)
        var packages = CountryPackages(content: .source(source), zooms: zooms)
        packages.add(areas)
        let id = String(RegionID(from: source).text.prefix(20))
        return try PackageCatalog(
            id: id, titles: ["en": source], attribution: "Borders: Natural Earth", packages: packages.all)
    }

    private static func source(_ address: String) throws(PackageCatalogFailure) -> (String, ZoomRange) {
        let parts = address.split(separator: ":", maxSplits: 1).map(String.init)
        let ends = parts.first?.split(separator: "-").map { Int($0) } ?? []
        do throws(ZoomRangeFailure) {
            if parts.count == 2, ends.count == 2, let low = ends[0], let high = ends[1] {
                return (parts[1], try ZoomRange(low, high))
            }
            return (address, try ZoomRange(countryZooms.lowerBound, countryZooms.upperBound))
        } catch {
            throw .text("\(error)")
        }
    }
}

private struct CountryPackages {
    let content: PackageContent
    let zooms: ZoomRange
    private(set) var all = [
        CatalogPackage(
            id: "world", parent: nil, level: .world, titles: ["en": "World"], area: nil, content: nil)
    ]
    private var ids: Set<String> = ["world"]

    init(content: PackageContent, zooms: ZoomRange) { (self.content, self.zooms) = (content, zooms) }

    mutating func add(_ areas: CountryAreas) {
        let names = Set(areas.countries.map(\.area.name)),
            continents = areas.continents.map { addContinent($0, besides: names) }
        for country in areas.countries {
            let id = add(country.area, id(of: country.area.name), in: continents[country.continent], .country)
            // A single province equals its country.
            guard country.provinces.count > 1 else { continue }
            for province in country.provinces {
                _ = add(province, self.id(of: "\(country.code) \(province.name)"), in: id, .province)
            }
        }
    }

    private mutating func addContinent(_ name: String, besides countries: Set<String>) -> String {
        let id = id(of: countries.contains(name) ? "continent \(name)" : name)
        all.append(
            CatalogPackage(
                id: id, parent: "world", level: .continent, titles: ["en": name], area: nil, content: nil))
        return id
    }

    private mutating func add(
        _ area: CountryAreas.Area, _ id: String, in parent: String, _ level: CatalogPackage.Level
    ) -> String {
        all.append(
            CatalogPackage(
                id: id, parent: parent, level: level, titles: ["en": area.name], area: area.ground,
                content: content, zooms: zooms))
        return id
    }

    /// Returns a unique package id derived from a name.
    private mutating func id(of name: String) -> String {
        let plain = String(RegionID(from: name.withoutAccents).text.prefix(35))
        var id = plain, number = 2
        while !ids.insert(id).inserted {
            id = "\(plain.prefix(31))-\(number)"
            number += 1
        }
        return id
    }
}

/// The differences between the names of countries in the list of places and in the outlines.
///
/// `Assets/countrynames.tsv` has a line for each difference. Its fields are separated by tabs:
///
///     kind      one of these words:
///               "name"      another name
///               "part"      a territory of the list that the outline includes
///               "disputed"  a country whose outline includes territories of another one in the list
///               "military"  a small territory without settlements, whose border says little
///               "unlisted"  a territory that the list counts to other countries
///     outline   the name in `CountryAreas`
///     listed    the name in the list of places; empty for the last two kinds
package struct CountryNames: Sendable {
    /// The names of the list for outlines with another name, and the countries of the list that share
    /// disputed territories.
    package private(set) var listed: [String: String] = [:], disputed: [String: String] = [:]
    package private(set) var military: Set<String> = [], unlisted: Set<String> = []
    private var parts: [String: String] = [:]

    /// The names embedded in the library.
    package static let embedded = CountryNames()

    private init() {
        let bytes = rhumb_asset_countrynames()
        let text = String(
            decoding: UnsafeBufferPointer(start: bytes.start, count: bytes.count), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { continue }
            switch fields[0] {
            case "name": listed[fields[1]] = fields[2]
            case "part": parts[fields[2]] = fields[1]
            case "disputed": disputed[fields[1]] = fields[2]
            case "military": military.insert(fields[1])
            default: unlisted.insert(fields[1])
            }
        }
    }

    /// Returns the name of the outline that includes a country of the list.
    package func outline(of country: String) -> String { parts[country] ?? country }
}
