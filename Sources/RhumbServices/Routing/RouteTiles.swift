internal import RhumbBase
public import RhumbGeo
internal import RhumbVector

/// Cuts a route's line into vector tiles on demand. Takes the simplification whose error is invisible at the
/// tile's zoom, and from it the pieces that touch the tile.
public struct RouteTiles: Sendable {
    /// The name of the only layer in its tiles.
    public static let layerName = "route"
    /// The maximum zoom. A tile unit is then about 15 cm, so deeper tiles would add no detail.
    public static let deepestZoom = 16

    private typealias Place = SIMD2<Double>

    private let path: OverlayPath
    private static let extent = 4096
    /// Margin around a tile, in tile units, within which the line is kept.
    private static let margin = 256.0
    /// Minimum distance of drawn corners in tile units: half a pixel.
    private static let grain = 4.0

    /// Creates tiles for a line of at least two corners.
    public init(_ line: [Coordinate]) { path = OverlayPath(line) }

    /// Returns a vector tile; empty if the route doesn't touch it.
    public func tile(_ tile: TileID) -> [UInt8] {
        var writer = VectorTileWriter(layer: Self.layerName, extent: Self.extent)
        writer.add(.line, parts(on: tile), [("class", .string("route"))])
        return writer.bytes
    }

    private func parts(on tile: TileID) -> [[VectorGeometry.Point]] {
        let scale = Double(Self.extent) * Double(1 << tile.zoom),
            level = path.level(within: Self.grain / scale)
        var parts: [[VectorGeometry.Point]] = []
        for turn in -1...1 {
            let corner =
                Place(Double(tile.x), Double(tile.y)) * Double(Self.extent) + Place(Double(turn) * scale, 0)
            let box = ShapeClip(
                low: (corner - Self.margin) / scale,
                high: (corner + Double(Self.extent) + Self.margin) / scale)
            for run in Self.runs(of: level, in: box) {
                parts += box.lines(Array(level.points[run])).map { Self.placed($0, scale, corner) }.filter {
                    $0.count > 1
                }
            }
        }
        return parts
    }

    /// Returns the point ranges of the pieces that touch a box, with adjacent pieces joined.
    private static func runs(of level: OverlayPath.Level, in box: ShapeClip) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for piece in level.pieces where all(piece.least .<= box.high) && all(piece.greatest .>= box.low) {
            if let last = runs.last, last.upperBound == piece.points.lowerBound {
                runs[runs.count - 1] = last.lowerBound...piece.points.upperBound
            } else {
                runs.append(piece.points)
            }
        }
        return runs
    }

    /// Converts points to tile units and removes those too close to the previous one.
    private static func placed(_ part: [Place], _ scale: Double, _ corner: Place) -> [VectorGeometry.Point] {
        var points: [VectorGeometry.Point] = [], last = Place(.infinity, .infinity)
        for (at, place) in part.enumerated() {
            let unit = place * scale - corner
            if at < part.count - 1, abs(unit.x - last.x) < grain, abs(unit.y - last.y) < grain { continue }
            last = unit
            let whole = unit.rounded(.toNearestOrEven),
                point = VectorGeometry.Point(Int32(clamping: whole.x), Int32(clamping: whole.y))
            if point != points.last { points.append(point) }
        }
        return points
    }
}
