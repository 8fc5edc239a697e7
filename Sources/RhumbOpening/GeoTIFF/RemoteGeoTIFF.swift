internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import Synchronization

/// The parts of a remote TIFF file that are loaded: its directories and the tables of its blocks.
private final class RemoteTIFFBytes: TIFFBytes {
    private let parts = Mutex<[(section: FileSection, bytes: [UInt8])]>([])

    func bytes(_ section: FileSection) throws(TIFFProblem) -> [UInt8] {
        let found = parts.withLock { parts in
            parts.lazy.compactMap { section.bytes(in: $0.bytes, of: $0.section).map(Array.init) }.first
        }
        guard let found else { throw .missing(section) }
        return found
    }

    func add(_ bytes: [UInt8], at offset: UInt64) {
        let section = FileSection(offset: offset, length: UInt64(bytes.count))
        parts.withLock { $0.insert((section, bytes), at: 0) }
    }
}

/// One version of a GeoTIFF on a server, with the parts of it that were loaded.
private final class TIFFEdition: Sendable {
    let image: GeoTIFF
    let cache = RecentItems<GeoTIFF.BlockID, TIFFBlock>()
    let loader = BlockLoader()
    private let bytes: RemoteTIFFBytes
    private let file: RemoteFile
    let version: FileVersion
    private let range = Mutex<TIFFStretch?>(nil)

    /// The number of bytes to load beyond a requested part of the directories.
    private static let leastAhead: UInt64 = 64 << 10, mostAhead: UInt64 = 2 << 20
    /// The maximum number of requests for the directories.
    private static let roundLimit = 40

    /// Reads the directories of a file with these first bytes, and the blocks that the stretch needs.
    /// - Parameter old: The version that it replaces; nil for none.
    static func open(
        _ beginning: Document, _ file: RemoteFile, name: String, replacing old: FileVersion? = nil
    ) async throws(TIFFProblem) -> TIFFEdition {
        let bytes = RemoteTIFFBytes(), version = FileVersion(beginning, replacing: old)
        bytes.add(beginning.body, at: 0)
        let image = try await loading(bytes, file, version) { () throws(TIFFProblem) in
            try GeoTIFF(bytes, name: name)
        }
        let edition = TIFFEdition(image, bytes, file, version)
        let samples = try await edition.blocks(image.sampleBlocks)
        if !samples.isEmpty { edition.range.withLock { $0 = image.stretch(Array(samples.values)) } }
        return edition
    }

    private init(_ image: GeoTIFF, _ bytes: RemoteTIFFBytes, _ file: RemoteFile, _ version: FileVersion) {
        self.image = image
        self.bytes = bytes
        self.file = file
        self.version = version
    }

    /// The ranges of values; nil for colours and heights.
    var stretch: TIFFStretch? { range.withLock { $0 } }

    /// Runs a reader of the directories. When a part is missing, it is loaded, and the reader runs again.
    private static func loading<Value>(
        _ bytes: RemoteTIFFBytes, _ file: RemoteFile, _ version: FileVersion,
        _ read: () throws(TIFFProblem) -> Value
    ) async throws(TIFFProblem) -> Value {
        for _ in 0..<roundLimit {
            do throws(TIFFProblem) {
                return try read()
            } catch {
                guard case .missing(let section) = error, section.length <= 256 << 20 else { throw error }
                // The remaining directories are about a third as long as the first one with its tables.
                let ahead = min(max(section.offset / 3 + 32_768, leastAhead), mostAhead)
                let rest = version.size.map { $0 - min($0, section.offset) } ?? 0
                let wide = FileSection(
                    offset: section.offset, length: max(section.length, min(ahead, rest)))
                do throws(RangeFailure) {
                    bytes.add(try await file.storedDocument(wide, of: version), at: section.offset)
                } catch {
                    throw TIFFProblem(error, file)
                }
            }
        }
        throw .damaged("its directories are scattered over the file")
    }

    /// Returns blocks from memory, the store or the server.
    func blocks(_ ids: [GeoTIFF.BlockID]) async throws(TIFFProblem) -> [GeoTIFF.BlockID: TIFFBlock] {
        var found: [GeoTIFF.BlockID: TIFFBlock] = [:], wanted: [GeoTIFF.BlockID] = []
        for id in ids { if let block = cache[id] { found[id] = block } else { wanted.append(id) } }
        guard !wanted.isEmpty else { return found }
        let places = try await Self.loading(bytes, file, version) { [image] () throws(TIFFProblem) in
            try wanted.map { (id) throws(TIFFProblem) in (id, try image.sections(of: id)) }
        }
        let raw = try await sections(places.flatMap { $0.1.compactMap(\.self) })
        for (id, sections) in places {
            let block = try image.decoded(sections.map { $0.flatMap { raw[$0.offset] } }, id)
            found[id] = block
            cache.add(block, id, bytes: block.byteCount)
        }
        return found
    }

    /// Returns the bytes of sections by their offsets.
    private func sections(_ sections: [FileSection]) async throws(TIFFProblem) -> [UInt64: [UInt8]] {
        var raw: [UInt64: [UInt8]] = [:], missing: [(item: FileSection, section: FileSection)] = []
        for section in sections where raw[section.offset] == nil {
            let stored = file.loader.cached.match(file.key(of: section), version: version.name)
            if let body = stored?.response.body {
                raw[section.offset] = body
            } else {
                missing.append((section, section))
            }
        }
        guard !missing.isEmpty else { return raw }
        var batch = RangeBatch(missing)
        do throws(RangeFailure) {
            try await file.load(&batch, of: version, priority: .visible(view: .max)) {
                [file] section, range in
                raw[section.offset] = range.bytes
                file.store(range, for: section)
            }
        } catch {
            throw TIFFProblem(error, file)
        }
        return raw
    }
}

/// A GeoTIFF on a web server, read in ranges. Ranges are stored, so that viewed parts are available offline.
/// If a response shows that the file changed on its server, the file is opened again.
final class RemoteGeoTIFF: TileLayerDataSource {
    private let file: RemoteFile
    private let name: String
    private let info: TileSourceInfo
    private let onChange: (@Sendable () -> Void)?
    private let current: Mutex<TIFFEdition>
    private let changes = Mutex(FileChanges())
    private let renewal = SingleFlight<String, Result<TIFFEdition, TIFFProblem>>()

    /// Opens a file on a server.
    /// - Parameter onChange: Called when the file has changed on the server, so that its pictures are
    ///   outdated.
    /// - Throws: `ArchiveFailure`
    static func open(
        _ file: RemoteFile, name: String, prefersStored: Bool, onChange: (@Sendable () -> Void)? = nil
    ) async throws(ArchiveFailure) -> RemoteGeoTIFF {
        let beginning = try await file.start(prefersStored: prefersStored, isReload: false)
        guard [.tiff, .bigTIFF].contains(FileSignature(beginning.body)) else {
            throw ArchiveFailure(
                file.name, .notRecognised, "the response is not a TIFF file", "check the URL")
        }
        do throws(TIFFProblem) {
            let edition = try await TIFFEdition.open(beginning, file, name: name)
            return RemoteGeoTIFF(edition, file, name, onChange)
        } catch {
            throw ArchiveFailure(error, file.name)
        }
    }

    private init(
        _ edition: TIFFEdition, _ file: RemoteFile, _ name: String, _ onChange: (@Sendable () -> Void)?
    ) {
        self.file = file
        self.name = name
        self.onChange = onChange
        info = edition.image.info(name)
        current = Mutex(edition)
    }

    private var edition: TIFFEdition { current.withLock { $0 } }

    func layer(id: TileLayer.ID) -> TileLayer {
        edition.image.layer(id: id, self, info, edition.stretch).made(of: [file.beginning])
    }

    /// Returns the version that replaced another one.
    /// - Parameter beginning: The response with its first bytes.
    private func replaced(
        _ old: TIFFEdition, by beginning: CachedResponse
    ) async -> Result<TIFFEdition, TIFFProblem> {
        await renewal.value(for: file.name) { [self] in
            let known = edition
            guard known === old else { return .success(known) }
            if let unrest = changes.withLock({ $0.add(to: file) }) { return .failure(.unreadable(unrest)) }
            return await Result(awaiting: { [self] () async throws(TIFFProblem) in
                let new = try await TIFFEdition.open(
                    file.loader.document(beginning, file.beginning), file, name: name, replacing: old.version)
                current.withLock { $0 = new }
                onChange?()
                return new
            })
        }
    }

    // MARK: Tiles

    func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns a tile whose blocks are in memory; nil to load them.
    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        let edition = edition
        guard let plan = edition.image.plan(tile) else { return .absent }
        guard plan.blocks.count <= GeoTIFF.blockLimit / 16 else {
            throw TileFailure(
                .refused,
                "\(info.name): it has no overviews, so the whole file would be loaded; zoom in, or convert it "
                    + "with gdal_translate -of COG IN OUT", retryAfter: .seconds(600))
        }
        var blocks: [GeoTIFF.BlockID: TIFFBlock] = [:]
        for id in plan.blocks {
            guard let block = edition.cache[id] else { return nil }
            blocks[id] = block
        }
        return edition.image.answer(plan, blocks, edition.stretch)
    }

    /// Loads the blocks of a tile. Tiles that are requested together share requests.
    func begin(_ request: TileRequest) -> Bool {
        let edition = edition
        guard edition.image.plan(request.tile) != nil else { return request.complete(.absent) }
        Task { [self] in
            switch await answer(request.tile, edition) {
            case .success(let answer): request.complete(answer)
            case .failure(let failure): request.fail(failure)
            }
        }
        return true
    }

    /// Returns a tile of a version, or of the one that replaced it meanwhile.
    private func answer(_ tile: TileID, _ first: TIFFEdition) async -> Result<TileAnswer, TileFailure> {
        var edition = first
        for _ in 0..<2 {
            guard let plan = edition.image.plan(tile) else { return .success(.absent) }
            let outcome = await edition.loader.blocks(plan.blocks) { [edition] (ids) throws(TIFFProblem) in
                try await edition.blocks(ids)
            }
            switch outcome {
            case .success(let blocks):
                return .success(edition.image.answer(plan, blocks, edition.stretch))
            case .failure(.replaced(let beginning)):
                switch await replaced(edition, by: beginning) {
                case .success(let next): edition = next
                case .failure(let problem): return .failure(problem.tileFailure(info.name))
                }
            case .failure(let problem): return .failure(problem.tileFailure(info.name))
            }
        }
        return .failure(RangeFailure.differs(nil).tileFailure(file))
    }
}

/// Collects the blocks of tiles that are requested at about the same time. A block is loaded once for all.
private actor BlockLoader {
    typealias Blocks = [GeoTIFF.BlockID: TIFFBlock]
    typealias Outcome = Result<Blocks, TIFFProblem>
    private var waiting: Set<GeoTIFF.BlockID> = []
    private var collecting: Task<Outcome, Never>?
    private var loading: [GeoTIFF.BlockID: Task<Outcome, Never>] = [:]

    /// Returns the blocks of a tile. All that are requested within some milliseconds are loaded together.
    func blocks(
        _ ids: Set<GeoTIFF.BlockID>,
        _ load: @escaping @Sendable ([GeoTIFF.BlockID]) async throws(TIFFProblem) -> Blocks
    ) async -> Outcome {
        var tasks = Set(ids.compactMap { loading[$0] })
        let fresh = ids.filter { loading[$0] == nil }
        if !fresh.isEmpty {
            waiting.formUnion(fresh)
            let task = collecting ?? Task { await collect(load) }
            collecting = task
            for id in fresh { loading[id] = task }
            tasks.insert(task)
        }
        var found: Blocks = [:]
        for task in tasks {
            switch await task.value {
            case .success(let blocks): found.merge(blocks) { $1 }
            case .failure(let problem): return .failure(problem)
            }
        }
        return .success(found.filter { ids.contains($0.key) })
    }

    private func collect(
        _ load: @Sendable ([GeoTIFF.BlockID]) async throws(TIFFProblem) -> Blocks
    ) async -> Outcome {
        try? await Task.sleep(for: .milliseconds(10))
        let ids = Array(waiting)
        waiting = []
        collecting = nil
        let outcome = await Result(awaiting: { () async throws(TIFFProblem) in try await load(ids) })
        for id in ids { loading[id] = nil }
        return outcome
    }
}

extension TIFFProblem {
    fileprivate init(_ failure: RangeFailure, _ file: RemoteFile) {
        if case .changed(let beginning) = failure {
            self = .replaced(beginning)
        } else {
            self = .unreadable(failure.tileFailure(file))
        }
    }
}
