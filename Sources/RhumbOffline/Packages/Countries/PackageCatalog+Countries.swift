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
