internal import RhumbCore
internal import RhumbEngine

/// The difference between two archives as a file, and its application.
///
/// A patch is a PMTiles archive of the new and the changed tiles, with the metadata of the new archive. It
/// is followed by the list of hashes of the new archive (`TileHashes`), the length of that list in 8 bytes,
/// little-endian, and the mark "RhumbTP1". The hashes cover decompressed tiles, so that the old and the new
/// archive may have different formats.
public enum ArchivePatch {
    /// The result of making or applying a patch.
    public struct Summary: Equatable, Sendable {
        /// The patch, or the new archive.
        public let archive: ExportSummary
        /// The number of tiles of the new archive that the patch contains.
        public let changed: Int
        /// The number of tiles that both archives have in common.
        public let common: Int
    }

    private static let mark = Array("RhumbTP1".utf8)

    /// Writes a patch.
    /// - Parameters:
    ///   - path: The file of the patch.
    ///   - isReplacing: If true, an existing file may be replaced.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, `ExportFailure`; `TileFailure` for a damaged tile;
    ///   `CancellationError` if the task is cancelled.
    public static func make(
        from old: ArchiveInput, to new: ArchiveInput, at path: String, isReplacing: Bool = false
    ) throws -> Summary {
        guard ![old, new].contains(where: { $0.isSame(as: path) }) else {
            throw ArchiveCopyFailure(path, .sameFile, "it is also an input", "choose another name")
        }
        let own = try old.tiles(), its = try new.tiles()
        guard its.count <= TileHashes.tileLimit else {
            throw ArchiveCopyFailure(
                new.path, .tooLarge, "it has more than \(TileHashes.tileLimit) tiles", "extract parts of it")
        }
        var hashes = TileHashes(version: "", beginning: []), changed = TileRuns(), first: UInt64?
        var emptyTiles = 0, label = ArchiveMetadata(new.archive).label(for: new), layers = VectorLayerList([])
        try its.eachTile { tile in
            let id = tile.hilbertID, stored = try new.stored(tile)
            guard !stored.isEmpty else { return emptyTiles += 1 }
            let plain = try new.plain(stored, tile)
            first = first ?? id
            hashes.add(id..<id + 1, TileHashes.hash(plain))
            if label.holdsVectorTiles, label.vectorLayerList == nil { layers.add(plain) }
            let isCommon = try own.contains(id) && old.plain(old.stored(tile), tile) == plain
            if !isCommon { changed.insert(id..<id + 1) }
        }
        changed.settle()
        let changedCount = changed.count
        // An archive must have a tile.
        if changed.runs.isEmpty, let first {
            changed.insert(first..<first + 1)
            changed.settle()
        }
        if label.holdsVectorTiles, label.vectorLayerList == nil { label.vectorLayerList = layers.json }
        let info = new.archive.info
        label.bounds = label.bounds ?? info.bounds
        label.center = label.center ?? info.center ?? label.bounds?.center
        label.centerZoom = label.centerZoom ?? its.zooms?.lowerBound
        let writer = try PMTilesWriter(path, label: label, isReplacing: isReplacing)
        let list = hashes.bytes
        writer.trailer = list + UInt64(list.count).littleEndianBytes + mark
        try changed.eachTile { try writer.add($0, new.body($0)) }
        for input in [old, new] { try input.checkUnchanged() }
        var summary = try writer.finish()
        summary.emptyTiles = emptyTiles
        return Summary(
            archive: summary, changed: changedCount, common: its.count - changedCount - emptyTiles)
    }

    /// Writes the new archive. Every tile is compared with the hash in the patch.
    /// - Parameters:
    ///   - patch: The path of the patch.
    ///   - path: The new file, or a folder if it ends in a slash.
    ///   - isReplacing: If true, an existing file may be replaced.
    /// - Throws: As `make`; `ArchiveCopyFailure` also if the file is no patch, or not one for the archive.
    public static func apply(
        _ patch: String, to old: ArchiveInput, at path: String, isReplacing: Bool = false
    ) throws -> Summary {
        let changes = ArchiveInput(patch, try PMTilesArchive(patch)), hashes = try hashes(of: patch)
        let destination = try ArchiveDestination(path, inputs: [old, changes], isReplacing: isReplacing)
        let own = try old.tiles(), its = try changes.tiles()
        let writer = try destination.writer(ArchiveMetadata(changes.archive).label(for: changes))
        var all = TileRuns(), changed = 0
        hashes.tileRanges.forEach { all.insert($0) }
        all.settle()
        try all.eachTile { tile in
            let id = tile.hilbertID, isChanged = its.contains(id)
            guard isChanged || own.contains(id) else {
                throw otherBase(old, patch, "tile \(tile) is missing")
            }
            let source = isChanged ? changes : old
            let (body, plain) = try source.content(source.stored(tile), tile)
            guard TileDigest(low: TileHashes.hash(plain)) == hashes[tile] else {
                if isChanged { throw damaged(patch, "its tile \(tile) has the wrong hash") }
                throw otherBase(old, patch, "its tile \(tile) is different")
            }
            // The only tile of a patch may be unchanged, because an archive must have a tile.
            let isSame = try its.count == 1 && own.contains(id) && old.plain(old.stored(tile), tile) == plain
            if isChanged, !isSame { changed += 1 }
            try writer.add(tile, body)
        }
        try old.checkUnchanged()
        return Summary(archive: try writer.finish(), changed: changed, common: all.count - changed)
    }

    /// Reads the list of hashes at the end of a patch.
    private static func hashes(of path: String) throws -> TileHashes {
        let file = try FileBytes(path), tail = UInt64(mark.count + 8)
        guard file.size > tail else { throw noPatch(path) }
        let end = try file.read(offset: file.size - tail, count: Int(tail))
        guard end.suffix(mark.count) == mark[...] else { throw noPatch(path) }
        let length = UInt64(littleEndian: end.prefix(8))
        guard length <= file.size - tail, length <= 1 << 28 else {
            throw damaged(path, "the length of its list of hashes is invalid")
        }
        let list = try file.read(offset: file.size - tail - length, count: Int(length))
        return try converting(TileHashes(list)) { (error: TileHashesFailure) in
            damaged(path, "its list of hashes: \(error.description)")
        }
    }

    private static func noPatch(_ path: String) -> ArchiveCopyFailure {
        ArchiveCopyFailure(path, .notPatch, "it is not a patch", "use a file made from two archives")
    }

    private static func damaged(_ path: String, _ problem: String) -> ArchiveCopyFailure {
        ArchiveCopyFailure(path, .notPatch, problem, "make or download the patch again")
    }

    private static func otherBase(
        _ old: ArchiveInput, _ patch: String, _ problem: String
    ) -> ArchiveCopyFailure {
        ArchiveCopyFailure(
            old.path, .otherBase, problem,
            "\(SafeText.sanitised(patch)) was made for another archive; use the archive it was made for")
    }
}

extension TileHashes {
    /// The tiles of each entry.
    fileprivate var tileRanges: [Range<UInt64>] { zip(ids, runs).map { $0..<$0 + $1 } }
}
