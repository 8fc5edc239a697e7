internal import RhumbCore
internal import RhumbEngine

/// The positions of tiles on the screen, in 65536ths of a cell. All are integers relative to the map's
/// corner, so that a move by whole cells moves every tile exactly.
struct CellPlacement {
    /// The number of cells around the world and from its upper edge to the lower.
    private let across: Double, down: Double
    private let columns: Int, rows: Int
    private let center: WorldPoint
    /// The upper left corner of the view, relative to the map's.
    let left: Int, top: Int
    /// A tile is cut at the edge of the view if it extends farther outside than this.
    private static let reach = 8192 * FixedPointRect.one

    init(_ viewport: Viewport) {
        let lattice = CellLattice(viewport), corner = lattice.corner(of: viewport)
        self.init(
            across: lattice.across, down: lattice.down, left: corner.x, top: corner.y,
            columns: viewport.columns, rows: viewport.rows, center: viewport.camera.center)
    }

    /// The positions on a lattice of cells over the world, relative to a corner in 65536ths of a cell.
    init(
        across: Double, down: Double, left: Int, top: Int, columns: Int, rows: Int, center: WorldPoint
    ) {
        self.across = across
        self.down = down
        self.left = left
        self.top = top
        self.columns = columns
        self.rows = rows
        self.center = center
    }

    func box(of placed: PlacedTile) -> FixedPointRect {
        let box = placed.box
        return FixedPointRect(
            x0: CellLattice.fixed(box.minX * across) - left,
            y0: CellLattice.fixed(box.minY * down) - top,
            x1: CellLattice.fixed(box.maxX * across) - left,
            y1: CellLattice.fixed(box.maxY * down) - top)
    }

    /// Returns the whole cells within the view that a tile touches.
    func cells(of placed: PlacedTile) -> (columns: Range<Int>, rows: Range<Int>) {
        let box = box(of: placed)
        func range(_ low: Int, _ high: Int, _ count: Int) -> Range<Int> {
            let first = min(max(low >> 16, 0), count)
            return first..<max(first, min((high + FixedPointRect.one - 1) >> 16, count))
        }
        return (range(box.x0, box.x1, columns), range(box.y0, box.y1, rows))
    }

    /// Returns the indices of the view's cells that contain a place, one for each visible copy of the world.
    func cells(at place: WorldPoint) -> [Int] {
        let row = (CellLattice.fixed(place.y * down) - top) >> 16
        guard (0..<rows).contains(row) else { return [] }
        let turns = (center.x - place.x).rounded()
        return (-2...2).compactMap { turn in
            let column = (CellLattice.fixed((place.x + turns + Double(turn)) * across) - left) >> 16
            return (0..<columns).contains(column) ? row * columns + column : nil
        }
    }

    /// Returns the box of a picture, and the part of its raster in 65536ths of a pixel; nil if it is out of
    /// view.
    func boxes(of picture: LayerScene.Picture) -> (box: FixedPointRect, part: FixedPointRect)? {
        let box = box(of: picture.area)
        let levels = picture.area.tile.zoom - picture.tile.tile.zoom
        guard (0...30).contains(levels) else { return nil }
        let width = picture.raster.width << 16, height = picture.raster.height << 16
        let x = picture.area.tile.x - picture.tile.tile.x << levels
        let y = picture.area.tile.y - picture.tile.tile.y << levels
        let part = FixedPointRect(
            x0: x * width >> levels, y0: y * height >> levels,
            x1: max((x + 1) * width >> levels, (x * width >> levels) + 1),
            y1: max((y + 1) * height >> levels, (y * height >> levels) + 1))
        return cut(box, part)
    }

    /// Clips a box that extends far beyond the view, so that its numbers stay small.
    private func cut(
        _ box: FixedPointRect, _ part: FixedPointRect
    ) -> (box: FixedPointRect, part: FixedPointRect)? {
        let (x, partX) = cut(box.x0..<box.x1, part.x0..<part.x1, columns)
        let (y, partY) = cut(box.y0..<box.y1, part.y0..<part.y1, rows)
        guard let x, let y else { return nil }
        return (
            FixedPointRect(x0: x.lowerBound, y0: y.lowerBound, x1: x.upperBound, y1: y.upperBound),
            FixedPointRect(
                x0: partX.lowerBound, y0: partY.lowerBound, x1: partX.upperBound,
                y1: partY.upperBound)
        )
    }

    private func cut(
        _ box: Range<Int>, _ part: Range<Int>, _ cells: Int
    ) -> (box: Range<Int>?, part: Range<Int>) {
        let view = 0..<(cells * FixedPointRect.one)
        guard box.overlaps(view) else { return (nil, part) }
        guard box.lowerBound < -Self.reach || box.upperBound > Self.reach else { return (box, part) }
        let clamped = box.clamped(to: -FixedPointRect.one..<(view.upperBound + FixedPointRect.one))
        let scale = Double(part.count) / Double(box.count)
        let low = part.lowerBound + Int(Double(clamped.lowerBound - box.lowerBound) * scale)
        let high = part.lowerBound + Int(Double(clamped.upperBound - box.lowerBound) * scale)
        return (clamped, min(low, part.upperBound - 1)..<min(max(high, low + 1), part.upperBound))
    }
}
