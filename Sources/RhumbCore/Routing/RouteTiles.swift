/// A route's line, cut into vector tiles when these are wanted. Corners that no eye could tell apart are left
/// out, and what lies far from a tile is not looked at.
public struct RouteTiles: Sendable {
    /// The one layer that its tiles have.
    public static let layerName = "route"
    /// The zoom beyond which tiles would gain nothing: a unit of theirs is then some 15 cm.
    public static let deepestZoom = 16

    private typealias Place = SIMD2<Double>

    /// Some corners that follow each other, with the first of the next.
    private struct Piece: Sendable {
        let range: Range<Int>
        let least: SIMD2<Double>
        let greatest: SIMD2<Double>
    }

    /// On the Mercator square; x goes on beyond it where the line crosses 180°.
    private let corners: [SIMD2<Double>]
    private let pieces: [Piece]
    private static let extent = 4096
    /// Units round a tile in which the line is kept.
    private static let margin = 256.0
    private static let pieceLength = 256

    /// The tiles of a line of two corners or more.
    public init(_ line: [Coordinate]) {
        var corners: [SIMD2<Double>] = [], at = 0.0
        corners.reserveCapacity(line.count)
        for place in line {
            let world = Mercator.world(place)
            if corners.isEmpty { at = world.x } else { at += RouteTiles.shortWay(world.x - at) }
            corners.append(SIMD2(at, world.y))
        }
        self.corners = corners
        pieces = stride(from: 0, to: max(corners.count - 1, 0), by: Self.pieceLength).map { start in
            let range = start..<min(start + Self.pieceLength + 1, corners.count)
            let first = corners[start]
            return Piece(
                range: range, least: corners[range].reduce(first, pointwiseMin),
                greatest: corners[range].reduce(first, pointwiseMax))
        }
    }

    private static func shortWay(_ difference: Double) -> Double { difference - difference.rounded() }

    /// A vector tile; no bytes if nothing lies on it.
    public func tile(_ tile: TileID) -> [UInt8] {
        var writer = VectorTileWriter(layer: Self.layerName, extent: Self.extent)
        writer.add(.line, parts(on: tile), [])
        return writer.bytes
    }

    private func parts(on tile: TileID) -> [[VectorGeometry.Point]] {
        let scale = Double(Self.extent) * Double(1 << tile.zoom)
        var parts: [[VectorGeometry.Point]] = []
        for turn in -1...1 {
            let corner = Place(Double(tile.x), Double(tile.y)) * Double(Self.extent) + Place(Double(turn) * scale, 0)
            let low = (corner - Self.margin) / scale, high = (corner + Double(Self.extent) + Self.margin) / scale
            for run in runs(low, high) {
                let box = ShapeClip(low: low, high: high)
                parts += box.lines(thinned(run, scale)).map { Self.placed($0, scale, corner) }.filter { $0.count > 1 }
            }
        }
        return parts
    }

    /// The corners of pieces that touch a box, those joined that follow each other.
    private func runs(_ low: Place, _ high: Place) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for piece in pieces where all(piece.least .<= high) && all(piece.greatest .>= low) {
            if let last = runs.last, last.upperBound > piece.range.lowerBound {
                runs[runs.count - 1] = last.lowerBound..<piece.range.upperBound
            } else {
                runs.append(piece.range)
            }
        }
        return runs
    }

    /// Corners that are half a pixel or more from the one before, and the last.
    private func thinned(_ run: Range<Int>, _ scale: Double) -> [Place] {
        let least = 4 / scale
        var kept: [Place] = []
        for at in run {
            let place = corners[at]
            if let last = kept.last, at < run.upperBound - 1, abs(place.x - last.x) < least, abs(place.y - last.y) < least { continue }
            kept.append(place)
        }
        return kept
    }

    private static func placed(_ part: [Place], _ scale: Double, _ corner: Place) -> [VectorGeometry.Point] {
        var points: [VectorGeometry.Point] = []
        for place in part {
            let unit = (place * scale - corner).rounded(.toNearestOrEven)
            let point = VectorGeometry.Point(Int32(clamping: Int(unit.x)), Int32(clamping: Int(unit.y)))
            if point != points.last { points.append(point) }
        }
        return points
    }
}
