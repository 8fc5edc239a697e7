internal import Glibc
internal import RhumbCore

/// A set of tile files that may change during use.
protocol ChangingTiles {
    /// A number that changes when files are added, removed or replaced.
    var state: Int { get }
    /// Returns a number that changes with a tile's file; 0 if it has none.
    func edition(of tile: TileID) -> Int
}

extension TileFolder: ChangingTiles {
    /// Derived from the times of folders, so a file overwritten in place is not detected.
    var state: Int {
        var state = FileMoment.of(path)
        for zoom in FolderNames.list(path) ?? [] where Int(zoom) != nil {
            state = state &* 31 &+ FileMoment.of("\(path)/\(zoom)")
            for column in FolderNames.list("\(path)/\(zoom)") ?? [] {
                state = state &* 31 &+ FileMoment.of("\(path)/\(zoom)/\(column)")
            }
        }
        return state
    }

    func edition(of tile: TileID) -> Int { file(of: tile).map(FileMoment.of) ?? 0 }
}

/// A file's modification time and size, combined into one number.
private enum FileMoment {
    static func of(_ path: String) -> Int {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return 0 }
        return facts.st_mtim.tv_sec &* 1_000_000_007 &+ facts.st_mtim.tv_nsec &+ Int(facts.st_size) &* 31
    }
}
