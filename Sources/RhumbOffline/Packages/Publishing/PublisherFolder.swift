internal import RhumbCore
internal import RhumbEngine
internal import RhumbOpening
internal import RhumbStore

/// The packages in a folder of archives.
struct PublisherFolder {
    let path: String
    /// The relative paths of the archives' copies, which the earlier catalogue names.
    private let copies: Set<String>

    /// The id of the root package of a new catalogue.
    static let root = "world"
    /// The maximum nesting of folders, such as continents, countries and provinces.
    private static let deepest = 3

    init(_ path: String, before: PackageCatalog?) {
        self.path = path
        copies = Set((before?.packages ?? []).flatMap { $0.editions.compactMap(\.archive) })
    }

    /// A package that consists of an archive, or of the packages in a folder.
    struct Package {
        let id: String
        /// The id of the parent package; nil for the root.
        let parent: String?
        let depth: Int
        /// The path relative to the folder, without an extension.
        let stem: String
        /// The relative path of the PMTiles archive; nil for a folder.
        var archive: String?
        var area: PackageArea?
    }

    /// Returns all packages, parents first. A folder and an archive with the same name form one package.
    /// Converts MBTiles, GeoPackages and VersaTiles.
    /// - Throws: `PublishFailure`
    func packages() throws(PublishFailure) -> [Package] {
        var packages: [Package] = [], problems: [String] = []
        try gather("", nil, 1, &packages, &problems)
        problems += packages.filter { $0.id == PublisherFolder.root }.map { package in
            "\(path)/\(package.archive ?? package.stem): \"\(package.id)\" is the name of the whole catalogue; "
                + "rename it, such as to planet"
        }
        guard problems.isEmpty else { throw PublishFailure(problems) }
        return packages
    }

    private func gather(
        _ folder: String, _ parent: String?, _ depth: Int, _ packages: inout [Package],
        _ problems: inout [String]
    ) throws(PublishFailure) {
        guard let names = FolderNames.list(path + "/" + folder)?.sorted() else {
            throw PublishFailure("\(FileProblem(folder.isEmpty ? path : path + "/" + folder))")
        }
        for name in names
        where Self.isArchive(name) && !isConverted(name, names) && !isCopy(folder + name) {
            do throws(PublishFailure) { packages.append(try package(folder + name, parent, depth)) } catch {
                problems += error.problems
            }
        }
        for name in names where !name.hasPrefix(".") && Files.isFolder(path + "/" + folder + name) {
            let id = PublisherFolder.id(name)
            guard depth <= PublisherFolder.deepest else {
                problems.append("\(path)/\(folder)\(name) is nested too deep"); continue
            }
            var inside: [Package] = []
            try gather(folder + name + "/", id, depth + 1, &inside, &problems)
            guard !inside.isEmpty else { continue }
            if !packages.contains(where: { $0.stem == folder + name }) {
                packages.append(Package(id: id, parent: parent, depth: depth, stem: folder + name))
            }
            packages += inside
        }
    }

    /// True for the name of a file that can be a package. All but PMTiles are converted to it.
    private static func isArchive(_ name: String) -> Bool {
        ArchiveContainer(path: name).map { $0 != .geoTIFF } ?? false
    }

    /// Returns a file name or path without its last suffix.
    private static func stem(_ name: String) -> String {
        String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
    }

    /// True if the archive was converted from one beside it.
    private func isConverted(_ name: String, _ names: [String]) -> Bool {
        guard ArchiveContainer(path: name) == .pmTiles else { return false }
        return names.contains { $0 != name && Self.stem($0) == Self.stem(name) && Self.isArchive($0) }
    }

    private func isCopy(_ file: String) -> Bool {
        copies.contains(file) || EditionFile.isCopy(path + "/" + file)
    }

    private static func id(_ name: String) -> String { String(RegionID(from: name).text.prefix(35)) }

    private func package(_ file: String, _ parent: String?, _ depth: Int) throws(PublishFailure) -> Package {
        let isPlain = file.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "._-/".utf8.contains(byte)
        }
        guard isPlain else {
            throw PublishFailure(
                "\(path)/\(file) can't be used in a URL; rename it, using only letters, digits, \".\", \"_\" and \"-\""
            )
        }
        let stem = Self.stem(file), archive = stem + ArchiveContainer.pmTiles.suffixes[0]
        if file != archive { try ConvertedArchive.make(of: path + "/" + file, to: path + "/" + archive) }
        let name = stem.lastPathName
        return Package(
            id: PublisherFolder.id(name), parent: parent, depth: depth, stem: stem, archive: archive,
            area: try area(stem + ".geojson"))
    }

    private func area(_ file: String) throws(PublishFailure) -> PackageArea? {
        let path = path + "/" + file
        guard Files.exists(path) else { return nil }
        guard let bytes = Files.read(path, limit: 64 << 20) else {
            throw PublishFailure("\(FileProblem(path, limit: 64 << 20))")
        }
        let geometry = try converting(RegionGeometry(geoJSONText: bytes)) { (error: RegionGeometryFailure) in
            PublishFailure("\(path): \(error)")
        }
        guard let area = PackageArea(geometry) else {
            throw PublishFailure("\(path) must contain only polygons")
        }
        return area
    }
}

extension PublisherFolder.Package {
    /// Returns the catalogue entry. Preserves the existing entry except for the fields that the archive
    /// defines.
    func package(
        as previous: CatalogPackage?, _ archive: PublishedArchive? = nil, _ edition: PackageEdition? = nil
    ) -> CatalogPackage {
        let levels = CatalogPackage.Level.allCases, own = levels[min(depth, levels.count - 1)]
        let name = stem.lastPathName
        return CatalogPackage(
            id: id, parent: previous == nil ? parent : previous?.parent,
            level: previous?.level ?? (archive == nil ? own : max(own, .country)),
            titles: previous?.titles ?? ["en": archive?.info.name ?? name],
            area: area ?? previous?.area ?? archive?.info.bounds.flatMap { PackageArea($0) },
            content: self.archive.map { .archive($0) } ?? previous?.content,
            editions: (previous?.editions ?? []) + [edition].compactMap(\.self))
    }
}

extension CatalogPackage {
    /// Returns the same package with another parent, and with other titles if they are given.
    func lying(in parent: String?, titles: [String: String]? = nil) -> CatalogPackage {
        CatalogPackage(
            id: id, parent: parent, level: level, titles: titles ?? self.titles, area: area, content: content,
            zooms: zooms,
            editions: editions)
    }
}
