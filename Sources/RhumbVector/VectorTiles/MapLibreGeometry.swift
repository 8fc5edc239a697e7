/// The shapes of a layer of a MapLibre Tile of version 1, decoded from its column of geometries. The
/// triangles of tessellated polygons are not needed.
struct MapLibreGeometry {
    /// The parts of all features. Rings have the orientation of Mapbox Vector Tiles, and parts that are too
    /// short to be a line or a ring are dropped.
    private(set) var geometry = VectorGeometry()
    private(set) var kinds: [VectorFeature.Kind] = []
    /// The index of each feature's first part, and the number of all parts.
    private(set) var starts: [Int] = [0]

    /// The geometry types by number.
    private enum GeometryType: UInt32 {
        case point, lineString, polygon, multiPoint, multiLineString, multiPolygon
    }

    /// Decodes the column.
    mutating func decode(_ column: MapLibreLayer.Column, of bytes: [UInt8]) throws(VectorTileFailure) {
        guard let typeStream = column.streams.first else { return }
        func lengths(_ kind: MapLibreStream.Kind) throws(VectorTileFailure) -> Lengths? {
            guard let stream = column.stream(kind) else { return nil }
            return Lengths(numbers: try stream.integers(of: bytes))
        }
        let types: [UInt32] = try typeStream.integers(of: bytes)
        var shapes = Topology(
            geometries: try lengths(.geometries), parts: try lengths(.parts), rings: try lengths(.rings))
        geometry.points = try vertices(column, of: bytes)
        kinds.reserveCapacity(types.count)
        starts.reserveCapacity(types.count + 1)
        var cursor = Vertices()
        for type in types {
            guard let type = GeometryType(rawValue: type), add(type, &shapes, &cursor) else {
                throw typeStream.failure("the geometry of the feature \(kinds.count + 1) is damaged")
            }
            starts.append(geometry.ends.count)
        }
        geometry.points.removeLast(geometry.points.count - cursor.end)
    }

    private func vertices(
        _ column: MapLibreLayer.Column, of bytes: [UInt8]
    ) throws(VectorTileFailure) -> [VectorGeometry.Point] {
        guard let buffer = column.stream(.vertex, .morton) else { return [] }
        let vertices = try buffer.vertices(of: bytes)
        guard let stream = column.stream(.vertexOffset) else { return vertices }
        let offsets: [UInt32] = try stream.integers(of: bytes)
        guard offsets.allSatisfy({ $0 < vertices.count }) else {
            throw stream.failure("a vertex is not in the dictionary")
        }
        return offsets.map { vertices[Int($0)] }
    }

    /// A stream of lengths, read from its start.
    private struct Lengths {
        let numbers: [UInt32]
        private var next = 0

        init(numbers: [UInt32]) { self.numbers = numbers }

        /// Returns the next length; nil after the last one.
        mutating func popFirst() -> Int? {
            guard next < numbers.count else { return nil }
            next += 1
            return Int(numbers[next - 1])
        }
    }

    /// The streams of lengths. A level counts the entries of the next one.
    private struct Topology {
        var geometries: Lengths?
        var parts: Lengths?
        var rings: Lengths?

        /// Returns the number of vertices of the next line. In a column with polygons it is one of the rings.
        mutating func lineLength() -> Int? { rings != nil ? rings?.popFirst() : parts?.popFirst() }
    }

    /// The progress of assigning the points to parts, which moves them to the beginning of the array. The
    /// points from `end` to `next` are unused.
    private struct Vertices {
        /// The number of assigned points.
        var end = 0
        /// The index of the first point that is neither assigned nor dropped.
        var next = 0
    }

    /// Adds a feature.
    /// - Returns: False if the lengths or vertices don't suffice.
    private mutating func add(
        _ type: GeometryType, _ shapes: inout Topology, _ vertices: inout Vertices
    ) -> Bool {
        let isMulti = type.rawValue >= GeometryType.multiPoint.rawValue
        guard let count = isMulti ? shapes.geometries?.popFirst() : 1 else { return false }
        switch type {
        case .point, .multiPoint:
            kinds.append(.point)
            let end = vertices.end
            guard take(count, &vertices) else { return false }
            for at in end..<vertices.end { geometry.ends.append(at + 1) }
        case .lineString, .multiLineString:
            kinds.append(.line)
            for _ in 0..<count {
                guard let length = shapes.lineLength(), take(length, minimum: 2, &vertices) else {
                    return false
                }
            }
        case .polygon, .multiPolygon:
            kinds.append(.polygon)
            for _ in 0..<count {
                guard let rings = shapes.parts?.popFirst() else { return false }
                for at in 0..<rings {
                    let start = vertices.end
                    guard let length = shapes.rings?.popFirst(), take(length, minimum: 3, &vertices) else {
                        return false
                    }
                    orient(start..<vertices.end, isClockwise: at == 0)
                }
            }
        }
        return true
    }

    /// Assigns the next points to a part, unless it is too short, or to parts of single points if there is no
    /// minimum.
    /// - Returns: False if there are fewer points.
    private mutating func take(_ count: Int, minimum: Int = 0, _ vertices: inout Vertices) -> Bool {
        guard count <= geometry.points.count - vertices.next else { return false }
        let start = vertices.next
        vertices.next += count
        guard count >= minimum else { return true }
        if start > vertices.end {
            for at in 0..<count { geometry.points[vertices.end + at] = geometry.points[start + at] }
        }
        vertices.end += count
        if minimum > 0 { geometry.ends.append(vertices.end) }
        return true
    }

    /// Reverses a ring unless it has an orientation on screen. Its first point stays first.
    private mutating func orient(_ ring: Range<Int>, isClockwise: Bool) {
        geometry.points.withUnsafeMutableBufferPointer { points in
            guard let last = ring.last else { return }
            var area = 0, previous = points[last]
            for at in ring {
                let point = points[at]
                area += Int(previous.x) * Int(point.y) - Int(point.x) * Int(previous.y)
                previous = point
            }
            guard area != 0, (area > 0) != isClockwise else { return }
            var low = ring.lowerBound + 1, high = last
            while low < high {
                points.swapAt(low, high)
                low += 1
                high -= 1
            }
        }
    }
}
