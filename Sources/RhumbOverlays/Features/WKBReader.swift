internal import RhumbGeo

/// Reads geometries in Well-Known Binary, optionally with the header of GeoPackage.
public struct WKBReader {
    /// The reason why a geometry is skipped.
    public struct Failure: Error, CustomStringConvertible {
        /// The reason in words.
        public let description: String
        /// True if a position is outside of the world.
        public var isOutOfRange: Bool { description == Failure.outOfRange.description }

        fileprivate static let outOfRange = Failure(description: "position out of range")
    }

    /// The coordinate reference system of a geometry.
    public enum Reference: Sendable {
        /// Longitude and latitude in degrees.
        case degrees
        /// Web Mercator, in metres.
        case mercator
    }

    private let bytes: [UInt8]
    private var at = 0
    private let reference: Reference
    private static let deepest = 8

    /// Creates a reader.
    /// - Parameter reference: The coordinate reference system of the geometry.
    public init(_ bytes: [UInt8], _ reference: Reference) {
        self.bytes = bytes
        self.reference = reference
    }

    /// Reads the shapes of a GeoPackage geometry; none if it is empty.
    public mutating func geoPackageShapes() throws(Failure) -> [OverlayFeature.Shape] {
        guard bytes.count > 8, bytes[0] == 0x47, bytes[1] == 0x50 else {
            throw Failure(description: "not a GeoPackage geometry")
        }
        let flags = bytes[3], envelopes = [0, 32, 48, 48, 64]
        let envelope = Int(flags >> 1 & 7)
        guard envelope < envelopes.count else {
            throw Failure(description: "geometry with an unknown envelope")
        }
        if flags & 0x10 != 0 { return [] }
        at = 8 + envelopes[envelope]
        return try shapes(depth: 0)
    }

    private mutating func byte() throws(Failure) -> UInt8 {
        guard at < bytes.count else { throw Failure(description: "truncated geometry") }
        defer { at += 1 }
        return bytes[at]
    }

    private mutating func word(_ isLittle: Bool) throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for shift in 0..<4 {
            let byte = UInt32(try byte())
            value |= byte << UInt32(isLittle ? 8 * shift : 24 - 8 * shift)
        }
        return value
    }

    private mutating func double(_ isLittle: Bool) throws(Failure) -> Double {
        guard at + 8 <= bytes.count else { throw Failure(description: "truncated geometry") }
        let bits = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt64.self) }
        at += 8
        return Double(bitPattern: isLittle ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
    }

    /// Reads the number of items.
    /// - Parameter size: Minimum size of an item in bytes.
    private mutating func count(_ isLittle: Bool, of size: Int) throws(Failure) -> Int {
        let count = Int(try word(isLittle))
        guard count <= (bytes.count - at) / size else { throw Failure(description: "truncated geometry") }
        return count
    }

    /// The type of a geometry, and the form of its positions.
    private struct Header {
        let isLittle: Bool
        let kind: UInt32
        /// The number of coordinates of a position.
        let axes: Int
        let hasHeight: Bool
    }

    private mutating func header() throws(Failure) -> Header {
        let isLittle = try byte() == 1, code = try word(isLittle)
        let kind = code & 0xFFFF,
            extra = (code & 0x8000_0000 != 0 ? 1 : 0) + (code & 0x4000_0000 != 0 ? 1 : 0)
        return Header(
            isLittle: isLittle, kind: kind % 1000, axes: [2, 3, 3, 4][min(Int(kind / 1000), 3)] + extra,
            hasHeight: kind / 1000 == 1 || kind / 1000 == 3 || code & 0x8000_0000 != 0)
    }

    private func checkDepth(_ depth: Int) throws(Failure) {
        guard depth < Self.deepest else { throw Failure(description: "geometries nested too deep") }
    }

    private mutating func shapes(depth: Int) throws(Failure) -> [OverlayFeature.Shape] {
        try checkDepth(depth)
        let header = try header()
        switch header.kind {
        case 1:
            let (point, _) = try position(header)
            guard !point.x.isNaN else { return [] }
            let place = try placed(point)
            return [.point(WorldPoint(x: place.x, y: place.y))]
        case 2, 8, 9: return [.line([try path(try curve(header, depth), header, isRing: false)])]
        case 3, 10, 17: return [.area([try rings(header, depth)])]
        case 4, 5, 6, 7, 11, 12, 15, 16: return Self.merged(try parts(header.isLittle, depth))
        default: throw Failure(description: "unsupported geometry type \(header.kind)")
        }
    }

    private mutating func parts(_ isLittle: Bool, _ depth: Int) throws(Failure) -> [OverlayFeature.Shape] {
        var all: [OverlayFeature.Shape] = []
        for _ in 0..<(try count(isLittle, of: 5)) { all += try shapes(depth: depth + 1) }
        return all
    }

    /// Merges all lines into one shape, and all areas into another.
    private static func merged(_ shapes: [OverlayFeature.Shape]) -> [OverlayFeature.Shape] {
        var lines: [OverlayPath] = [], areas: [[OverlayPath]] = [], others: [OverlayFeature.Shape] = []
        for shape in shapes {
            switch shape {
            case .point: others.append(shape)
            case .line(let paths): lines += paths
            case .area(let rings): areas += rings
            }
        }
        return others + (lines.isEmpty ? [] : [.line(lines)]) + (areas.isEmpty ? [] : [.area(areas)])
    }

    private mutating func rings(_ header: Header, _ depth: Int) throws(Failure) -> [OverlayPath] {
        // The rings of a curve polygon are geometries with headers.
        let isCurved = header.kind == 10
        var rings: [OverlayPath] = []
        for _ in 0..<(try count(header.isLittle, of: isCurved ? 9 : 4)) {
            let ring = isCurved ? try curve(try self.header(), depth + 1) : try vertices(header)
            rings.append(try path(ring, header, isRing: true))
        }
        return rings
    }

    /// The positions of a line in the units of the reference system, with their heights.
    private typealias Vertices = (points: [SIMD2<Double>], heights: [Float])

    /// Reads the positions of a line, an arc or a chain of both.
    private mutating func curve(_ header: Header, _ depth: Int) throws(Failure) -> Vertices {
        try checkDepth(depth)
        switch header.kind {
        case 2: return try vertices(header)
        case 8:
            let controls = try vertices(header)
            return CircularArc.line(through: controls.points, heights: controls.heights)
        case 9:
            var all: Vertices = ([], [])
            for _ in 0..<(try count(header.isLittle, of: 9)) {
                let next = try curve(try self.header(), depth + 1)
                let shared = all.points.last != nil && all.points.last == next.points.first ? 1 : 0
                all.points += next.points.dropFirst(shared)
                all.heights += next.heights.dropFirst(shared)
            }
            return all
        default: throw Failure(description: "unsupported geometry type \(header.kind) in a curve")
        }
    }

    private mutating func vertices(_ header: Header) throws(Failure) -> Vertices {
        var all: Vertices = ([], [])
        for _ in 0..<(try count(header.isLittle, of: 8 * header.axes)) {
            let (point, height) = try position(header)
            guard !point.x.isNaN else {
                throw Failure(description: "line with a position that is not a number")
            }
            all.points.append(point)
            all.heights.append(height)
        }
        return all
    }

    private func path(
        _ vertices: Vertices, _ header: Header, isRing: Bool
    ) throws(Failure) -> OverlayPath {
        var (points, heights) = vertices
        if isRing, points.count > 1, points.first == points.last {
            points.removeLast()
            heights.removeLast()
        }
        for index in points.indices { points[index] = try placed(points[index]) }
        return OverlayPath(points, heights: header.hasHeight ? heights : [], isRing: isRing)
    }

    /// Reads a position in the units of the reference system. An empty point is encoded as NaN.
    private mutating func position(_ header: Header) throws(Failure) -> (SIMD2<Double>, Float) {
        let x = try double(header.isLittle), y = try double(header.isLittle)
        var height = Float.nan
        for axis in 2..<max(header.axes, 2) {
            let value = try double(header.isLittle)
            if axis == 2, header.hasHeight { height = Float(value) }
        }
        return (SIMD2(x, y), height)
    }

    /// Returns a position on the Mercator square.
    private func placed(_ point: SIMD2<Double>) throws(Failure) -> SIMD2<Double> {
        switch reference {
        case .mercator:
            guard abs(point.x) <= 2 * Mercator.halfWorld, abs(point.y) <= 3 * Mercator.halfWorld else {
                throw Failure.outOfRange
            }
            return SIMD2(
                point.x / (2 * Mercator.halfWorld) + 0.5, 0.5 - point.y / (2 * Mercator.halfWorld))
        case .degrees:
            guard abs(point.x) <= 360, abs(point.y) <= 90 else { throw Failure.outOfRange }
            let place = Mercator.plane(Coordinate(latitude: point.y, longitude: 0))
            return SIMD2((point.x + 180) / 360, place.y)
        }
    }
}
