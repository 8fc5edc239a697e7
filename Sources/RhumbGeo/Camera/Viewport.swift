/// A camera and the part of the screen that it fills.
///
/// A cell is 2 map pixels wide and, as it is about twice as high as wide, `2 * cellAspect` map pixels high,
/// so that a square on the ground is a square on the screen.
public struct Viewport: Hashable, Sendable {
    /// The camera.
    public var camera: Camera
    /// The number of columns, at least 1.
    public let columns: Int
    /// The number of rows, at least 1.
    public let rows: Int
    /// The height of a cell divided by its width, 1…4; 2 if the terminal doesn't report it.
    public let cellAspect: Double

    /// The aspect of a cell in terminals that don't report it.
    public static let usualCellAspect = 2.0
    /// The width of a column in map pixels.
    public static let pixelsPerColumn = 2.0

    /// Creates a view with a camera, on a screen with a size in cells.
    public init(
        camera: Camera, columns: Int, rows: Int, cellAspect: Double = Viewport.usualCellAspect
    ) {
        self.camera = camera
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
        self.cellAspect = cellAspect.isFinite ? min(max(cellAspect, 1), 4) : Viewport.usualCellAspect
    }

    /// The height of a row in map pixels.
    public var pixelsPerRow: Double { Viewport.pixelsPerColumn * cellAspect }
    /// The width of the view in map pixels.
    public var width: Double { Double(columns) * Viewport.pixelsPerColumn }
    /// The height of the view in map pixels.
    public var height: Double { Double(rows) * pixelsPerRow }

    /// The visible part of the world. Its x may extend outside 0…1 across the antimeridian.
    public var box: WorldBox {
        let side = camera.worldPixels
        let halfX = width / side / 2, halfY = height / side / 2
        return WorldBox(
            minX: camera.center.x - halfX, minY: camera.center.y - halfY,
            maxX: camera.center.x + halfX, maxY: camera.center.y + halfY)
    }

    /// Returns the position in the world of a point on the screen, counted in cells from the top left corner
    /// of the map. The centre of the first cell is (0.5, 0.5). The inverse of `cell(of:)`.
    public func world(column: Double, row: Double) -> WorldPoint {
        let box = box
        return WorldPoint(
            x: box.minX + column / Double(columns) * (box.maxX - box.minX),
            y: box.minY + row / Double(rows) * (box.maxY - box.minY))
    }

    /// Returns the position of a point on the screen, in cells, of the copy of the world nearest to the
    /// centre. The inverse of `world(column:row:)`.
    public func cell(of point: WorldPoint) -> (column: Double, row: Double) {
        let box = box
        let turns = (camera.center.x - point.x).rounded()
        let x = point.x + turns
        return (
            (x - box.minX) / (box.maxX - box.minX) * Double(columns),
            (point.y - box.minY) / (box.maxY - box.minY) * Double(rows)
        )
    }

    /// Returns the view moved by cells. The picture shifts by exactly as many.
    public func panned(columns: Int, rows: Int) -> Viewport {
        with(
            camera.panned(
                byPixelsX: Double(columns) * Viewport.pixelsPerColumn,
                y: Double(rows) * pixelsPerRow)
        ).keptOnMap()
    }

    /// Returns the view at another zoom, at least `leastZoom`, with the given point of the screen (in cells)
    /// fixed.
    public func zoomed(to zoom: Double, column: Double, row: Double) -> Viewport {
        with(camera.zoomed(to: max(zoom, leastZoom), about: world(column: column, row: row))).keptOnMap()
    }

    /// Returns the view at another zoom about its centre.
    public func zoomed(to zoom: Double) -> Viewport { with(camera.zoomed(to: zoom)).keptOnMap() }

    /// Returns the view on a screen of another size, with the same camera.
    public func resized(columns: Int, rows: Int, cellAspect: Double? = nil) -> Viewport {
        Viewport(
            camera: camera, columns: columns, rows: rows, cellAspect: cellAspect ?? self.cellAspect)
    }

    /// Returns the view on the same screen, with another camera.
    public func with(_ camera: Camera) -> Viewport {
        Viewport(camera: camera, columns: columns, rows: rows, cellAspect: cellAspect)
    }

    /// The lowest zoom, at most 0, at which the whole square of the world fits the screen.
    public var leastZoom: Double { min(Camera.zoom(worldPixels: min(width, height)), 0) }

    /// Returns the view at `leastZoom` or closer, moved north or south so that as little as possible of it is
    /// beyond the map's upper and lower edge; unchanged if it needs neither.
    public func keptOnMap() -> Viewport {
        let zoom = max(camera.zoom, leastZoom), half = height / Camera.worldPixels(zoom: zoom) / 2
        let y = half >= 0.5 ? 0.5 : min(max(camera.center.y, half), 1 - half)
        guard y != camera.center.y || zoom != camera.zoom else { return self }
        return with(Camera(center: WorldPoint(x: camera.center.x, y: y), zoom: zoom))
    }

    /// Returns the camera that shows a whole box of coordinates on a screen of this size.
    public func fitted(to bounds: Bounds, margin: Double = 1.0) -> Camera {
        let center = bounds.center
        let boxes = bounds.worldBoxes
        let across = boxes.reduce(0) { $0 + $1.maxX - $1.minX }
        let down = boxes.map { $0.maxY - $0.minY }.max() ?? 0
        let middleY = boxes.first.map { ($0.minY + $0.maxY) / 2 } ?? 0.5
        let zoom = min(
            Viewport.zoom(pixels: width * margin, share: across),
            Viewport.zoom(pixels: height * margin, share: down))
        return Camera(
            center: WorldPoint(x: Mercator.world(center).x, y: middleY), zoom: min(zoom, 18))
    }

    /// Returns the camera with the same centre whose view has a width in metres.
    public func camera(widthInMetres metres: Double) -> Camera {
        camera.zoomed(
            to: Mercator.zoom(
                metres: metres, pixels: width, latitude: camera.coordinate.latitude))
    }

    private static func zoom(pixels: Double, share: Double) -> Double {
        share > 0 ? log2Of(pixels / 256 / share) : Camera.zoomRange.upperBound
    }
}
