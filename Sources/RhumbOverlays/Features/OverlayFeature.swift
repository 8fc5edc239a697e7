internal import RhumbBase
public import RhumbGeo
public import RhumbVector

/// A feature drawn on top of the map, with its shape, style and attributes.
public struct OverlayFeature: Sendable {
    /// The shape, on the plane of the Mercator square. Latitudes beyond its limit are outside the square.
    public enum Shape: Sendable {
        case point(WorldPoint)
        /// One or more lines that belong together.
        case line([OverlayPath])
        /// Polygons, each an outer ring followed by its holes.
        case area([[OverlayPath]])
    }

    /// The id in its source. A feature replaces an earlier one with the same id; empty if there is none.
    public var id: String
    /// The name, sanitised for terminals; may be empty.
    public var name: String
    /// The shape.
    public var shape: Shape
    /// The feature's own style; nil for the style of its layer.
    public var style: OverlayStyle?
    /// The time of the observation, in seconds since 1970; NaN if unknown.
    public var time: Double
    /// The heading in degrees clockwise from north, at most a full turn; NaN if unknown.
    public var heading: Float
    /// True if the line has a direction of travel, from its first point to its last.
    public var isTrack: Bool
    /// All other attributes.
    public var attributes: OverlayAttributes

    /// Creates a feature.
    /// - Parameters:
    ///   - name: External text; sanitised.
    ///   - time: Seconds since 1970; thousands of years away it counts as unknown.
    ///   - heading: Degrees clockwise from north; beyond a full turn it counts as unknown.
    ///   - isTrack: True if the line has a direction of travel, from its first point to its last.
    public init(
        _ shape: Shape, id: String = "", name: String = "", style: OverlayStyle? = nil, time: Double = .nan,
        heading: Double = .nan, isTrack: Bool = false, attributes: OverlayAttributes = OverlayAttributes()
    ) {
        self.isTrack = isTrack
        self.shape = shape
        self.id = id
        self.style = style
        self.time = time.plausibleTime ?? .nan
        self.name = SafeText.sanitised(name, limit: 80)
        self.heading = Float(heading.plausibleBearing ?? .nan)
        self.attributes = attributes
    }

    /// Creates a point from properties of a feature.
    init(packed point: WorldPoint, id: String, name: String, attributes: OverlayAttributes) {
        self.init(.point(point), id: id, attributes: attributes)
        self.name = name
    }

    /// The bounding box; x is outside 0…1 where the feature crosses the antimeridian.
    public var box: WorldBox {
        switch shape {
        case .point(let point): return WorldBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        case .line(let paths): return OverlayPath.box(of: paths)
        case .area(let areas): return OverlayPath.box(of: areas.compactMap(\.first))
        }
    }

    /// The position of `middle` in degrees.
    public var coordinate: Coordinate { Mercator.coordinate(onPlane: middle) }

    /// The lines, or the rings of the polygons.
    public var paths: [OverlayPath] {
        switch shape {
        case .point: []
        case .line(let paths): paths
        case .area(let areas): areas.flatMap(\.self)
        }
    }

    /// Approximate memory in bytes.
    var memory: Int {
        let texts = id.utf8.count + name.utf8.count + attributes.size
        return MemoryLayout<OverlayFeature>.stride + texts + 24 * paths.reduce(0) { $0 + $1.points.count }
    }

    /// The geometry type.
    public var kind: VectorFeature.Kind {
        switch shape {
        case .point: .point
        case .line: .line
        case .area: .polygon
        }
    }

    /// A representative point: the point itself, the middle corner of the longest line, or the centre of a
    /// polygon's box.
    public var middle: WorldPoint {
        switch shape {
        case .point(let point): return point
        case .line(let paths):
            let points = paths.max { $0.points.count < $1.points.count }?.points ?? []
            guard !points.isEmpty else { return WorldPoint(x: 0.5, y: 0.5) }
            let point = points[points.count / 2]
            return WorldPoint(x: point.x, y: point.y)
        case .area:
            let box = box
            return WorldPoint(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
        }
    }
}

/// The attributes of a feature by name, in their original order. Stored in one string, because there may be
/// millions of features.
public struct OverlayAttributes: Sendable, Equatable {
    private static let endOfName: UInt8 = 0x1F, endOfValue: UInt8 = 0x1E
    private var text = ""

    /// Creates an empty list.
    public init() {}

    /// Creates a list from bytes written by `append`.
    init(packed bytes: some Collection<UInt8>) { text = String(decoding: bytes, as: UTF8.self) }

    /// The bytes from which the list can be created again.
    var packed: String.UTF8View { text.utf8 }

    /// True if there are no attributes.
    public var isEmpty: Bool { text.isEmpty }
    /// The size of all names and values in bytes.
    var size: Int { text.utf8.count }

    /// Adds an attribute. Both texts may contain anything.
    public mutating func append(_ name: String, _ value: String) {
        var bytes = Array(text.utf8)
        Self.append(Array(name.utf8), Array(value.utf8), to: &bytes)
        self = OverlayAttributes(packed: bytes)
    }

    /// Appends a name and a value to packed bytes.
    static func append(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: name.lazy.filter { $0 >= 0x20 })
        bytes.append(endOfName)
        bytes.append(contentsOf: value.lazy.map { $0 < 0x20 ? 0x20 : $0 })
        bytes.append(endOfValue)
    }

    /// The names and values, unsanitised except for control characters.
    public var pairs: [(name: String, value: String)] {
        text.utf8.split(separator: Self.endOfValue).map { pair in
            let parts = pair.split(separator: Self.endOfName, maxSplits: 1, omittingEmptySubsequences: false)
            return (String(Substring(parts[0])), parts.count > 1 ? String(Substring(parts[1])) : "")
        }
    }

    /// The value of a name; nil if there is none.
    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}

extension RegionGeometry {
    /// Creates the geometry of features, with positions rounded to a centimetre.
    /// - Throws: `RegionGeometryFailure`, also if there are no features.
    public init(_ features: [OverlayFeature]) throws(RegionGeometryFailure) {
        let shapes = features.flatMap(\.regionShapes)
        guard !shapes.isEmpty else { throw .empty("no track, route, point or area") }
        try self.init(shapes)
    }
}

extension OverlayFeature {
    fileprivate var regionShapes: [RegionShape] {
        switch shape {
        case .point(let point): return [.point(Self.position(SIMD2(point.x, point.y), wraps: true))]
        case .line(let paths):
            return paths.filter { !$0.points.isEmpty }.map {
                let positions = $0.points.map { Self.position($0, wraps: true) }
                return positions.count > 1 ? .line(positions) : .point(positions[0])
            }
        case .area(let areas):
            return areas.compactMap { rings in
                let rings = rings.map { $0.points.map { Self.position($0, wraps: false) } }
                return rings.first.map { .polygon(outer: $0, holes: Array(rings.dropFirst())) }
            }
        }
    }

    /// - Parameter wraps: True to wrap the longitude to ±180, which is not required for rings.
    private static func position(_ point: SIMD2<Double>, wraps: Bool) -> Position {
        let latitude = Mercator.coordinate(WorldPoint(x: 0.5, y: point.y)).latitude,
            longitude = point.x * 360 - 180
        return Position(
            longitude: (wraps ? Coordinate.wrapped(longitude: longitude) : longitude).rounded(7),
            latitude: latitude.rounded(7))
    }
}
