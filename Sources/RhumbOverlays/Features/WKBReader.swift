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

    private mutating func shapes(depth: Int) throws(Failure) -> [OverlayFeature.Shape] {
        guard depth < Self.deepest else { throw Failure(description: "geometries nested too deep") }
        let isLittle = try byte() == 1, code = try word(isLittle)
        let kind = code & 0xFFFF,
            extra = (code & 0x8000_0000 != 0 ? 1 : 0) + (code & 0x4000_0000 != 0 ? 1 : 0)
        let axes = [2, 3, 3, 4][min(Int(kind / 1000), 3)] + extra,
            hasHeight = kind / 1000 == 1 || kind / 1000 == 3 || code & 0x8000_0000 != 0
        switch kind % 1000 {
        case 1:
            let (point, _) = try position(isLittle, axes, hasHeight)
            return point.x.isNaN ? [] : [.point(WorldPoint(x: point.x, y: point.y))]
        case 2: return [.line([try line(isLittle, axes, hasHeight, isRing: false)])]
        case 3: return [.area([try rings(isLittle, axes, hasHeight)])]
        case 4, 5, 6, 7: return Self.merged(try parts(isLittle, depth))
        default: throw Failure(description: "unsupported geometry type \(kind)")
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

    private mutating func rings(
        _ isLittle: Bool, _ axes: Int, _ hasHeight: Bool
    ) throws(Failure) -> [OverlayPath] {
        var rings: [OverlayPath] = []
        for _ in 0..<(try count(isLittle, of: 4)) {
            rings.append(try line(isLittle, axes, hasHeight, isRing: true))
        }
        return rings
    }

    private mutating func line(
        _ isLittle: Bool, _ axes: Int, _ hasHeight: Bool, isRing: Bool
    ) throws(Failure) -> OverlayPath {
        var points: [SIMD2<Double>] = [], heights: [Float] = []
        for _ in 0..<(try count(isLittle, of: 8 * axes)) {
            let (point, height) = try position(isLittle, axes, hasHeight)
            guard !point.x.isNaN else {
                throw Failure(description: "line with a position that is not a number")
            }
            points.append(point)
            heights.append(height)
        }
        if isRing, points.count > 1, points.first == points.last {
            points.removeLast()
            heights.removeLast()
        }
        return OverlayPath(points, heights: hasHeight ? heights : [], isRing: isRing)
    }

    private mutating func position(
        _ isLittle: Bool, _ axes: Int, _ hasHeight: Bool
    ) throws(Failure) -> (SIMD2<Double>, Float) {
        let x = try double(isLittle), y = try double(isLittle)
        var height = Float.nan
        for axis in 2..<max(axes, 2) {
            let value = try double(isLittle)
            if axis == 2, hasHeight { height = Float(value) }
        }
        // An empty point is encoded as NaN.
        if x.isNaN { return (SIMD2(.nan, .nan), height) }
        switch reference {
        case .mercator:
            guard abs(x) <= 3 * Mercator.halfWorld, abs(y) <= 3 * Mercator.halfWorld else {
                throw Failure.outOfRange
            }
            return (SIMD2(x / (2 * Mercator.halfWorld) + 0.5, 0.5 - y / (2 * Mercator.halfWorld)), height)
        case .degrees:
            guard abs(x) <= 540, abs(y) <= 90 else { throw Failure.outOfRange }
            let point = Mercator.plane(Coordinate(latitude: y, longitude: 0))
            return (SIMD2((x + 180) / 360, point.y), height)
        }
    }
}
