package import RhumbCore
internal import RhumbEngine

extension TileArchive {
    /// Returns the declared bounds, extended to the tiles outside of them. Reads all directories.
    /// - Returns: nil if the declared bounds contain all tiles, or if the extended ones would contain many
    ///   more tiles than the archive has, because some tiles are far away from the others.
    /// - Throws: `ArchiveFailure` if the directories can't be read, `CancellationError`.
    package func extendedBounds() throws -> Bounds? {
        guard let declared = info.bounds else { return nil }
        var extended = declared, count = 0, levels: Set<Int> = []
        try walk(.ids) { run in
            count += run.count
            run.forEachSquare { square, zoom in
                levels.insert(zoom)
                guard let bounds = Bounds(square), !bounds.overlaps(declared) else { return }
                extended = extended.union(bounds)
            }
        }
        guard extended != declared else { return nil }
        let boxes = extended.worldBoxes.map { ($0.maxX - $0.minX) * ($0.maxY - $0.minY) }
        let area = boxes.reduce(0, +)
        let needed = levels.reduce(0.0) { $0 + area * Double(1 << (2 * $1)) }
        return needed > Double(count) * TileExtent.waste + TileExtent.small ? nil : extended
    }
}

private enum TileExtent {
    /// The number of tiles in the bounds for each tile of the archive, and a number that is never too large.
    static let waste = 8.0, small = 10_000.0
}

extension StoredTileRun {
    /// Calls a function for the largest squares of tiles that the run consists of, each as the tile of a
    /// lower zoom with the same area.
    fileprivate func forEachSquare(_ visit: (_ square: TileID, _ zoom: Int) -> Void) {
        var id = ids.lowerBound
        while id < ids.upperBound, let tile = TileID(hilbertID: id) {
            let index = id - TileID.firstHilbertID(zoom: tile.zoom)
            var levels = 0
            while levels < tile.zoom, index.isMultiple(of: 4 << UInt64(2 * levels)),
                ids.upperBound - id >= 4 << UInt64(2 * levels)
            { levels += 1 }
            if let square = TileID(zoom: tile.zoom - levels, x: tile.x >> levels, y: tile.y >> levels) {
                visit(square, tile.zoom)
            }
            id += 1 << UInt64(2 * levels)
        }
    }
}
