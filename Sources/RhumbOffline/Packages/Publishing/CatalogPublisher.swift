public import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// Creates a catalogue of the tile archives in a folder, for any web server: `catalog.json`, and a list of
/// tile hashes beside each archive, so that updates fetch only changed tiles.
///
/// Each archive is a package. Each subfolder is a package that contains the packages in it. A subfolder and
/// an archive beside it with the same name form one package. The area of an archive `NAME` is read from
/// `NAME.geojson`, or from the archive if that file doesn't exist. MBTiles and GeoPackages are converted to
/// PMTiles beside them. Other content of an existing catalogue is preserved: titles, packages of other kinds,
/// and older editions. A changed archive gets a new edition. With a key, the catalogue is signed, and
/// contains the hash of each list of tile hashes, so that the signature covers every tile. It then names a
/// copy of each archive, see `EditionFile`.
public struct CatalogPublisher: Sendable {
    /// The folder of the archives and the catalogue.
    public let folder: String
    /// The catalogue's id. If nil, uses the id of the existing catalogue, or else one derived from the
    /// folder's name.
    public var id: String?
    /// The catalogue's English title; nil to leave it unchanged.
    public var title: String?
    /// The edition of changed archives; nil for the current date, such as "2026.11.22".
    public var edition: PackageVersion?
    /// The key that signs the catalogue; nil for none.
    package var secretKey: MinisignSecretKey?
    /// The key that signed the existing catalogue, to tell installed clients that `secretKey` replaces it;
    /// nil if it doesn't.
    package var oldKey: MinisignSecretKey?
    /// The last day on which a signed catalogue is valid, such as "2026-12-31"; nil for no limit.
    public var expires: String?
    private let today: String

    /// The file name of the catalogue.
    static let fileName = "catalog.json"

    /// Creates a publisher for a folder.
    public init(_ folder: String) {
        self.folder = folder
        today = UnixSeconds.now.day
    }

    /// The result of publishing.
    public struct Outcome: Sendable, Equatable {
        /// The new catalogue.
        public let catalog: PackageCatalog
        /// The ids of the packages with a new edition.
        public fileprivate(set) var published: [String] = []
        /// The ids of the packages with unchanged archives.
        public fileprivate(set) var unchanged: [String] = []
        /// The numbers of tiles outside the bounds that archives declare, by package id. Clients don't
        /// install these tiles.
        public fileprivate(set) var outside: [String: Int] = [:]
    }

    /// Writes the hash lists, then replaces the catalogue atomically. Slow, because it reads every tile.
    /// - Throws: `PublishFailure` with a reason for each archive that can't be published. The catalogue then
    ///   remains unchanged.
    public func publish() throws(PublishFailure) -> Outcome {
        let before = try previous(), found = try PublisherFolder(folder, before: before).packages()
        guard before?.isSigned != true || secretKey != nil else {
            throw PublishFailure("\(path) is signed; sign the new catalogue, too")
        }
        try checkKey()
        try checkArchives(of: before, found)
        var news: [Item] = [], problems: [String] = []
        let sizes = found.map { $0.archive.flatMap { Files.size(folder + "/" + $0) } ?? 0 },
            total = sizes.reduce(0, +)
        for (at, archive) in found.enumerated() {
            let outcome = WorkProgress.part(after: sizes[..<at].reduce(0, +), of: total) {
                Result { () throws(PublishFailure) in try item(archive, before) }
            }
            switch outcome {
            case .success(let item): news.append(item)
            case .failure(let failure): problems += failure.problems
            }
        }
        guard problems.isEmpty else { throw PublishFailure(problems) }
        guard !news.isEmpty || before != nil else { throw PublishFailure("no archive in \(folder)") }
        return try write(news, before)
    }

    private var path: String { folder + "/" + CatalogPublisher.fileName }

    private func previous() throws(PublishFailure) -> PackageCatalog? {
        guard Files.exists(path) else { return nil }
        guard let bytes = Files.read(path, limit: 256 << 20) else {
            throw PublishFailure("\(FileProblem(path, limit: 256 << 20))")
        }
        return try converting(PackageCatalog(bytes, at: CatalogPublisher.fileName)) {
            (error: PackageCatalogFailure) in
            PublishFailure("\(path): \(error)")
        }
    }

    /// Throws if the existing catalogue was signed with another key, and that one doesn't sign the new key.
    private func checkKey() throws(PublishFailure) {
        guard let secretKey else { return }
        let signature = Files.read(path + CatalogSignature.suffix).flatMap { try? MinisignSignature($0) }
        guard let signature, !signature.isMade(by: secretKey.publicKey) else { return }
        if let oldKey, signature.isMade(by: oldKey.publicKey) { return }
        let other = Files.read(path + CatalogSignature.keySuffix).flatMap {
            MinisignKey(String(decoding: $0, as: UTF8.self))
        }
        throw PublishFailure(
            "\(path) is signed with another key\(other.map { ", \($0.fingerprint)" } ?? ""); "
                + "sign with that one, or add it as the old key, so that it signs the new one. "
                + "Without it, remove \(CatalogPublisher.fileName)\(CatalogSignature.suffix); "
                + "installed clients then refuse the catalogue until their users demand the new key")
    }

    /// Throws if the archive of a published package is missing.
    private func checkArchives(
        of before: PackageCatalog?, _ found: [PublisherFolder.Package]
    ) throws(PublishFailure) {
        var problems: [String] = []
        for package in before?.packages ?? [] {
            guard case .archive(let address)? = package.content, URLReference(address).scheme == nil,
                !found.contains(where: { $0.id == package.id })
            else { continue }
            problems.append(
                "\(address) of package \(package.id) is missing; restore it, or remove the package from \(path)"
            )
        }
        if !problems.isEmpty { throw PublishFailure(problems) }
    }

    // MARK: Packages

    private struct Item {
        var package: CatalogPackage
        /// The hash list to write and its file name; nil if it is unchanged or doesn't exist.
        var hashes: (name: String, list: [UInt8])?
        /// The copy of the archive to make; nil for none.
        var copy: (archive: String, facts: FileFacts?, name: String)?
        let isNew: Bool
        /// The number of tiles outside the bounds that the archive declares.
        var outside = 0
    }

    private func item(
        _ found: PublisherFolder.Package, _ before: PackageCatalog?
    ) throws(PublishFailure) -> Item {
        let previous = before?.packages.first { $0.id == found.id }
        guard let file = found.archive else {
            return Item(package: found.package(as: previous), isNew: false)
        }
        let facts = FileFacts(folder + "/" + file)
        let archive = try PublishedArchive(folder + "/" + file, version: "", isSecure: secretKey != nil)
        if let last = previous?.edition, let name = last.hashes, let previous, isSame(archive.hashes, name) {
            let item = Item(
                package: found.package(as: previous, archive), isNew: false, outside: archive.outside)
            return copied(item, found, file, facts)
        }
        let version = try version(after: previous?.edition?.version, of: found.id)
        let name = "\(found.stem).\(version).hashes", list = archive.hashes.of("\(version)")
        let isListed = list.tiles <= TileHashes.tileLimit, bytes = isListed ? list.bytes : []
        guard isListed || secretKey == nil else {
            throw PublishFailure("\(file) has more tiles than can be signed; split it into several archives")
        }
        let edition = PackageEdition(
            version, date: max(today, previous?.edition?.date ?? ""), bytes: archive.bytes,
            archiveBytes: Files.size(folder + "/" + file), featureBytes: archive.featureBytes,
            hashes: isListed ? name : nil, sha256: secretKey == nil ? nil : SHA256Sum.of(bytes))
        let item = Item(
            package: found.package(as: previous, archive, edition), hashes: isListed ? (name, bytes) : nil,
            isNew: true, outside: archive.outside)
        return copied(item, found, file, facts)
    }

    /// Returns a package that names the copies of its newest editions.
    private func copied(
        _ item: Item, _ found: PublisherFolder.Package, _ archive: String, _ facts: FileFacts?
    ) -> Item {
        let editions = item.package.editions
        guard secretKey != nil, let newest = editions.last else { return item }
        var item = item
        let name = EditionFile.name(found.stem, newest.version)
        for at in editions.indices.dropLast(EditionFile.limit) { item.package.editions[at].archive = nil }
        item.package.editions[editions.count - 1].archive = name
        if item.isNew || !Files.exists(folder + "/" + name) { item.copy = (archive, facts, name) }
        return item
    }

    private func isSame(_ list: TileHashes, _ name: String) -> Bool {
        guard let bytes = Files.read(folder + "/" + name, limit: 256 << 20), let old = try? TileHashes(bytes)
        else { return false }
        return list.of(old.version) == old
    }

    private func version(after last: PackageVersion?, of id: String) throws(PublishFailure) -> PackageVersion
    {
        if let edition {
            if let last, edition <= last {
                throw PublishFailure(
                    "package \(id) already has edition \(last); use a later one than \(edition)")
            }
            return edition
        }
        let day = today.replacing("-", with: ".")
        for number in 0..<10_000 {
            let text = number == 0 ? day : "\(day).\(number)"
            if let version = PackageVersion(text), last.map({ $0 < version }) ?? true { return version }
        }
        throw PublishFailure(
            "package \(id) already has edition \(last.map { "\($0)" } ?? ""); use a later one")
    }

    // MARK: Writing

    private func write(_ items: [Item], _ before: PackageCatalog?) throws(PublishFailure) -> Outcome {
        let catalog = try catalog(items.map(\.package), before), document = Array(catalog.json.text.utf8)
        let files = items.compactMap(\.hashes) + (try signatureFiles(of: catalog, document))
        for case let copy? in items.map(\.copy) {
            try EditionFile.make(of: folder + "/" + copy.archive, copy.facts, to: folder + "/" + copy.name)
        }
        do throws(ExportFailure) {
            for (name, bytes) in files { try Files.write(bytes, to: folder + "/" + name) }
            try Files.write(document, to: path)
        } catch {
            throw PublishFailure("\(error)")
        }
        EditionFile.clear(before, catalog, in: folder)
        let archives = items.filter { $0.package.content != nil }
        return Outcome(
            catalog: catalog, published: archives.filter(\.isNew).map(\.package.id),
            unchanged: archives.filter { !$0.isNew }.map(\.package.id),
            outside: Dictionary(archives.map { ($0.package.id, $0.outside) }) { $1 }.filter { $0.value > 0 })
    }

    /// Returns the files with the signature and the key, to be written beside the catalogue.
    private func signatureFiles(
        of catalog: PackageCatalog, _ document: [UInt8]
    ) throws(PublishFailure) -> [(name: String, list: [UInt8])] {
        guard let secretKey else { return [] }
        if let open = catalog.packages.first(where: { !$0.isCovered }) {
            throw PublishFailure("package \(open.id) has no archive in \(folder), so it can't be signed")
        }
        let name = CatalogPublisher.fileName, keyName = name + CatalogSignature.keySuffix,
            key = Array(secretKey.publicKey.file.utf8)
        func signature(
            _ signer: MinisignSecretKey, _ name: String, _ bytes: [UInt8]
        ) throws(PublishFailure) -> (String, [UInt8]) {
            let comment = "timestamp:\(UnixSeconds.now.value)\tfile:\(name)\thashed"
            let text = try converting(signer.signature(of: bytes, comment: comment)) {
                (error: MinisignFailure) in PublishFailure("\(path): \(error)")
            }
            return (name + CatalogSignature.suffix, Array(text.utf8))
        }
        let change = try oldKey.map { (old) throws(PublishFailure) in try signature(old, keyName, key) }
        return [change].compactMap(\.self) + [try signature(secretKey, name, document), (keyName, key)]
    }

    /// Merges the packages into the existing catalogue. Known packages stay in place; new ones are appended.
    private func catalog(
        _ packages: [CatalogPackage], _ before: PackageCatalog?
    ) throws(PublishFailure) -> PackageCatalog {
        let new = Dictionary(packages.map { ($0.id, $0) }) { $1 }
        let root =
            before?.packages.first
            ?? CatalogPackage(
                id: PublisherFolder.root, parent: nil, level: .world, titles: ["en": "World"], area: nil,
                content: nil)
        var all = before.map { $0.packages.map { new[$0.id] ?? $0 } } ?? [root]
        let ids = Set(all.map(\.id))
        all += packages.filter { !ids.contains($0.id) }.map {
            $0.parent == nil ? $0.lying(in: root.id) : $0
        }
        // Archives of one region, or of one generator, may have the same title.
        let uses = Dictionary(grouping: all) { $0.englishTitle }
        for at in all.indices where !ids.contains(all[at].id) {
            let title = all[at].englishTitle
            if uses[title]?.count != 1 || ArchiveName.isGenerator(title) {
                all[at] = all[at].lying(in: all[at].parent, titles: ["en": all[at].id])
            }
        }
        var titles = before?.titles ?? [:]
        if let title { titles["en"] = title }
        let name =
            id ?? before?.id ?? String(RegionID(from: TileProbes.stem(Files.named(folder))).text.prefix(20))
        do throws(PackageCatalogFailure) {
            let catalog = try PackageCatalog(
                id: name, titles: titles, attribution: before?.attribution ?? "",
                isSigned: secretKey != nil, expires: expires, packages: all)
            // Parses the written JSON in order to validate it.
            return try PackageCatalog(Array(catalog.json.text.utf8), at: CatalogPublisher.fileName)
        } catch {
            throw PublishFailure("\(error)")
        }
    }
}

/// The failure to publish a catalogue. Lists all problems at once, so that the user can fix them together.
public struct PublishFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence for each problem. Safe to print.
    public let problems: [String]

    init(_ problems: [String]) { self.problems = problems.map { SafeText.sanitised($0, limit: 400) } }

    init(_ problem: String) { self.init([problem]) }

    public var description: String { problems.joined(separator: "\n") }
}
