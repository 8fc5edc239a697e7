internal import Glibc
internal import RhumbCore

/// Tiles that may change while they are used.
protocol ChangingTiles {
    /// A number that changes when files come and go, or take another's place.
    var state: Int { get }
    /// A number that changes when a tile's file does; 0 where it has none.
    func edition(of tile: TileID) -> Int
}

extension TileFolder: ChangingTiles {
    /// Folders change with the names in them; a file that is overwritten in place is not noticed.
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

/// When a file was written last, and how large it is, as one number.
private enum FileMoment {
    static func of(_ path: String) -> Int {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return 0 }
        return facts.st_mtim.tv_sec &* 1_000_000_007 &+ facts.st_mtim.tv_nsec &+ Int(facts.st_size) &* 31
    }
}
