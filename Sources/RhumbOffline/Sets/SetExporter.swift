public import RhumbCore
internal import RhumbEngine
public import RhumbOpening
public import RhumbStore

/// Writes regions and other files as a set.
public struct SetExporter {
    private let regions: Regions
    private let catalog: SourceCatalog
    /// The folder or tar archive.
    private let destination: String

    /// - Parameter destination: The new folder, or a new tar archive, see `TransferSet.isArchive`.
    public init(_ regions: Regions, _ catalog: SourceCatalog, to destination: String) {
        self.regions = regions
        self.catalog = catalog
        self.destination = destination
    }

    /// A file of a set that belongs to no region.
    public struct Extra: Sendable {
        /// The origin of the contents.
        public enum Contents: Equatable, Sendable {
            case bytes([UInt8])
            /// A copy of the file with this path.
            case file(String)
        }

        /// The path in the set, such as "styles/winter.json".
        public let path: String
        /// The contents.
        public let contents: Contents

        /// Creates a file with a path in the set.
        public init(_ path: String, _ contents: Contents) {
            self.path = path
            self.contents = contents
        }

        /// Creates a JSON document.
        public init(_ path: String, json: JSON) { self.init(path, .bytes(Array(json.text.utf8))) }

        /// Writes the file into the folder of the set.
        fileprivate func write(in folder: PartFolder) throws {
            let destination = "\(folder.path)/\(path)"
            if let slash = path.lastIndex(of: "/") { folder.makeFolder(String(path[..<slash])) }
            switch contents {
            case .bytes(let bytes): try Files.write(bytes, to: destination)
            case .file(let original):
                try FileBytes(original).copy(to: PartFile(destination, isReplacing: false))
            }
        }
    }

    /// The result of an export.
    public struct Outcome: Sendable, Equatable {
        /// The ids of the exported regions and packages.
        public fileprivate(set) var regions: [String] = []
        /// A sentence for each region or source that is left out.
        public fileprivate(set) var leftOut: [String] = []
        /// The number of files.
        public fileprivate(set) var files = 0
        /// The total size of the files.
        public fileprivate(set) var bytes = 0
    }

    /// Writes a set, which appears under its name when it is complete. The list of a folder is written last,
    /// so that an unfinished one is not taken for a set.
    /// - Parameters:
    ///   - records: The regions and packages.
    ///   - extras: Other files.
    /// - Throws: `TransferSetFailure`, `ExportFailure`, `RegionExportFailure`, `RegionStoreFailure`
    public func export(
        _ records: [RegionRecord], _ extras: [Extra]
    ) throws -> Outcome {
        let name = PartFile.withoutSlash(destination)
        // A process that was killed may have left its temporary folder.
        PartFile.removeOrphans(beside: "\(name)/\(TransferSet.listName)")
        guard Files.names(in: destination).isEmpty else { throw TransferSetFailure.exists(destination) }
        let archive = TransferSet.isArchive(destination) ? try TarWriter(destination) : nil
        Files.makeFolder(name.parentFolder)
        // For an archive, it contains one file at a time.
        let isInPlace = archive == nil && Files.isFolder(name)
        let part = try PartFolder(name, filledUpTo: isInPlace ? TransferSet.listName : nil)
        let folder = part.path
        var outcome = Outcome(), files: [TransferSet.File] = [], entries: [JSON] = []
        func add(_ path: String) throws {
            files.append(try TransferSet.File(path, in: folder))
            try archive?.move(path, from: folder)
        }
        for record in records {
            guard let definition = record.definition else {
                outcome.leftOut.append("\(record.id): its definition can't be read")
                continue
            }
            let refused = record.parts.filter { !isShareable($0) }
            guard refused.isEmpty else {
                outcome.leftOut += refused.map {
                    "\(record.id): the policy of \($0.definition?.name ?? $0.origin.source) does not allow sharing"
                }
                continue
            }
            // The counts of a part are those of an update that may have failed; its tiles are still stored.
            var stored: [(part: RegionSourceRecord, ages: TileAges)] = []
            for part in record.parts {
                let cover = record.covers.first { $0.origin == part.origin }?.cover
                let tiles = try regions.store.freshness(of: part.origin) { cover?.contains($0) ?? false }
                if tiles.isEmpty {
                    let name = part.definition?.name ?? part.origin.source
                    outcome.leftOut.append("\(record.id): no tiles of \(name) are stored")
                } else {
                    stored.append((part, TileAges(tiles)))
                }
            }
            guard !stored.isEmpty else { continue }
            let member = "regions/\(record.id)"
            part.makeFolder(member)
            var parts: [JSON] = []
            for (at, (part, ages)) in stored.enumerated() {
                guard let source = part.definition else { continue }
                let path = "\(member)/\(at)\(ArchiveContainer.pmTiles.suffixes[0])"
                let summary = try regions.export(record, of: part.origin.address, to: folder + "/" + path)
                try add(path)
                if !summary.isWhole {
                    let count = AmountText.count(summary.missingTiles + summary.damagedTiles, "tile")
                    outcome.leftOut.append("\(record.id): \(count) of \(source.name) missing or damaged")
                }
                let agesPath = "\(member)/\(at).ages.json"
                try Files.write(Array(ages.json.text.utf8), to: folder + "/" + agesPath)
                try add(agesPath)
                parts.append(part.json(path, ages: agesPath, source))
            }
            var documents: [JSON] = []
            for (at, document) in try regions.store.documents(of: record.number).enumerated() {
                let path = "\(member)/document-\(at)"
                try Files.write(document.response.body ?? [], to: folder + "/" + path)
                try add(path)
                documents.append([
                    "file": .string(path), "address": .string(document.address),
                    "headers": .array(
                        document.response.headers.lines.map { .array([.string($0.name), .string($0.value)]) }),
                ])
            }
            entries.append([
                "id": .string(record.id), "definition": definition.json, "parts": .array(parts),
                "documents": .array(documents), "isComplete": .bool(try regions.counted(record).missing == 0),
            ])
            outcome.regions.append(record.id)
        }
        for extra in extras {
            try extra.write(in: part)
            try add(extra.path)
        }
        let list: JSON = [
            "format": .string(TransferSet.format), "version": 1, "files": .array(files.map(\.json)),
            "regions": .array(entries),
        ]
        try Files.write(Array(list.text.utf8), to: "\(folder)/\(TransferSet.listName)")
        try archive?.move(TransferSet.listName, from: folder)
        if let archive { try archive.finish() } else { try part.publish() }
        outcome.files = files.count
        outcome.bytes = files.reduce(0) { $0 + $1.bytes }
        return outcome
    }

    private func isShareable(_ part: RegionSourceRecord) -> Bool {
        part.definition.map { catalog.providers.governed($0).policy.archives && $0.policy.archives } ?? false
    }
}

extension RegionSourceRecord {
    fileprivate func json(_ path: String, ages: String, _ source: SourceDefinition) -> JSON {
        [
            "file": .string(path), "ages": .string(ages), "source": .string(origin.source),
            "address": .string(origin.address),
            "size": .integer(origin.size), "version": .string(origin.edition.version),
            "addresses": .string(origin.edition.addresses), "planned": .integer(planned),
            "definition": source.json,
        ]
    }
}
