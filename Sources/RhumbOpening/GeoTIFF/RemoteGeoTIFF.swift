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

/// A GeoTIFF on a web server, read in ranges. Ranges are stored, so that viewed parts are available offline.
final class RemoteGeoTIFF: TileLayerDataSource {
    private let image: GeoTIFF
    private let bytes: RemoteTIFFBytes
    private let file: RemoteFile
    private let version: (text: String, isStated: Bool)
    private let info: TileSourceInfo
    private let cache = RecentItems<GeoTIFF.BlockID, TIFFBlock>()
    private let stretch = Mutex<TIFFStretch?>(nil)
    private let loader: BlockLoader

    /// The number of bytes to load beyond a requested part of the directories.
    private static let leastAhead: UInt64 = 64 << 10, mostAhead: UInt64 = 2 << 20
    /// The maximum number of requests for the directories.
    private static let roundLimit = 40

    /// Opens a file on a server.
    /// - Throws: `ArchiveFailure`
    static func open(
        _ file: RemoteFile, name: String, prefersStored: Bool
    ) async throws(ArchiveFailure) -> RemoteGeoTIFF {
        let beginning = try await file.start(prefersStored: prefersStored, isReload: false)
        guard [.tiff, .bigTIFF].contains(FileSignature(beginning.body)) else {
            throw ArchiveFailure(
                file.name, .notRecognised, "the response is not a TIFF file", "check the URL")
        }
        let bytes = RemoteTIFFBytes(), stated = beginning.headers.fileVersion
        bytes.add(beginning.body, at: 0)
        let version = (stated ?? "\(ContentHash(beginning.body))", stated != nil)
        do throws(TIFFProblem) {
            let image = try await loading(bytes, file, version) { () throws(TIFFProblem) in
                try GeoTIFF(bytes, name: name)
            }
            let source = RemoteGeoTIFF(image, bytes, file, version, name)
            let samples = try await source.blocks(image.sampleBlocks)
            if !samples.isEmpty {
                source.stretch.withLock { $0 = image.stretch(Array(samples.values)) }
            }
            return source
        } catch {
            throw ArchiveFailure(error, file.name)
        }
    }

    private init(
        _ image: GeoTIFF, _ bytes: RemoteTIFFBytes, _ file: RemoteFile, _ version: (String, Bool),
        _ name: String
    ) {
        self.image = image
        self.bytes = bytes
        self.file = file
        self.version = version
        info = image.info(name)
        loader = BlockLoader()
    }

    func layer(id: TileLayer.ID) -> TileLayer {
        image.layer(id: id, self, info, stretch.withLock { $0 }).made(of: [file.beginning])
    }

    // MARK: Loading

    /// Runs a reader of the directories. When a part is missing, it is loaded, and the reader runs again.
    private static func loading<Value>(
        _ bytes: RemoteTIFFBytes, _ file: RemoteFile, _ version: (text: String, isStated: Bool),
        _ read: () throws(TIFFProblem) -> Value
    ) async throws(TIFFProblem) -> Value {
        for _ in 0..<roundLimit {
            do throws(TIFFProblem) {
                return try read()
            } catch {
                guard case .missing(let section) = error, section.length <= 256 << 20 else { throw error }
                // The remaining directories are about a third as long as the first one with its tables.
                let ahead = min(max(section.offset / 3 + 32_768, leastAhead), mostAhead)
                let wide = FileSection(
                    offset: section.offset, length: max(section.length, ahead))
                let found = try await load(wide, file, version)
                guard found.count >= section.length else { throw .damaged("it is truncated") }
                bytes.add(found, at: section.offset)
            }
        }
        throw .damaged("its directories are scattered over the file")
    }

    /// Returns a section, or as much of it as the file has.
    private static func load(
        _ section: FileSection, _ file: RemoteFile, _ version: (text: String, isStated: Bool)
    ) async throws(TIFFProblem) -> [UInt8] {
        do throws(DocumentFailure) {
            let document = try await file.loader.load(file.range(section))
            guard !version.isStated || document.headers.fileVersion == version.text else {
                throw DocumentFailure.unreadable(
                    address: file.name, "of another version than its beginning; open it again")
            }
            return document.body
        } catch {
            throw .unreadable(TileFailure(.unreadable, "\(error)"))
        }
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
            let stored = file.loader.cached.match(file.key(of: section), version: version.text)
            if let body = stored?.response.body {
                raw[section.offset] = body
            } else {
                missing.append((section, section))
            }
        }
        guard !missing.isEmpty else { return raw }
        var batch = RangeBatch(missing)
        do throws(RangeFailure) {
            try await file.load(
                &batch, version: version.text, isStated: version.isStated, priority: .visible(view: .max)
            ) { [file] section, range in
                raw[section.offset] = range.bytes
                file.store(range, for: section)
            }
        } catch {
            throw TIFFProblem(error, file)
        }
        return raw
    }

    // MARK: Tiles

    func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns a tile whose blocks are in memory; nil to load them.
    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        guard let plan = image.plan(tile) else { return .absent }
        guard plan.blocks.count <= GeoTIFF.blockLimit / 16 else {
            throw TileFailure(
                .refused,
                "\(info.name): it has no overviews, so the whole file would be loaded; zoom in, or convert it "
                    + "with gdal_translate -of COG IN OUT", retryAfter: .seconds(600))
        }
        var blocks: [GeoTIFF.BlockID: TIFFBlock] = [:]
        for id in plan.blocks {
            guard let block = cache[id] else { return nil }
            blocks[id] = block
        }
        return image.answer(plan, blocks, stretch.withLock { $0 })
    }

    /// Loads the blocks of a tile. Tiles that are requested together share requests.
    func begin(_ request: TileRequest) -> Bool {
        guard let plan = image.plan(request.tile) else { return request.complete(.absent) }
        Task { [self] in
            let outcome = await loader.blocks(plan.blocks) { [self] (ids) throws(TIFFProblem) in
                try await blocks(ids)
            }
            switch outcome {
            case .success(let blocks):
                request.complete(image.answer(plan, blocks, stretch.withLock { $0 }))
            case .failure(let problem): request.fail(problem.tileFailure(info.name))
            }
        }
        return true
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
        self = .unreadable(failure.tileFailure(file))
    }
}
