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
        var state = FileFacts.number(of: path)
        for zoom in FolderNames.list(path) ?? [] where Int(zoom) != nil {
            state = state &* 31 &+ FileFacts.number(of: "\(path)/\(zoom)")
            for column in FolderNames.list("\(path)/\(zoom)") ?? [] {
                state = state &* 31 &+ FileFacts.number(of: "\(path)/\(zoom)/\(column)")
            }
        }
        return state
    }

    func edition(of tile: TileID) -> Int { file(of: tile).map(FileFacts.number(of:)) ?? 0 }
}

extension FileFacts {
    /// Returns a file's modification time and size, combined into one number; 0 if it doesn't exist.
    fileprivate static func number(of path: String) -> Int {
        guard let facts = FileFacts(path) else { return 0 }
        return Int(facts.modified.value) &* 1_000_000_007 &+ facts.nanoseconds &+ Int(facts.size) &* 31
    }
}
