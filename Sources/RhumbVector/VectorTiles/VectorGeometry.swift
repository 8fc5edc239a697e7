/// The shape of a feature: a sequence of points, lines or rings.
public struct VectorGeometry: Sendable, Equatable {
    /// A position in the tile's units, x to the right and y down. The tile extends from 0 to the layer's
    /// extent; features may extend a little beyond it.
    public typealias Point = SIMD2<Int32>

    /// The points of all parts, in order. The first point of a ring isn't repeated at its end.
    public internal(set) var points: [Point] = []
    /// For each part, the index after its last point.
    public internal(set) var ends: [Int] = []

    /// Creates an empty shape.
    public init() {}

    /// The number of lines or rings, or of points for a point feature.
    public var partCount: Int { ends.count }

    /// Returns the indices of a part's points.
    public func part(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// Returns twice the area of a ring: positive for an outer ring (clockwise on screen), negative for a
    /// hole.
    public func doubleArea(ofPart index: Int) -> Int {
        let range = part(index)
        guard var last = range.last.map({ points[$0] }) else { return 0 }
        var sum = 0
        for point in points[range] {
            sum += Int(last.x) * Int(point.y) - Int(point.x) * Int(last.y)
            last = point
        }
        return sum
    }

    /// The rings of each polygon: an outer one, then its holes. Excludes rings without area, and holes before
    /// the first outer ring.
    public var polygons: [[Range<Int>]] {
        var found: [[Range<Int>]] = []
        for index in 0..<partCount {
            let area = doubleArea(ofPart: index)
            if area > 0 {
                found.append([part(index)])
            } else if area < 0, !found.isEmpty {
                found[found.count - 1].append(part(index))
            }
        }
        return found
    }

    /// Appends parts of another shape to this one, which is empty.
    /// - Parameter reach: Maximum magnitude of a coordinate; nil for no limit.
    /// - Returns: False, without parts, if a coordinate is larger.
    mutating func append(_ parts: Range<Int>, of other: VectorGeometry, within reach: Int32?) -> Bool {
        let start = parts.lowerBound == 0 ? 0 : other.ends[parts.lowerBound - 1]
        let end = parts.isEmpty ? start : other.ends[parts.upperBound - 1]
        // Slices of arrays would be retained and released for each feature.
        let isWithin = other.points.withUnsafeBufferPointer { all in
            let part = UnsafeBufferPointer(rebasing: all[start..<end])
            if let reach, !part.areWithin(reach) { return false }
            points.append(contentsOf: part)
            return true
        }
        guard isWithin else { return false }
        other.ends.withUnsafeBufferPointer { all in
            for part in parts { ends.append(all[part] - start) }
        }
        return true
    }

    mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

extension UnsafeBufferPointer<VectorGeometry.Point> {
    /// Returns true if no coordinate is larger than `reach`.
    func areWithin(_ reach: Int32) -> Bool {
        // A loop over single numbers compares many at once.
        UnsafeRawBufferPointer(self).withMemoryRebound(to: Int32.self) { numbers in
            var low: Int32 = 0, high: Int32 = 0
            for number in numbers {
                low = Swift.min(low, number)
                high = Swift.max(high, number)
            }
            return low >= -reach && high <= reach
        }
    }
}

/// The shape of a feature of a vector tile.
public struct TileShape: Sendable, Equatable {
    /// The points, in units of the tile.
    public let geometry: VectorGeometry
    /// The kind of shape.
    public let kind: VectorFeature.Kind
    /// The side of the tile in its units.
    public let extent: Int

    /// Decodes the shape of a feature; nil if it is damaged or of an unknown kind.
    public init?(of feature: VectorFeature, in layer: VectorLayer) {
        var reader = GeometryReader()
        guard reader.read(feature, of: layer) else { return nil }
        geometry = reader.geometry
        kind = feature.kind
        extent = Int(layer.extent)
    }
}
