internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// An archive to copy, merge or compare, with its path.
public struct ArchiveInput: Sendable {
    /// The path of the archive.
    public let path: String
    /// The open archive.
    public let archive: any TileArchive
    /// The state of the file when it was opened; nil for folders and archives on servers.
    private let opened: FileState?

    /// Creates an input.
    /// - Parameter path: The path from which the archive was opened.
    public init(_ path: String, _ archive: any TileArchive) {
        self.path = path
        self.archive = archive
        opened = FileState(path)
    }

    /// Checks that the file has not been written to since it was opened. A file that another one has replaced
    /// remains readable.
    /// - Throws: `ArchiveCopyFailure`
    public func checkUnchanged() throws(ArchiveCopyFailure) {
        guard let opened, let now = FileState(path), now.isSameFile(as: opened), now != opened else { return }
        throw ArchiveCopyFailure(
            path, .changed, "it changed while it was being read", "run the command again")
    }

    /// True if the tiles are vector tiles.
    public var holdsVectorTiles: Bool { archive.refusal?.reason == .vectorTiles }

    /// Returns all tiles. Uses 16 bytes of memory for each run of consecutive tiles.
    /// - Throws: `ArchiveFailure` if a part of the list can't be read, `ArchiveCopyFailure` if it is empty,
    ///   `CancellationError` if the task is cancelled.
    func tiles() throws -> TileRuns {
        var runs = TileRuns()
        if let archive = archive as? PMTilesArchive {
            try archive.listEntries { try runs.insert(ArchiveInput.checked($0)) }
        } else {
            try archive.eachTile { tile in
                let id = tile.pmtilesID
                try runs.insert(ArchiveInput.checked(id..<id + 1))
            }
        }
        runs.settle()
        guard !runs.runs.isEmpty else {
            throw ArchiveCopyFailure(path, .empty, "it has no tiles", "use an archive with tiles")
        }
        return runs
    }

    /// Returns a range unless the task is cancelled.
    private static func checked(_ run: Range<UInt64>) throws -> Range<UInt64> {
        try Task.checkCancellation()
        return run
    }

    /// Returns a tile's stored body.
    /// - Throws: `TileFailure` if it can't be read, `ArchiveCopyFailure` if it is missing.
    func stored(_ tile: TileID) throws -> [UInt8] {
        guard let stored = try archive.storedBody(tile) else {
            throw ArchiveCopyFailure(
                path, .missing, "the listed tile \(tile) is missing", "recreate the archive")
        }
        return stored
    }

    /// Returns a stored body decompressed.
    /// - Throws: `TileFailure` if it is empty or damaged.
    func plain(_ stored: [UInt8], _ tile: TileID) throws(TileFailure) -> [UInt8] {
        try TileBody.unwrapped(stored, "\(tile)", in: path, archive.compression)
    }

    /// Returns a tile's body for an `ArchiveWriter`. Vector tiles stay compressed, which saves most of the
    /// time.
    /// - Throws: `TileFailure` if the body is damaged.
    func body(_ tile: TileID) throws -> [UInt8] {
        let stored = try stored(tile), plain = try plain(stored, tile)
        return holdsVectorTiles && archive.compression.actual(of: stored) == .gzip ? stored : plain
    }

    /// Returns a stored body for an `ArchiveWriter`, without Brotli or Zstandard, which it doesn't support.
    /// Damaged bodies are returned unchanged.
    func writable(_ stored: [UInt8]) -> [UInt8] {
        switch archive.compression {
        case .unknown, .none, .gzip: stored
        case .brotli, .zstd: (try? archive.compression.unpacked(stored)) ?? stored
        }
    }

    /// Returns the time of the last change of the archive, or of a tile's file in a folder, in seconds since
    /// 1970; 0 if unknown.
    func changeTime(of tile: TileID) -> Double {
        var facts = stat()
        let file = (archive as? TileFolder).map { $0.file(of: tile) ?? path } ?? path
        guard stat(file, &facts) == 0 else { return 0 }
        return Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec) / 1e9
    }

    /// Returns true if a path leads to this archive.
    func isSame(as other: String) -> Bool {
        var own = stat(), its = stat()
        guard stat(path, &own) == 0, stat(other, &its) == 0 else { return false }
        return own.st_dev == its.st_dev && own.st_ino == its.st_ino
    }
}

/// The identity, size and time of the last change of a file.
private struct FileState: Equatable {
    private let device: UInt
    private let node: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// Returns nil if there is no regular file.
    init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt(facts.st_dev)
        node = UInt(facts.st_ino)
        size = Int(facts.st_size)
        seconds = facts.st_mtim.tv_sec
        nanoseconds = facts.st_mtim.tv_nsec
    }

    func isSameFile(as other: Self) -> Bool { device == other.device && node == other.node }
}

extension PMTilesArchive {
    /// Calls `body` for the tiles of each entry.
    /// - Throws: `ArchiveFailure` if a directory or an entry is damaged, or an error of `body`.
    fileprivate func listEntries(_ body: (Range<UInt64>) throws -> Void) throws {
        let limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1)
        for found in PMTilesEntries(file) {
            guard case .tiles(let entry) = found else {
                if case .fault(let problem) = found { throw damaged(problem) }
                continue
            }
            guard entry.id < limit, UInt64(entry.run) <= limit - entry.id else {
                throw damaged("entry \(entry.id) is beyond the deepest zoom")
            }
            try body(entry.id..<entry.id + UInt64(entry.run))
        }
    }

    private func damaged(_ problem: String) -> ArchiveFailure {
        ArchiveFailure(file.name, .damaged, problem, "download it again or recreate it")
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
                if let tile = TileID(pmtilesID: id) { try body(tile) }
            }
        }
    }
}
