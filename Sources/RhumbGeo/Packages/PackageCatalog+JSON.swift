public import RhumbBase

/// The document of a catalogue; see `PackageCatalog`.
extension PackageCatalog {
    /// The document. Reading it returns an equal catalogue.
    public var json: JSON {
        var members = JSONObject()
        members["rhumb-catalog"] = .integer(PackageCatalog.version)
        members["id"] = .string(id)
        if !titles.isEmpty { members["title"] = PackageCatalog.json(titles) }
        if !attribution.isEmpty { members["attribution"] = .string(attribution) }
        if isSigned { members["signed"] = .bool(true) }
        members["expires"] = expires.map { .string($0) }
        members["packages"] = .array(packages.map(\.json))
        return .object(members)
    }

    fileprivate static func json(_ titles: [String: String]) -> JSON {
        var members = JSONObject()
        for (language, title) in titles.sorted(by: { $0.key < $1.key }) { members[language] = .string(title) }
        return .object(members)
    }
}

extension CatalogPackage {
    fileprivate var json: JSON {
        var members = JSONObject()
        members["id"] = .string(id)
        members["parent"] = parent.map { .string($0) }
        members["level"] = .string(level.rawValue)
        if !titles.isEmpty { members["title"] = PackageCatalog.json(titles) }
        members["area"] = area?.json
        if let (name, address) = content?.member { members[name] = .string(address) }
        members["zooms"] = zooms.map { [.integer($0.lowest), .integer($0.highest)] }
        if !editions.isEmpty { members["editions"] = .array(editions.map(\.json)) }
        return .object(members)
    }
}

extension PackageContent {
    fileprivate var member: (name: String, address: String) {
        switch self {
        case .archive(let address): ("archive", address)
        case .part(let address): ("part-of", address)
        case .source(let specifier): ("source", specifier)
        }
    }
}

extension PackageEdition {
    fileprivate var json: JSON {
        var members = JSONObject()
        members["version"] = .string(version.description)
        members["date"] = date.map { .string($0) }
        members["bytes"] = .integer(bytes)
        members["archiveBytes"] = archiveBytes.map { .integer($0) }
        if !featureBytes.isEmpty {
            var groups = JSONObject()
            for (name, bytes) in featureBytes.sorted(by: { $0.key < $1.key }) {
                groups[name] = .integer(bytes)
            }
            members["features"] = .object(groups)
        }
        members["hashes"] = hashes.map { .string($0) }
        members["sha256"] = sha256.map { .string($0) }
        members["archive"] = archive.map { .string($0) }
        return .object(members)
    }
}

extension PackageArea {
    /// The area as GeoJSON.
    fileprivate var json: JSON {
        let polygons = polygons.map { polygon in
            JSON.array(polygon.map { .array(($0 + $0.prefix(1)).map(PackageArea.json)) })
        }
        return polygons.count == 1
            ? ["type": "Polygon", "coordinates": polygons[0]]
            : ["type": "MultiPolygon", "coordinates": .array(polygons)]
    }

    private static func json(_ corner: Position) -> JSON {
        [.number(corner.longitude), .number(corner.latitude)]
    }
}
