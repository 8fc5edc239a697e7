/// Exact tests of edges on the grid. Tested points are moved slightly to the south, and slightly more to the
/// east, so that no point lies on an edge.
extension FixedPointPolygon.Edge {
    private var dx: Int { Int(toX) - Int(fromX) }
    private var dy: Int { Int(toY) - Int(fromY) }

    /// Returns true if a point of the edge lies inside the box.
    func passes(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) -> Bool {
        guard max(fromX, toX) > x0, min(fromX, toX) < x1, max(fromY, toY) > y0, min(fromY, toY) < y1
        else { return false }
        let dx = dx, dy = dy
        if dx == 0 || dy == 0 { return true }
        // The corners farthest to either side of the edge's line; products stay within 2^62.
        let right = dx * ((dx > 0 ? y1 : y0) - Int(fromY)), rightX = dy * ((dy > 0 ? x0 : x1) - Int(fromX))
        let left = dx * ((dx > 0 ? y0 : y1) - Int(fromY)), leftX = dy * ((dy > 0 ? x1 : x0) - Int(fromX))
        return right > rightX && left < leftX
    }

    /// Returns true if the point lies south of the line through an eastward edge.
    private func isBelow(_ x: Int, _ y: Int) -> Bool {
        let down = dx * (y - Int(fromY)), along = dy * (x - Int(fromX))
        if down != along { return down > along }
        return dy != 0 ? dy < 0 : dx > 0
    }

    /// Returns the change of the winding number between two points, if the path between them crosses the
    /// edge.
    private func winding(from isBelow: Bool, to isBelowThen: Bool) -> Int {
        isBelow == isBelowThen ? 0 : isBelow ? 1 : -1
    }

    /// Returns the change along a row.
    func windingAlongRow(_ y: Int, fromX x0: Int, toX x1: Int) -> Int {
        guard (fromY <= y) != (toY <= y) else { return 0 }
        return winding(from: isBelow(x0, y), to: isBelow(x1, y))
    }

    /// Returns the change along a column.
    func windingAlongColumn(_ x: Int, fromY y0: Int, toY y1: Int) -> Int {
        guard (fromX <= x) != (toX <= x) else { return 0 }
        return winding(from: isBelow(x, y0), to: isBelow(x, y1))
    }

    /// Returns the change along a row that starts beyond the western edge of the world.
    func windingFromWest(atX x: Int, y: Int) -> Int {
        guard (fromY <= y) != (toY <= y) else { return 0 }
        return winding(from: dy > 0, to: isBelow(x, y))
    }
}
