internal import RhumbBase
public import RhumbGeo
public import RhumbVector

/// A feature over the map: its shape, its attributes and its look.
public struct OverlayFeature: Sendable {
    /// A shape on the Mercator square.
    public enum Shape: Sendable {
        case point(WorldPoint)
        /// One line, or several that belong together.
        case line([OverlayPath])
        /// Areas, each an outer ring and then its holes.
        case area([[OverlayPath]])
    }

    /// The id at its origin: a feature with the same id replaces it. Empty for none.
    public var id: String
    /// The name, safe for a terminal; may be empty.
    public var name: String
    /// The shape.
    public var shape: Shape
    /// Its own look; nil for the layer's.
    public var look: OverlayLook?
    /// The time of the observation, in seconds since 1970; NaN if unknown.
    public var time: Double
    /// The heading in degrees clockwise from north, at most a full turn; NaN if unknown.
    public var heading: Float
    /// True if its points were travelled from the first to the last.
    public var isTrack: Bool
    /// Everything else that is known of it.
    public var attributes: OverlayAttributes

    /// - Parameters:
    ///   - name: External text; sanitised.
    ///   - time: Seconds since 1970; thousands of years away it counts as unknown.
    ///   - heading: Degrees clockwise from north; beyond a full turn it counts as unknown.
    ///   - isTrack: whether it is a way that is gone from its first point to its last.
    public init(
        _ shape: Shape, id: String = "", name: String = "", look: OverlayLook? = nil, time: Double = .nan,
        heading: Double = .nan, isTrack: Bool = false, attributes: OverlayAttributes = OverlayAttributes()
    ) {
        self.isTrack = isTrack
        self.shape = shape
        self.id = id
        self.look = look
        self.time = time.plausibleTime ?? .nan
        self.name = SafeText.sanitised(name, limit: 80)
        self.heading = Float(heading.plausibleBearing ?? .nan)
        self.attributes = attributes
    }

    /// The smallest box round it; x beyond 0…1 where it crosses the antimeridian.
    public var box: WorldBox {
        switch shape {
        case .point(let point): return WorldBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        case .line(let paths): return OverlayPath.box(of: paths)
        case .area(let areas): return OverlayPath.box(of: areas.compactMap(\.first))
        }
    }

    /// Its lines, or the rings round its areas.
    public var paths: [OverlayPath] {
        switch shape {
        case .point: []
        case .line(let paths): paths
        case .area(let areas): areas.flatMap(\.self)
        }
    }

    /// Its approximate memory in bytes.
    var memory: Int {
        let texts = id.utf8.count + name.utf8.count + attributes.size
        return MemoryLayout<OverlayFeature>.stride + texts + 24 * paths.reduce(0) { $0 + $1.points.count }
    }

    /// The kind of its shape.
    public var kind: VectorFeature.Kind {
        switch shape {
        case .point: .point
        case .line: .line
        case .area: .polygon
        }
    }

    /// A point of it: the point itself, the middle of its longest line's corners, or of its first area's box.
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

/// The attributes of a feature by name, in the order of the origin. They share one string, because there may
/// be millions of them.
public struct OverlayAttributes: Sendable, Equatable {
    private static let endOfName: UInt8 = 0x1F, endOfValue: UInt8 = 0x1E
    private var text = ""

    /// Nothing is known.
    public init() {}

    /// From bytes that `append` made.
    init(packed bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    /// True if there are no attributes.
    public var isEmpty: Bool { text.isEmpty }
    /// The bytes of all names and values.
    var size: Int { text.utf8.count }

    /// Adds an attribute, which need not be safe.
    public mutating func append(_ name: String, _ value: String) {
        var bytes = Array(text.utf8)
        Self.append(Array(name.utf8), Array(value.utf8), to: &bytes)
        self = OverlayAttributes(packed: bytes)
    }

    /// Adds a name and a value to bytes that attributes are made of.
    static func append(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: name.lazy.filter { $0 >= 0x20 })
        bytes.append(endOfName)
        bytes.append(contentsOf: value.lazy.map { $0 < 0x20 ? 0x20 : $0 })
        bytes.append(endOfValue)
    }

    /// The names and values, unchanged: sanitise them before display.
    public var pairs: [(name: String, value: String)] {
        text.utf8.split(separator: Self.endOfValue).map { pair in
            let parts = pair.split(separator: Self.endOfName, maxSplits: 1, omittingEmptySubsequences: false)
            return (String(Substring(parts[0])), parts.count > 1 ? String(Substring(parts[1])) : "")
        }
    }

    /// The value of a name; nil where there is none.
    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
