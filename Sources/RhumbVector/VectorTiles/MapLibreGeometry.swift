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
        let vertices = try vertices(column, of: bytes)
        geometry.points.reserveCapacity(vertices.count)
        kinds.reserveCapacity(types.count)
        starts.reserveCapacity(types.count + 1)
        var next = 0
        for type in types {
            guard let type = GeometryType(rawValue: type), add(type, &shapes, vertices, &next) else {
                throw typeStream.failure("the geometry of the feature \(kinds.count + 1) is damaged")
            }
            starts.append(geometry.ends.count)
        }
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

    /// Adds a feature.
    /// - Returns: False if the lengths or vertices don't suffice.
    private mutating func add(
        _ type: GeometryType, _ shapes: inout Topology, _ vertices: [VectorGeometry.Point], _ next: inout Int
    ) -> Bool {
        func take(_ count: Int?) -> Range<Int>? {
            guard let count, count <= vertices.count - next else { return nil }
            defer { next += count }
            return next..<next + count
        }
        let isMulti = type.rawValue >= GeometryType.multiPoint.rawValue
        guard let count = isMulti ? shapes.geometries?.popFirst() : 1 else { return false }
        switch type {
        case .point, .multiPoint:
            kinds.append(.point)
            guard let points = take(count) else { return false }
            for at in points {
                geometry.points.append(vertices[at])
                geometry.ends.append(geometry.points.count)
            }
        case .lineString, .multiLineString:
            kinds.append(.line)
            for _ in 0..<count {
                guard let line = take(shapes.lineLength()) else { return false }
                append(line, of: vertices, minimum: 2)
            }
        case .polygon, .multiPolygon:
            kinds.append(.polygon)
            for _ in 0..<count {
                guard let rings = shapes.parts?.popFirst() else { return false }
                for at in 0..<rings {
                    guard let ring = take(shapes.rings?.popFirst()) else { return false }
                    append(ring, of: vertices, minimum: 3, isClockwise: at == 0)
                }
            }
        }
        return true
    }

    /// Appends a part, unless it is too short.
    /// - Parameter isClockwise: The orientation on screen of a ring; nil for other parts.
    private mutating func append(
        _ part: Range<Int>, of vertices: [VectorGeometry.Point], minimum: Int, isClockwise: Bool? = nil
    ) {
        guard part.count >= minimum else { return }
        let start = geometry.points.count
        guard let isClockwise, let last = part.last else {
            geometry.points.append(contentsOf: vertices[part])
            geometry.ends.append(geometry.points.count)
            return
        }
        var area = 0, previous = vertices[last]
        for at in part {
            let point = vertices[at]
            area += Int(previous.x) * Int(point.y) - Int(point.x) * Int(previous.y)
            previous = point
            geometry.points.append(point)
        }
        geometry.ends.append(geometry.points.count)
        guard area != 0, (area > 0) != isClockwise else { return }
        // The first point stays first.
        var low = start + 1, high = geometry.points.count - 1
        while low < high {
            geometry.points.swapAt(low, high)
            low += 1
            high -= 1
        }
    }
}
