internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import Synchronization

/// The parts of a remote TIFF file that are loaded: its directories and the tables of its blocks.
private final class RemoteTIFFBytes: TIFFBytes {
    private let parts = Mutex<[(section: FileSection, bytes: [UInt8])]>([])
    private let file: RemoteFile
    private let version: FileVersion

    /// The number of bytes to load beyond a requested part of the directories.
    private static let leastAhead: UInt64 = 64 << 10, mostAhead: UInt64 = 2 << 20
    /// The maximum number of requests for the directories.
    private static let roundLimit = 40

    init(_ beginning: [UInt8], _ file: RemoteFile, _ version: FileVersion) {
        self.file = file
        self.version = version
        add(beginning, at: 0)
    }

    func bytes(_ section: FileSection) throws(TIFFProblem) -> [UInt8] {
        let found = parts.withLock { parts in
            parts.firstNonNil { section.bytes(in: $0.bytes, of: $0.section).map(Array.init) }
        }
        guard let found else { throw .missing(section) }
        return found
    }

    private func add(_ bytes: [UInt8], at offset: UInt64) {
        let section = FileSection(offset: offset, length: UInt64(bytes.count))
        parts.withLock { $0.insert((section, bytes), at: 0) }
    }

    /// The sections that were loaded besides the first bytes.
    var sections: [FileSection] { parts.withLock { $0.dropLast().map(\.section) } }

    /// Runs a reader of the directories. When a part is missing, it is loaded, and the reader runs again.
    func loading<Value>(_ read: () throws(TIFFProblem) -> Value) async throws(TIFFProblem) -> Value {
        for _ in 0..<Self.roundLimit {
            do throws(TIFFProblem) {
                return try read()
            } catch {
                guard case .missing(let section) = error, section.length <= 256 << 20 else { throw error }
                // The remaining directories are about a third as long as the first one with its tables.
                let ahead = min(max(section.offset / 3 + 32_768, Self.leastAhead), Self.mostAhead)
                let rest = version.size.map { $0 - min($0, section.offset) } ?? 0
                let wide = FileSection(
                    offset: section.offset, length: max(section.length, min(ahead, rest)))
                let part = try await convertingAsync(
                    await file.storedDocument(wide, of: version), to: TIFFProblem.notLoaded)
                add(part, at: section.offset)
            }
        }
        throw .damaged("its directories are scattered over the file")
    }
}

/// Finds the blocks of one version of a GeoTIFF on a server, and draws tiles from them.
final class TIFFDirectory: ArchiveDirectory, ArchiveIndex {
    let image: GeoTIFF
    /// The ranges of values; nil for colours and heights.
    let stretch: TIFFStretch?
    let openingSections: [FileSection]
    let loader: SectionLoader?
    let tileBytes: UInt64
    let name: String
    private let bytes: RemoteTIFFBytes
    private let blocks = RecentItems<GeoTIFF.BlockID, TIFFBlock>()

    /// Reads the directories of a file with these first bytes, and the blocks that the stretch needs.
    /// - Throws: `ArchiveFailure`
    init(_ beginning: Document, _ file: RemoteFile, _ version: FileVersion) async throws(ArchiveFailure) {
        guard [.tiff, .bigTIFF].contains(FileSignature(beginning.body)) else {
            throw ArchiveFailure(
                file.name, .notRecognised, "the response is not a TIFF file", "check the URL")
        }
        let name = String(URLReference(file.name).path.lastPathName.prefix { $0 != "." }),
            bytes = RemoteTIFFBytes(beginning.body, file, version),
            loader = SectionLoader(file, version, .blocks)
        do throws(TIFFProblem) {
            let image = try await bytes.loading { () throws(TIFFProblem) in
                try GeoTIFF(bytes, name: name)
            }
            let samples = try await bytes.loading { () throws(TIFFProblem) in
                try image.sampleBlocks.map { (id) throws(TIFFProblem) in (id, try image.sections(of: id)) }
            }
            let sections = samples.flatMap { $0.1.compactMap(\.self) }
            let raw = try await convertingAsync(await loader.documents(sections), to: TIFFProblem.notLoaded)
            stretch = image.stretch(
                try samples.map { (id, sections) throws(TIFFProblem) in
                    try image.sampledValues(sections.map { $0.flatMap { raw[$0] } }, id)
                })
            openingSections = bytes.sections + Set(sections)
            self.image = image
        } catch {
            throw ArchiveFailure(error, file.name)
        }
        self.name = name
        self.bytes = bytes
        self.loader = loader
        tileBytes = version.size ?? 0
    }

    func sampleSections() -> [FileSection] { [] }

    func sections(of tile: TileID) async throws(RangeFailure) -> [FileSection] {
        guard let plan = image.plan(tile) else { return [] }
        guard plan.blocks.count <= GeoTIFF.remoteBlockLimit else {
            throw .failed(
                TileFailure(
                    .refused,
                    "\(name): it has no overviews, so the whole file would be loaded; zoom in, or convert it "
                        + "with gdal_translate -of COG IN OUT", retryAfter: .seconds(600)))
        }
        do throws(TIFFProblem) {
            let sections = try await bytes.loading { () throws(TIFFProblem) in
                try plan.blocks.map { (id) throws(TIFFProblem) in try image.sections(of: id) }
            }
            // Blocks may share sections of the mask.
            return Set(sections.joined().compactMap(\.self)).sorted { $0.offset < $1.offset }
        } catch {
            if case .notLoaded(let failure) = error { throw failure }
            throw .failed(error.tileFailure(name))
        }
    }

    /// Draws a tile.
    func body(
        of tile: TileID, from parts: [FileSection: [UInt8]]
    ) throws(TileFailure) -> [UInt8]? {
        guard let plan = image.plan(tile) else { return nil }
        var decoded: [GeoTIFF.BlockID: TIFFBlock] = [:]
        do throws(TIFFProblem) {
            for id in plan.blocks {
                if let cached = blocks[id] {
                    decoded[id] = cached
                } else {
                    let raw = try image.sections(of: id).map { $0.flatMap { parts[$0] } }
                    let block = try image.decoded(raw, id, stretch)
                    decoded[id] = block
                    blocks.add(block, id, bytes: block.byteCount)
                }
            }
        } catch {
            throw error.tileFailure(name)
        }
        return image.answer(plan, decoded).png
    }

    // MARK: Description

    var metadataSection: FileSection { FileSection() }
    var ownMetadata: JSON { image.metadata(name) }
    var declaresVectorTiles: Bool { false }
    func checkMetadataSize() {}
    func metadata(_ packed: [UInt8]) -> JSON { image.metadata(name) }
    func body(_ stored: [UInt8], _ tile: String) -> [UInt8] { stored }
    func info(_ metadata: JSON, body: [UInt8]?, _ probe: TileProbe?) -> TileSourceInfo { image.info(name) }
    func refusal(body: [UInt8]?) -> ArchiveFailure? { nil }
}
