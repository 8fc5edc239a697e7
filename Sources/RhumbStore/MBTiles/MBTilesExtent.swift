internal import RhumbCore

/// Finds zooms and bounds from the tiles, with a few hundred index look-ups for any number of tiles, or one
/// scan without an index.
struct MBTilesExtent {
    private let reader: MBTilesReader
    private var connection: Connection { reader.connection }

    init(_ reader: MBTilesReader) { self.reader = reader }

    /// True if look-ups use an index and are therefore cheap.
    var isIndexed: Bool {
        let plan = try? connection.prepare(
            "EXPLAIN QUERY PLAN SELECT zoom_level FROM tiles ORDER BY zoom_level LIMIT 1", to: "plan a query")
        guard let plan else { return false }
        while (try? plan.step()) == true {
            if plan.text(3)?.contains("TEMP B-TREE") == true { return false }
        }
        return true
    }

    /// Returns the lowest and highest zoom with tiles; nil if there are none.
    func zooms() throws(StoreFailure) -> ClosedRange<Int>? {
        if let found = try reader.unindexedExtents() {
            guard let low = found.keys.min(), let high = found.keys.max() else { return nil }
            return low...high
        }
        let valid = "WHERE zoom_level BETWEEN 0 AND \(TileID.maximumZoom)"
        let low = try first("SELECT zoom_level FROM tiles \(valid) ORDER BY zoom_level LIMIT 1")
        let high = try first("SELECT zoom_level FROM tiles \(valid) ORDER BY zoom_level DESC LIMIT 1")
        guard let low, let high, low <= high else { return nil }
        return low...high
    }

    /// Returns the bounds of the tiles at the deepest zoom that spans at most 256 columns.
    func bounds(_ zooms: ClosedRange<Int>) throws(StoreFailure) -> Bounds? {
        for zoom in zooms.reversed() {
            guard let columns = try columns(zoom) else { continue }
            guard columns.count <= 256 || zoom == zooms.lowerBound else { continue }
            guard let rows = try rows(zoom, columns) else { continue }
            return Bounds(zoom: zoom, columns: columns, rows: fromNorth(rows, zoom))
        }
        return nil
    }

    /// Extends bounds to the zooms with tiles that are neither ancestors of tiles in the bounds nor
    /// neighbours of ancestors. Many archives have such neighbours for the margins of pictures.
    func allBounds(_ zooms: ClosedRange<Int>, _ bounds: Bounds) throws(StoreFailure) -> Bounds {
        let box = bounds.worldBoxes[0]
        var all = bounds
        for zoom in zooms {
            let side = Double(1 << zoom)
            guard let columns = try columns(zoom), let rows = try rows(zoom, columns) else { continue }
            let lines = fromNorth(rows, zoom), north = lines.lowerBound, south = lines.upperBound
            let hasOthers =
                Double(columns.lowerBound + 2) <= box.minX * side
                || Double(columns.upperBound - 1) >= box.maxX * side
                || Double(north + 2) <= box.minY * side || Double(south - 1) >= box.maxY * side
            if hasOthers, let own = Bounds(zoom: zoom, columns: columns, rows: lines) {
                all = all.union(own)
            }
        }
        return all
    }

    /// Returns rows of the file as counted from the north.
    private func fromNorth(_ rows: ClosedRange<Int>, _ zoom: Int) -> ClosedRange<Int> {
        let last = (1 << zoom) - 1
        return reader.isFromNorth ? rows : (last - rows.upperBound)...(last - rows.lowerBound)
    }

    private func columns(_ zoom: Int) throws(StoreFailure) -> ClosedRange<Int>? {
        if let found = try reader.unindexedExtents() { return found[zoom]?.columns }
        let valid = "WHERE zoom_level = \(zoom) AND tile_column BETWEEN 0 AND \((1 << zoom) - 1)"
        let low = try first("SELECT tile_column FROM tiles \(valid) ORDER BY tile_column LIMIT 1")
        let high = try first("SELECT tile_column FROM tiles \(valid) ORDER BY tile_column DESC LIMIT 1")
        guard let low, let high, low <= high else { return nil }
        return low...high
    }

    /// Returns the range of rows as in the file. If there are more than 256 columns, only a sample is read.
    private func rows(_ zoom: Int, _ columns: ClosedRange<Int>) throws(StoreFailure) -> ClosedRange<Int>? {
        if let found = try reader.unindexedExtents() { return found[zoom]?.rows }
        let valid =
            "WHERE zoom_level = \(zoom) AND tile_column = ?1 AND tile_row BETWEEN 0 AND \((1 << zoom) - 1)"
        let lowest = try connection.prepare(
            "SELECT tile_row FROM tiles \(valid) ORDER BY tile_row LIMIT 1", to: "find the bounds")
        let highest = try connection.prepare(
            "SELECT tile_row FROM tiles \(valid) ORDER BY tile_row DESC LIMIT 1", to: "find the bounds")
        var found: ClosedRange<Int>?
        for column in stride(
            from: columns.lowerBound, through: columns.upperBound, by: columns.count / 257 + 1)
        {
            guard let low = try first(lowest, column), let high = try first(highest, column), low <= high
            else { continue }
            found = min(low, found?.lowerBound ?? low)...max(high, found?.upperBound ?? high)
        }
        return found
    }

    private func first(_ sql: String) throws(StoreFailure) -> Int? {
        let statement = try connection.prepare(sql, to: "find the zooms and bounds")
        return try statement.first { $0.int(0) }
    }

    private func first(_ statement: Statement, _ column: Int) throws(StoreFailure) -> Int? {
        try statement.bind(1, column)
        return try statement.first { $0.int(0) }
    }
}

extension MBTilesReader {
    /// Returns true if rows count from the north. The bounds or the centre in the metadata decide, if tiles
    /// are inside of them only in one order, and otherwise the row "scheme".
    func countsFromNorth(_ metadata: JSON) -> Bool {
        guard package == nil else { return false }
        let isDeclared = metadata["scheme"]?.string?.lowercased() == "xyz",
            description = ArchiveDescription(metadata: metadata)
        guard let area = description.bounds ?? description.surroundings else { return isDeclared }
        let order = MBTilesExtent(self).isIndexed ? "ORDER BY zoom_level DESC" : ""
        let rows = try? connection.prepare(
            "SELECT zoom_level, tile_column, tile_row FROM tiles \(order) LIMIT 1000", to: "read some tiles")
        var north = 0, south = 0
        while let rows, (try? rows.step()) == true {
            guard let tile = TileID(zoom: rows.int(0) ?? -1, x: rows.int(1) ?? -1, y: rows.int(2) ?? -1),
                let first = Bounds(tile), let second = Bounds(tile.mirrored)
            else { continue }
            let isInside = first.overlaps(area)
            if isInside != second.overlaps(area) { if isInside { north += 1 } else { south += 1 } }
        }
        return north == south ? isDeclared : north > south
    }
}
