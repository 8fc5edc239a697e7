internal import Glibc
package import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The tiles of archives that were opened. Their index is kept elsewhere than beside them.
package final class ArchiveTiles: SearchableTiles {
    /// What the keys of archives begin with.
    static let mark = "file:"
    /// Of archives of more tiles only the coarser zooms are indexed.
    package static let tileLimit = 300_000

    private let archives = Mutex<[String: any TileArchive]>([:])
    /// Of archives that are too large, the deepest zoom that is indexed; nil: none is.
    private let cut = Mutex<[String: Int?]>([:])
    private let limit: Int

    /// - Parameter limit: tiles of an archive that are indexed, at most.
    package init(limit: Int = ArchiveTiles.tileLimit) { self.limit = limit }

    /// What of archives that are too large can't be searched; nil: all of all can be.
    package var remark: String? {
        cut.withLock { $0 }.sorted { $0.key < $1.key }.first.map { key, zoom in
            let name = SafeText.sanitised(
                ArchiveTiles.path(inKey: key)?.split(separator: "/").last.map(String.init) ?? "", limit: 60)
            let part = zoom.map { "only zooms up to \($0) are searched" } ?? "it is not searched"
            return
                "\(name) has more than \(AmountText.count(limit)) tiles: \(part); use a region or a smaller archive instead"
        }
    }

    /// Adds an archive; one of pictures has nothing to be searched.
    package func add(_ archive: any TileArchive, path: String) {
        guard archive.refusal?.reason == .vectorTiles, let key = ArchiveTiles.key(path) else { return }
        archives.withLock { $0[key] = archive }
    }

    /// The key of a file: its path, size and time; of a folder, which is another with each file in it, its
    /// path. Nil where there is none.
    package static func key(_ path: String) -> String? {
        var facts = stat()
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        guard stat(real, &facts) == 0 else { return nil }
        if facts.st_mode & S_IFMT == S_IFDIR { return "\(mark)\(String(cString: real))?folder" }
        return
            "\(mark)\(String(cString: real))?\(facts.st_size),\(facts.st_mtim.tv_sec),\(facts.st_mtim.tv_nsec)"
    }

    /// The path in a key; nil for a key of something else.
    package static func path(inKey key: String) -> String? {
        guard key.hasPrefix(mark), let end = key.lastIndex(of: "?") else { return nil }
        return String(key[key.index(key.startIndex, offsetBy: mark.count)..<end])
    }

    package func sources() -> [(key: String, state: Int)] {
        archives.withLock { $0 }.sorted { $0.key < $1.key }.map {
            ($0.key, ($0.value as? any ChangingTiles)?.state ?? 0)
        }
    }

    private struct TooMany: Error {}

    /// All tiles; of an archive that is too large those of its coarser zooms, as many as are few enough.
    package func tiles(of source: String) -> [StoredTile] {
        guard let archive = archives.withLock({ $0[source] }) else { return [] }
        var tiles: [StoredTile] = [], deepest: Int?
        let changing = archive as? any ChangingTiles
        do {
            try archive.eachTile { tile in
                if tiles.count == limit {
                    deepest = tile.zoom - 1
                    throw TooMany()
                }
                tiles.append(StoredTile(tile, body: changing?.edition(of: tile) ?? 0))
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

    /// A file that is not there any more, or has become another.
    package func isGone(_ source: String) -> Bool {
        ArchiveTiles.path(inKey: source).map { ArchiveTiles.key($0) != source } ?? false
    }
}
