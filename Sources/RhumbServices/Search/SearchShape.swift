internal import RhumbGeo
internal import RhumbVector

/// The position and shape of a feature in its tile, in units of `TileFeatures.extent`.
struct SearchShape {
    typealias Place = IndexedFeature.Place

    /// The bounding box, clipped to the tile.
    let low: Place, high: Place
    /// The centre, clamped to the tile. A line's is on the line.
    let middle: Place
    /// The segments of lines and outlines whose midpoints are in the tile.
    let pieces: [(from: Place, to: Place)]
    private let isInside: Bool

    /// The centre; nil if the feature is outside the tile and so belongs to a neighbour.
    var middleInside: Place? { isInside ? middle : nil }

    /// Creates the shape; nil for an empty geometry.
    init?(_ geometry: VectorGeometry, _ kind: VectorFeature.Kind, extent: Int) {
        let points = geometry.points.map { SearchShape.scaled($0, extent) }
        guard let first = points.first else { return nil }
        let edge = Place(repeating: TileFeatures.extent)
        let least = points.reduce(first, pointwiseMin), greatest = points.reduce(first, pointwiseMax)
        isInside = all(greatest .>= Place.zero) && all(least .< edge)
        low = pointwiseMin(pointwiseMax(least, .zero), edge)
        high = pointwiseMin(pointwiseMax(greatest, .zero), edge)
        pieces =
            kind == .line || kind == .polygon
            ? SearchShape.pieces(geometry, points, isClosed: kind == .polygon) : []
        let center: Place
        switch kind {
        case .point: center = first
        case .line: center = SearchShape.middle(of: pieces) ?? (low &+ high) / 2
        case .polygon, .unknown: center = (low &+ high) / 2
        }
        middle = pointwiseMin(pointwiseMax(center, .zero), edge &- 1)
    }

    private static func scaled(_ point: Place, _ extent: Int) -> Place {
        guard extent != Int(TileFeatures.extent) else { return point }
        let scale = Double(TileFeatures.extent) / Double(extent)
        let limit = SIMD2<Double>(repeating: Double(GeometryReader.reach))
        let scaled = (SIMD2(Double(point.x), Double(point.y)) * scale).clamped(
            lowerBound: -limit, upperBound: limit)
        return Place(scaled.rounded(.toNearestOrAwayFromZero))
    }

    private static func pieces(
        _ geometry: VectorGeometry, _ points: [Place], isClosed: Bool
    ) -> [(from: Place, to: Place)] {
        var pieces: [(from: Place, to: Place)] = []
        for part in 0..<geometry.partCount {
            let range = geometry.part(part)
            for at in range.dropFirst() { pieces.append((points[at - 1], points[at])) }
            if isClosed, let first = range.first, let last = range.last, last > first {
                pieces.append((points[last], points[first]))
            }
        }
        let side = TileFeatures.extent
        return pieces.filter { piece in
            let middle = (piece.from &+ piece.to) / 2
            return middle.x >= 0 && middle.y >= 0 && middle.x < side && middle.y < side
        }
    }

    /// Returns the midpoint of the segment nearest to the segments' centre of mass.
    static func middle(of pieces: [(from: Place, to: Place)]) -> Place? {
        var sum = SIMD2<Double>.zero, weight = 0.0
        for (from, to) in pieces {
            let length = SIMD2<Double>(to &- from).length + 1e-6
            sum += SIMD2<Double>(from &+ to) / 2 * length
            weight += length
        }
        guard weight > 0 else { return nil }
        let mean = sum / weight
        let middles = pieces.map { ($0.from &+ $0.to) / 2 }
        return middles.min { (SIMD2<Double>($0) - mean).length < (SIMD2<Double>($1) - mean).length }
    }
}
