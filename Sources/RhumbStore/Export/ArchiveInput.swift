public import RhumbCore
public import RhumbEngine

/// An archive to copy, merge or compare, with its path.
public struct ArchiveInput: Sendable {
    /// The path of the archive.
    public let path: String
    /// The open archive.
    public let archive: any TileArchive
    /// The state of the file when it was opened; nil for folders and archives on servers.
    private let opened: FileFacts?

    /// Creates an input.
    /// - Parameter path: The path from which the archive was opened.
    public init(_ path: String, _ archive: any TileArchive) {
        self.path = path
        self.archive = archive
        opened = FileFacts(path).flatMap { $0.isFile ? $0 : nil }
    }

    /// Checks that the file has not been written to since it was opened. A file that another one has replaced
    /// remains readable.
    /// - Throws: `ArchiveCopyFailure`
    public func checkUnchanged() throws(ArchiveCopyFailure) {
        guard let opened, let now = FileFacts(path), now.isSameFile(as: opened), now != opened else { return }
        throw ArchiveCopyFailure(
            path, .changed, "it changed while it was being read", "run the command again")
    }

    /// The reason why metadata are left out of copies; nil if they are complete.
    public var metadataProblem: String? {
        switch archive {
        case let archive as MBTilesArchive: archive.metadataProblem
        case let archive as PMTilesArchive: archive.metadataProblem
        case let archive as VersaTilesArchive: archive.metadataProblem
        default: nil
        }
    }

    /// True if the tiles are vector tiles.
    public var holdsVectorTiles: Bool { archive.refusal?.reason == .vectorTiles }

    /// Returns all tiles. Uses 16 bytes of memory for each run of consecutive tiles.
    /// - Parameter onOmission: Receives a row or file without a valid position, which can't be copied.
    /// - Throws: `ArchiveFailure` if a part of the list can't be read, `ArchiveCopyFailure` if it is empty,
    ///   `CancellationError` if the task is cancelled.
    func tiles(_ onOmission: (_ problem: String) -> Void = { _ in }) throws -> TileRuns {
        var runs = TileRuns(), count = 0
        try archive.walk(.ids(withRepeats: true)) { run in
            if case .failure(let failure) = run.body {
                guard run.fault != .position else { return onOmission(failure.message) }
                throw ArchiveFailure(
                    path, .damaged, failure.message, "download it again or recreate it")
            }
            runs.insert(run.ids)
            if archive.isDrawnOnDemand {
                count += run.count
                guard count <= archive.listLimit else { throw tooMany(count) }
            }
        }
        runs.settle()
        guard !runs.runs.isEmpty else {
            throw ArchiveCopyFailure(path, .empty, "it has no tiles", "use an archive with tiles")
        }
        return runs
    }

    /// Calls a function for listed tiles and their stored bodies, and reports the progress. Consecutive tiles
    /// that share a body in PMTiles are visited together.
    /// - Parameter spool: The path beside which bodies are stored that are drawn in another order than that
    ///   of the PMTiles ids; nil if tiles may be visited in any order.
    /// - Throws: As `stored`, and an error of `visit`; `ExportFailure` if bodies can't be stored,
    ///   `CancellationError` if the task is cancelled.
    func eachRun(
        of tiles: TileRuns, spool: String?,
        _ visit: (_ ids: Range<UInt64>, _ stored: [UInt8]) throws -> Void
    ) throws {
        if archive.isDrawnOnDemand {
            if tiles.count <= Self.sortLimit, archive.prepareRows() {
                return try eachDrawn(inRowsOf: tiles, spool, visit)
            }
            let ids = tiles.runs.lazy.joined().compactMap { TileID(hilbertID: $0) }
            return try eachDrawn(ids, of: tiles.count, inRows: false) {
                try visit($0.hilbertID..<$0.hilbertID + 1, $1)
            }
        }
        let total = tiles.count
        var done = 0
        for run in tiles.runs {
            var next = run.lowerBound
            while next < run.upperBound, let tile = TileID(hilbertID: next) {
                try Task.checkCancellation()
                WorkProgress.report(done, of: total)
                let shared = try (archive as? PMTilesArchive)?.storedRun(next)
                let stored = try shared?.body ?? stored(tile)
                let ids = next..<min(run.upperBound, shared?.end ?? next + 1)
                try visit(ids, stored)
                done += ids.count
                next = ids.upperBound
            }
        }
    }

    /// The number of tiles that one thread draws at a time. Neighbours show the same parts of a picture.
    private static let drawnTogether = 16
    /// The maximum number of tiles that are sorted by rows, in 100 bytes of memory each.
    private static let sortLimit = 4 << 20

    /// Draws rows of tiles, from west to east. A strip of a picture crosses all tiles of a row, and along the
    /// curve of the ids, it would be decoded again for each group of tiles: a picture of 36,000 × 18,000
    /// pixels took more than five minutes.
    private func eachDrawn(
        inRowsOf tiles: TileRuns, _ spool: String?,
        _ visit: (_ ids: Range<UInt64>, _ stored: [UInt8]) throws -> Void
    ) throws {
        let sorted = tiles.runs.joined().compactMap { TileID(hilbertID: $0) }
            .sorted { ($0.zoom, $0.y, $0.x) < ($1.zoom, $1.y, $1.x) }
        guard let spool else {
            return try eachDrawn(sorted, of: tiles.count, inRows: true) {
                try visit($0.hilbertID..<$0.hilbertID + 1, $1)
            }
        }
        let file = try PartFile(spool, isReplacing: true)
        file.hide()
        var bodies = BufferedPart(file, from: 0), sections: [UInt64: Range<Int>] = [:]
        try eachDrawn(sorted, of: tiles.count, inRows: true) { tile, body in
            sections[tile.hilbertID] = bodies.count..<bodies.count + body.count
            try bodies.append(body)
        }
        for id in tiles.runs.joined() {
            try Task.checkCancellation()
            guard let section = sections[id] else { continue }
            try visit(id..<id + 1, bodies.read(at: section.lowerBound, count: section.count))
        }
    }

    /// Calls a function for tiles and their bodies, in order. They are drawn on all cores.
    /// - Parameter inRows: If true, the first tile of a row is drawn alone, because it decodes the strips
    ///   that the others share.
    private func eachDrawn(
        _ tiles: some Sequence<TileID>, of total: Int, inRows: Bool,
        _ visit: (TileID, [UInt8]) throws -> Void
    ) throws {
        var done = 0, waiting: [TileID] = [], last: TileID?
        func flush() throws {
            try Task.checkCancellation()
            let parts = stride(from: 0, to: waiting.count, by: Self.drawnTogether).map {
                waiting[$0..<min($0 + Self.drawnTogether, waiting.count)]
            }
            let drawn = parts.concurrentlyMapped { part in Result { try part.map(stored) } }
            for (tile, body) in zip(waiting, try drawn.flatMap { try $0.get() }) { try visit(tile, body) }
            done += waiting.count
            WorkProgress.report(done, of: total)
            waiting = []
        }
        for tile in tiles {
            let startsRow = inRows && (last?.y != tile.y || last?.zoom != tile.zoom)
            if startsRow { try flush() }
            last = tile
            waiting.append(tile)
            if startsRow || waiting.count >= Self.drawnTogether * Self.drawnTogether { try flush() }
        }
        try flush()
    }

    /// Checks that the tiles can be processed one by one.
    /// - Throws: `ArchiveCopyFailure` if there are too many.
    func checkCount(of tiles: TileRuns) throws(ArchiveCopyFailure) {
        guard tiles.count > archive.listLimit else { return }
        throw tooMany(tiles.count)
    }

    private func tooMany(_ count: Int) -> ArchiveCopyFailure {
        ArchiveCopyFailure(
            path, .tooLarge, archive.listProblem(count),
            archive.isDrawnOnDemand
                ? "make it smaller with gdal_translate -of COG -outsize 50% 50% IN OUT"
                : "copy it to a PMTiles file, or extract a smaller area")
    }

    /// Returns tiles without those of a picture that show no data, which only drawing shows.
    /// - Parameter isChecked: Returns true for the ids of tiles to draw.
    func withoutBlank(_ tiles: TileRuns, where isChecked: (UInt64) -> Bool) throws -> TileRuns {
        guard archive.isDrawnOnDemand else { return tiles }
        var checked = TileRuns(), kept = TileRuns()
        for id in tiles.runs.lazy.joined() {
            if isChecked(id) { checked.insert(id..<id + 1) } else { kept.insert(id..<id + 1) }
        }
        checked.settle()
        try eachRun(of: checked, spool: nil) { ids, stored in
            if !stored.isEmpty { kept.insert(ids) }
        }
        kept.settle()
        return kept
    }

    /// Returns a tile's stored body; empty for a tile without content, or for a listed tile of a picture that
    /// shows no data.
    /// - Throws: `TileFailure` if it can't be read, `ArchiveCopyFailure` if it is missing.
    func stored(_ tile: TileID) throws -> [UInt8] {
        guard let stored = try archive.storedBody(tile) ?? (archive.isDrawnOnDemand ? [] : nil) else {
            throw ArchiveCopyFailure(
                path, .missing, "the listed tile \(tile) is missing", "recreate the archive")
        }
        return stored
    }

    /// Returns a stored body decompressed; empty for a tile without content.
    /// - Throws: `TileFailure` if it is damaged.
    public func plain(_ stored: [UInt8], _ tile: TileID) throws(TileFailure) -> [UInt8] {
        try TileBody.unwrapped(stored, "\(tile)", in: path, archive.compression)
    }

    /// Returns a tile's body for an `ArchiveWriter`; empty for a tile without content. Vector tiles stay
    /// compressed, which saves most of the time.
    /// - Throws: `TileFailure` if the body is damaged.
    func body(_ tile: TileID) throws -> [UInt8] { try content(stored(tile), tile).body }

    /// Returns a stored body for an `ArchiveWriter`, and decompressed.
    /// - Throws: `TileFailure` if the body is damaged.
    func content(_ stored: [UInt8], _ tile: TileID) throws -> (body: [UInt8], plain: [UInt8]) {
        let plain = try plain(stored, tile)
        let isGzip = holdsVectorTiles && archive.compression.actual(of: stored) == .gzip
        return (isGzip ? stored : plain, plain)
    }

    /// Returns a stored body for an `ArchiveWriter`, without Brotli or Zstandard, which it doesn't support.
    /// Damaged bodies are returned unchanged.
    func writable(_ stored: [UInt8]) -> [UInt8] {
        switch archive.compression {
        case .unknown, .none, .gzip: stored
        case .brotli, .zstd: (try? archive.compression.unpacked(stored)) ?? stored
        }
    }

    /// Returns the time of the last change of the archive, or of a tile's file in a folder; nil if unknown.
    func changeTime(of tile: TileID) -> (Int64, Int)? {
        FileFacts((archive as? TileFolder)?.file(of: tile) ?? path)?.moment
    }

    /// Returns true if a path leads to this archive.
    func isSame(as other: String) -> Bool {
        guard let own = FileFacts(path), let its = FileFacts(other) else { return false }
        return own.isSameFile(as: its)
    }
}

extension TileRuns {
    /// The number of tiles.
    var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// Calls a function for each tile in the order of the PMTiles ids, and reports the progress.
    /// - Throws: An error of `body`, or `CancellationError` if the task is cancelled.
    func eachTile(_ body: (TileID) throws -> Void) throws {
        let total = count
        var done = 0
        for run in runs {
            for id in run {
                try Task.checkCancellation()
                WorkProgress.report(done, of: total)
                done += 1
                if let tile = TileID(hilbertID: id) { try body(tile) }
            }
        }
    }
}
