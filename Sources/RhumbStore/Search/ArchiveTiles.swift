internal import Glibc
package import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The tiles of opened archives. Their index is not stored beside them.
package final class ArchiveTiles: SearchableTiles {
    /// The prefix of the keys of archives.
    static let mark = "file:"
    /// The maximum number of tiles in an archive that is indexed completely. Larger archives are indexed only
    /// at lower zooms.
    package static let tileLimit = 300_000

    private let archives = Mutex<[String: any TileArchive]>([:])
    /// The deepest indexed zoom of archives that are too large; nil if none is indexed.
    private let cut = Mutex<[String: Int?]>([:])
    private let limit: Int

    /// - Parameter limit: The maximum number of indexed tiles of an archive.
    package init(limit: Int = ArchiveTiles.tileLimit) { self.limit = limit }

    /// A note about an archive that is too large to be searched completely; nil if there is none.
    package var remark: String? {
        cut.withLock { $0 }.sorted { $0.key < $1.key }.first.map { key, zoom in
            let name = SafeText.sanitised(
                ArchiveTiles.path(inKey: key)?.lastPathName ?? "", limit: 60)
            let part = zoom.map { "only zooms up to \($0) are searched" } ?? "it is not searched"
            return
                "\(name) has more than \(AmountText.count(limit)) tiles: \(part); use a region or a smaller archive instead"
        }
    }

    /// Adds an archive, unless it contains pictures, which can't be searched.
    package func add(_ archive: any TileArchive, path: String) {
        guard archive.refusal?.reason == .vectorTiles, let key = ArchiveTiles.key(path) else { return }
        archives.withLock { $0[key] = archive }
    }

    /// Returns the key of a file: its path, size and modification time. The key of a folder is only its path,
    /// because a folder changes with each file. nil if the file doesn't exist.
    package static func key(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let real = String(cString: resolved)
        guard let facts = FileFacts(real) else { return nil }
        if facts.isFolder { return "\(mark)\(real)?folder" }
        return "\(mark)\(real)?\(facts.size),\(facts.modified.value),\(facts.nanoseconds)"
    }

    /// Returns the path in a key; nil if the key is not of an archive.
    package static func path(inKey key: String) -> String? {
        guard key.hasPrefix(mark), let end = key.lastIndex(of: "?") else { return nil }
        return String(key[key.index(key.startIndex, offsetBy: mark.count)..<end])
    }

    package func sources() -> [(key: String, state: Int)] {
        archives.withLock { $0 }.sorted { $0.key < $1.key }.map {
            ($0.key, ($0.value as? TileFolder)?.state ?? 0)
        }
    }

    /// Returns all tiles. For an archive that is too large, returns those of the lower zooms within the
    /// limit.
    package func tiles(of source: String) -> [StoredTile] {
        guard let archive = archives.withLock({ $0[source] }) else { return [] }
        var tiles: [StoredTile] = [], deepest: Int?
        let folder = archive as? TileFolder
        do {
            try archive.eachTile { tile in
                if tiles.count == limit {
                    deepest = tile.zoom - 1
                    throw CancellationError()
                }
                tiles.append(StoredTile(tile, body: folder?.edition(of: tile) ?? 0))
            }
        } catch {}
        guard let deepest else { return tiles }
        tiles.removeAll { $0.tile.zoom > deepest }
        cut.withLock { $0[source] = .some(tiles.isEmpty ? nil : deepest) }
        return tiles
    }

    package func body(_ tile: TileID, of source: String) -> [UInt8]? {
        let archive =
            archives.withLock { $0[source] }
            ?? ArchiveTiles.path(inKey: source).flatMap { path in
                isGone(source) ? nil : try? Archive.open(path)
            }
        guard let archive, case .bitmap(.encoded(let bytes))? = try? archive.tile(tile) else { return nil }
        return bytes
    }

    package func isDamaged(_ tile: TileID, of source: String) -> Bool {
        guard let archive = archives.withLock({ $0[source] }) else { return false }
        do {
            _ = try archive.tile(tile)
            return false
        } catch {
            return true
        }
    }

    /// Returns the attribution of an archive; nil if the archive is unknown.
    package func attribution(of source: String) -> String? {
        archives.withLock { $0[source] }?.info.attribution
    }

    /// Returns true if the file is missing or has changed.
    package func isGone(_ source: String) -> Bool {
        ArchiveTiles.path(inKey: source).map { ArchiveTiles.key($0) != source } ?? false
    }
}
