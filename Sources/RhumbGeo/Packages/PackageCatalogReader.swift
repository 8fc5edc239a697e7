internal import RhumbBase

/// Reads the document of a catalogue; see `PackageCatalog`.
struct PackageCatalogReader {
    private let document: JSON
    private let items: [JSON]
    private let base: URLReference
    let id: String
    let titles: [String: String]
    let attribution: String
    let isSigned: Bool
    let expires: String?

    init(_ document: JSON, at address: String) throws(PackageCatalogFailure) {
        guard let version = document["rhumb-catalog"]?.int else { throw .other }
        guard version == PackageCatalog.version else { throw .version(version) }
        guard let items = document["packages"]?.array else {
            throw .member(package: nil, "packages", "is not an array")
        }
        guard items.count <= PackageCatalog.packageLimit else {
            throw .tooMany(items.count, limit: PackageCatalog.packageLimit)
        }
        self.document = document
        self.items = items
        base = URLReference(address)
        id = try PackageCatalogReader.id(document["id"], of: nil, limit: 20)
        guard !id.contains(".") else { throw .member(package: nil, "id", "has a \".\"") }
        titles = try PackageCatalogReader.titles(document["title"], of: nil)
        attribution = document["attribution"]?.string ?? ""
        isSigned = document["signed"]?.bool == true
        expires = try PackageCatalogReader.date(document["expires"], "expires", of: nil)
    }

    func packages() throws(PackageCatalogFailure) -> [CatalogPackage] {
        var packages: [CatalogPackage] = [], levels: [String: CatalogPackage.Level] = [:]
        packages.reserveCapacity(items.count)
        for item in items {
            let id = try PackageCatalogReader.id(item["id"], of: nil, limit: 35),
                parent = try parent(item, id)
            let level = try level(item, id, parent.flatMap { levels[$0] })
            levels[id] = level
            packages.append(
                CatalogPackage(
                    id: id, parent: parent, level: level,
                    titles: try PackageCatalogReader.titles(item["title"], of: id),
                    area: try PackageAreaReader(package: id).area(item["area"]),
                    content: try content(item, id),
                    zooms: try zooms(item, id), editions: try editions(item, id)))
        }
        return packages
    }

    private static func id(
        _ value: JSON?, of package: String?, limit: Int
    ) throws(PackageCatalogFailure) -> String {
        guard let text = value?.string else {
            throw .member(package: package, "id", "is missing or not a string")
        }
        guard text.utf8.count <= limit else {
            throw .member(package: text, "id", "has more than \(limit) characters")
        }
        do throws(RegionIDFailure) { return try RegionID(text).text } catch {
            throw .member(package: text, "id", "may have letters, digits, \".\", \"_\" and \"-\" only")
        }
    }

    private static func titles(
        _ value: JSON?, of package: String?
    ) throws(PackageCatalogFailure) -> [String: String] {
        switch value {
        case nil: return [:]
        case .string(let text)?: return ["en": SafeText.sanitised(text, limit: 80)]
        case .object(let members)?:
            var titles: [String: String] = [:]
            for language in members.names {
                guard let text = members[language]?.string else {
                    throw .member(package: package, "title", "has a language without a string")
                }
                titles[SafeText.sanitised(language, limit: 20)] = SafeText.sanitised(text, limit: 80)
            }
            return titles
        default: throw .member(package: package, "title", "is neither a string nor an object")
        }
    }

    private func parent(_ item: JSON, _ id: String) throws(PackageCatalogFailure) -> String? {
        switch item["parent"] {
        case nil, .null?: return nil
        case .string(let parent)?: return parent
        default: throw .member(package: id, "parent", "is not a string")
        }
    }

    private func level(
        _ item: JSON, _ id: String, _ parent: CatalogPackage.Level?
    ) throws(PackageCatalogFailure) -> CatalogPackage.Level {
        let levels = CatalogPackage.Level.allCases
        guard let value = item["level"] else {
            guard let parent, let at = levels.firstIndex(of: parent) else { return .world }
            return levels[min(at + 1, levels.count - 1)]
        }
        guard let level = value.string.flatMap(CatalogPackage.Level.init) else {
            throw .member(
                package: id, "level", "is not one of \(levels.map(\.rawValue).joined(separator: ", "))")
        }
        return level
    }

    // MARK: Content

    private static let kinds: [(name: String, make: @Sendable (String) -> PackageContent)] = [
        ("archive", { .archive($0) }), ("part-of", { .part(ofArchive: $0) }), ("source", { .source($0) }),
    ]

    private func content(_ item: JSON, _ id: String) throws(PackageCatalogFailure) -> PackageContent? {
        let own = Self.kinds.filter { item[$0.name] != nil }
        guard own.count < 2 else {
            throw .member(
                package: id, own[1].name,
                "can't be combined with "
                    + "\"\(own[0].name)\"")
        }
        let isLeaf = item["area"] != nil
        guard let kind = own.first ?? Self.kinds.first(where: { isLeaf && document[$0.name] != nil }) else {
            return nil
        }
        guard let text = (item[kind.name] ?? document[kind.name])?.string else {
            throw .member(package: id, kind.name, "is not a string")
        }
        let isName = kind.name == "source" && URLReference(text).scheme == nil
        let content = kind.make(isName ? text : try address(text, kind.name, id))
        if case .archive = content { return content }
        guard isLeaf else {
            throw .member(package: id, "area", "is missing, but needed for \"\(kind.name)\"")
        }
        return content
    }

    private func address(_ text: String, _ name: String, _ id: String) throws(PackageCatalogFailure) -> String
    {
        let resolved = base.resolving(URLReference(text))
        guard resolved.isWeb || isLocal(resolved) else {
            throw .member(package: id, name, "is not a web URL: \(SafeText.sanitised(text, limit: 80))")
        }
        return resolved.description
    }

    /// Returns true if the address names a file. Only a catalogue in a file may contain such addresses.
    private func isLocal(_ address: URLReference) -> Bool {
        if base.localPath != nil { return address.localPath != nil }
        return base.scheme == nil && address.scheme == nil && address.authority == nil
    }

    private func zooms(_ item: JSON, _ id: String) throws(PackageCatalogFailure) -> ZoomRange? {
        guard let value = item["zooms"] ?? document["zooms"] else { return nil }
        guard let ends = value.array, ends.count == 2, let low = ends[0].int, let high = ends[1].int else {
            throw .member(package: id, "zooms", "is not two integers")
        }
        do throws(ZoomRangeFailure) { return try ZoomRange(low, high) } catch {
            throw .member(package: id, "zooms", "\(low)-\(high): \(error)")
        }
    }

    // MARK: Editions

    private func editions(_ item: JSON, _ id: String) throws(PackageCatalogFailure) -> [PackageEdition] {
        guard let value = item["editions"] else { return [] }
        guard let items = value.array else { throw .member(package: id, "editions", "is not an array") }
        var editions: [PackageEdition] = []
        for item in items {
            let edition = try edition(item, id)
            if let last = editions.last,
                last.version >= edition.version || last.date ?? "" > edition.date ?? "9999"
            {
                throw .member(
                    package: id, "editions", "are out of order: \(edition.version) after \(last.version)")
            }
            editions.append(edition)
        }
        return editions
    }

    private func edition(_ item: JSON, _ id: String) throws(PackageCatalogFailure) -> PackageEdition {
        guard let version = item["version"]?.string.flatMap(PackageVersion.init) else {
            throw .member(package: id, "version", "of an edition is not numbers separated by dots")
        }
        let bytes = try amount(item["bytes"], "bytes", id),
            features = item["features"]?.object ?? JSONObject()
        var featureBytes: [String: Int] = [:], rest = bytes
        for name in features.names {
            let amount = try amount(features[name], "features", id)
            guard amount <= rest else {
                throw .member(package: id, "features", "are larger than the whole edition \(version)")
            }
            rest -= amount
            featureBytes[name] = amount
        }
        func url(_ name: String) throws(PackageCatalogFailure) -> String? {
            guard let text = item[name]?.string else { return nil }
            return try address(text, name, id)
        }
        return PackageEdition(
            version, date: try PackageCatalogReader.date(item["date"], "date", of: id), bytes: bytes,
            archiveBytes: try item["archiveBytes"].map { (value) throws(PackageCatalogFailure) in
                try amount(value, "archiveBytes", id)
            },
            featureBytes: featureBytes, hashes: try url("hashes"), sha256: item["sha256"]?.string,
            archive: try url("archive"))
    }

    private func amount(_ value: JSON?, _ name: String, _ id: String) throws(PackageCatalogFailure) -> Int {
        guard let value else { throw .member(package: id, name, "of an edition is missing") }
        guard let amount = value.int, (0...PackageEdition.largest).contains(amount) else {
            throw .member(package: id, name, "of an edition is not a size in bytes")
        }
        return amount
    }

    private static func date(
        _ value: JSON?, _ name: String, of package: String?
    ) throws(PackageCatalogFailure) -> String? {
        guard let value else { return nil }
        let parts = value.string?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        let isDate =
            parts.map(\.utf8.count) == [4, 2, 2] && parts.joined().utf8.allSatisfy { (48...57).contains($0) }
        guard isDate else {
            let problem = "is not a date such as 2026-11-22"
            throw .member(package: package, name, package == nil ? problem : "of an edition \(problem)")
        }
        return value.string
    }
}
