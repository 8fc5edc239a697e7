internal import Glibc
public import RhumbCore
internal import RhumbEngine
public import RhumbOpening
internal import RhumbStore

/// Imports a set. All checksums are verified before anything is imported.
public final class SetImporter {
    private let folder: String
    /// The temporary folder with the files of an archive; nil for none.
    private let part: PartFolder?
    private let list: JSON
    /// The files of the set. All have been verified.
    public let files: [TransferSet.File]
    /// The paths of files that the set contains but doesn't list. They are not imported.
    public let unlisted: [String]

    /// Reads and verifies a set.
    /// - Parameters:
    ///   - path: The folder or tar archive.
    ///   - space: A folder on a disk with room for the files of an archive.
    /// - Throws: `TransferSetFailure`, `ExportFailure`
    public convenience init(_ path: String, space: String) throws {
        guard !Files.isFolder(path) else {
            let list = try SetImporter.list(in: path)
            let names = Set(list.files.map(\.path)).union([TransferSet.listName])
            let unlisted = SetImporter.paths(in: path).filter { !names.contains($0) }
            try self.init(folder: path, list, unlisted: unlisted)
            return
        }
        let archive = try TarReader(path)
        Folder.make(space, mode: 0o700)
        let part = try PartFolder("\(space)/set"), folder = part.path
        try archive.extract(TransferSet.listName, to: folder)
        let list = try SetImporter.list(in: folder)
        for file in list.files { try archive.extract(file.path, to: folder) }
        let names = Set(list.files.map(\.path)).union([TransferSet.listName])
        try self.init(
            folder: folder, list, unlisted: archive.paths.filter { !names.contains($0) }, part: part)
    }

    private init(
        folder: String, _ list: (json: JSON, files: [TransferSet.File]), unlisted: [String],
        part: PartFolder? = nil
    ) throws(TransferSetFailure) {
        for file in list.files {
            guard SetImporter.isPlain(file.path, in: folder) else { throw .path(file.path) }
            guard try TransferSet.File(file.path, in: folder) == file else { throw .damaged(file.path) }
        }
        self.folder = folder
        self.part = part
        self.unlisted = unlisted
        self.list = list.json
        files = list.files
    }

    /// Reads the list of a set.
    private static func list(
        in folder: String
    ) throws(TransferSetFailure) -> (json: JSON, files: [TransferSet.File]) {
        let path = "\(folder)/\(TransferSet.listName)"
        guard let bytes = Files.read(path, limit: 64 << 20) else { throw .noSet(folder) }
        let list = try converting(JSON.parse(bytes)) { (error: JSONFailure) in
            TransferSetFailure.list("\(error)")
        }
        guard list["format"]?.string == TransferSet.format, list["version"]?.int == 1 else {
            throw .list("it is not of a set that this version can read")
        }
        var files: [TransferSet.File] = []
        for entry in list["files"]?.array ?? [] { files.append(try TransferSet.File(json: entry)) }
        return (list, files)
    }

    /// Returns the paths of the files in a folder, as deep as those of a set may be.
    private static func paths(in folder: String, below path: String = "", depth: Int = 4) -> [String] {
        Files.names(in: folder).flatMap { name in
            Files.isFolder("\(folder)/\(name)")
                ? depth > 1 ? paths(in: "\(folder)/\(name)", below: "\(path)\(name)/", depth: depth - 1) : []
                : [path + name]
        }
    }

    /// Returns true if neither the file nor a folder above it is a symbolic link, which could lead out of the
    /// set.
    private static func isPlain(_ path: String, in folder: String) -> Bool {
        var parent = folder
        let parts = path.split(separator: "/")
        for (at, part) in parts.enumerated() {
            parent += "/" + part
            var facts = stat()
            // A missing file is reported later.
            guard lstat(parent, &facts) == 0 else { return true }
            guard facts.st_mode & S_IFMT == (at == parts.count - 1 ? S_IFREG : S_IFDIR) else { return false }
        }
        return true
    }

    /// Returns the contents of a file of the set.
    /// - Throws: `TransferSetFailure.unreadable`.
    public func bytes(of file: TransferSet.File) throws(TransferSetFailure) -> [UInt8] {
        guard let bytes = Files.read("\(folder)/\(file.path)", limit: 64 << 20) else {
            throw .unreadable(file.path)
        }
        return bytes
    }

    /// Copies a file of the set to a path where there is none.
    /// - Throws: `ArchiveFailure`, `TileFailure`, `ExportFailure`
    public func copy(_ file: TransferSet.File, to path: String) throws {
        try FileBytes("\(folder)/\(file.path)").copy(to: PartFile(path, isReplacing: false))
    }

    /// The result of an import.
    public struct Outcome: Sendable, Equatable {
        /// The ids of the imported regions.
        public fileprivate(set) var regions: [String] = []
        /// A sentence for each region that is left out.
        public fileprivate(set) var leftOut: [String] = []
        /// The ids of those left out because another region has the same id.
        public fileprivate(set) var taken: Set<String> = []
        /// The number of imported tiles.
        public fileprivate(set) var tiles = 0
    }

    /// Imports the regions that don't exist yet, and resumes interrupted imports.
    /// - Throws: `TransferSetFailure`, `RegionStoreFailure`, `ArchiveFailure`
    public func importRegions(
        into regions: Regions, _ catalog: SourceCatalog, at now: UnixSeconds
    ) throws -> Outcome {
        let records = try regions.store.regions()
        let entries = try (list["regions"]?.array ?? []).map { try Entry($0, listed: Set(files.map(\.path))) }
        var outcome = Outcome()
        for entry in entries {
            let id = entry.definition.id.text
            if let record = records.first(where: { $0.id == id }), !entry.isUnfinished(in: record) {
                let isSame = entry.isSame(as: record)
                if !isSame { outcome.taken.insert(id) }
                outcome.leftOut.append(
                    "\(id): \(isSame ? "the" : "another") region of this id exists already")
                continue
            }
            let refused = entry.parts.first {
                catalog.providers.governed($0.definition).policy.offline == .denied
            }
            if let refused {
                outcome.leftOut.append(
                    "\(id): the policy of \(refused.definition.name) does not allow regions")
                continue
            }
            if let refusal = try refusal(of: entry, regions.store, at: now) {
                outcome.leftOut.append("\(id): \(refusal)")
                continue
            }
            outcome.tiles += try add(entry, to: regions, at: now)
            outcome.regions.append(id)
        }
        return outcome
    }

    private func refusal(of entry: Entry, _ store: RegionStore, at now: UnixSeconds) throws -> String? {
        let documents = entry.documents.map {
            ($0.address, Files.read("\(folder)/\($0.file)", limit: 64 << 20) ?? [])
        }
        return try CatalogSignature.refusal(
            of: entry.definition, Dictionary(documents) { $1 }, entry.parts.map { "\(folder)/\($0.file)" },
            store, at: now)
    }

    private func add(_ entry: Entry, to regions: Regions, at now: UnixSeconds) throws -> Int {
        let definition = entry.definition
        let parts = entry.parts.map {
            RegionSourceRecord($0.origin, $0.definition, planned: $0.cover(definition))
        }
        let packs = entry.parts.map { ($0.origin, $0.packs(definition).packs() as any Sequence<TilePack>) }
        let documents = entry.documents.map { document in
            let body = Files.read("\(folder)/\(document.file)", limit: 64 << 20) ?? []
            let expired = Freshness(receivedAt: now, initialAge: 0, lifetime: 0)
            return RegionDocument(
                address: document.address,
                StoredResponse(body: body, freshness: expired, headers: document.headers))
        }
        let record = try regions.store.put(
            definition, parts: parts, packs: packs, documents: documents, at: now)
        var tiles = 0
        for (at, part) in entry.parts.enumerated() {
            let archive = try PMTilesArchive("\(folder)/\(part.file)", probe: TileProbes.header)
            // Sets of earlier versions have no ages.
            let ages = part.ages.flatMap { Files.read("\(folder)/\($0)", limit: 1 << 30) }.flatMap {
                try? JSON.parse($0)
            }.map { TileAges(json: $0, at: now) }
            tiles += try regions.fill(
                record, part: at, from: archive, at: now, isComplete: entry.isComplete, ages: ages
            ).imported
        }
        return tiles
    }

    /// A region in the list.
    private struct Entry {
        struct Part {
            let file: String
            /// The file with the ages of its tiles; nil if there is none.
            let ages: String?
            let origin: TileOrigin
            let definition: SourceDefinition

            func cover(_ region: RegionDefinition) -> Int {
                region.cover(
                    of: origin.key, available: definition.info.regionZooms, bounds: definition.bounds
                )
                .counts().total
            }

            func packs(_ region: RegionDefinition) -> PackSet {
                region.packs(
                    of: origin.key, available: definition.info.regionZooms, bounds: definition.bounds)
            }
        }

        /// Returns true for a region of the same tiles.
        func isSame(as record: RegionRecord) -> Bool {
            record.definition == definition && record.parts.count == parts.count
                && zip(record.parts, parts).allSatisfy { $0.origin.isSameSource(as: $1.origin) }
        }

        /// Returns true if an import of this region, or another download of its tiles, was interrupted.
        func isUnfinished(in record: RegionRecord) -> Bool {
            let isOver = [.complete, .completeWithGaps].contains(record.state)
            return record.definition == definition && record.coming.isEmpty
                && record.parts.map(\.origin) == parts.map(\.origin)
                && (!isOver || record.parts.contains { $0.settled < $0.planned })
        }

        let definition: RegionDefinition
        let parts: [Part]
        let documents: [(file: String, address: String, headers: HTTPHeaders)]
        let isComplete: Bool

        init(_ json: JSON, listed: Set<String>) throws {
            func file(_ json: JSON) throws(TransferSetFailure) -> String {
                guard let path = json["file"]?.string, listed.contains(path) else {
                    throw .list("a region refers to a file that is not listed")
                }
                return path
            }
            definition = try RegionDefinition(json: json["definition"] ?? .null)
            parts = try (json["parts"]?.array ?? []).map { part in
                guard let source = part["source"]?.string, let address = part["address"]?.string,
                    let size = part["size"]?.int,
                    let known = try SourceList.read(["sources": .array([part["definition"] ?? .null])]).first
                else { throw TransferSetFailure.list("a region has an invalid source") }
                let edition = TileEdition(
                    version: part["version"]?.string ?? "", addresses: part["addresses"]?.string ?? "")
                return Part(
                    file: try file(part),
                    ages: part["ages"]?.string.flatMap { listed.contains($0) ? $0 : nil },
                    origin: TileOrigin(source: source, address: address, size: size, edition: edition),
                    definition: known)
            }
            guard !parts.isEmpty else { throw TransferSetFailure.list("a region has no sources") }
            documents = try (json["documents"]?.array ?? []).map { document in
                var headers = HTTPHeaders()
                for line in document["headers"]?.array ?? [] {
                    guard let pair = line.array, pair.count == 2, let name = pair[0].string,
                        let value = pair[1].string,
                        (name + value).utf8.allSatisfy({ $0 >= 32 && $0 != 127 })
                    else { throw TransferSetFailure.list("a document has invalid header fields") }
                    headers.append(name, value)
                }
                return (try file(document), document["address"]?.string ?? "", headers)
            }
            isComplete = json["isComplete"]?.bool ?? false
        }
    }
}
