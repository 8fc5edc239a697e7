public import RhumbGeo
public import RhumbOverlays
internal import RhumbVector

/// A route's line as vector tiles, made on demand: from the simplified line whose corners are just
/// distinguishable at the zoom, the pieces that touch the tile.
public struct RouteTiles: Sendable {
    /// The one layer that its tiles have.
    public static let layerName = "route"
    /// The zoom beyond which tiles would gain nothing: a unit of theirs is then some 15 cm.
    public static let deepestZoom = 16

    private typealias Place = SIMD2<Double>

    private let path: OverlayPath
    private static let extent = 4096
    /// Units round a tile in which the line is kept.
    private static let margin = 256.0
    /// The distance in tile units below which corners look the same: half a pixel.
    private static let grain = 4.0

    /// The tiles of a line of two corners or more.
    public init(_ line: [Coordinate]) { path = OverlayPath(line) }

    /// Returns a vector tile; empty if the route does not touch it.
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

    /// The corners of pieces that touch a box, those joined that follow each other.
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

    /// In units of a tile, without corners that are the same to the eye as the one before.
    private static func placed(_ part: [Place], _ scale: Double, _ corner: Place) -> [VectorGeometry.Point] {
        var points: [VectorGeometry.Point] = [], last = Place(.infinity, .infinity)
        for (at, place) in part.enumerated() {
            let unit = place * scale - corner
            if at < part.count - 1, abs(unit.x - last.x) < grain, abs(unit.y - last.y) < grain { continue }
            last = unit
            let whole = unit.rounded(.toNearestOrEven),
                point = VectorGeometry.Point(Int32(clamping: Int(whole.x)), Int32(clamping: Int(whole.y)))
            if point != points.last { points.append(point) }
        }
        return points
    }
}

extension OverlayPath {
    /// A line over the ground.
    /// - Parameter heights: in metres, empty or one for each place.
    public convenience init(_ line: [Coordinate], heights: [Float] = []) {
        self.init(
            line.map { place in
                let point = Mercator.world(place)
                return SIMD2(point.x, point.y)
            }, heights: heights)
    }
}
