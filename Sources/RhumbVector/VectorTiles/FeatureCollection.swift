public import RhumbBase
public import RhumbGeo

/// The features of a GeoJSON document, cut into vector tiles on demand.
public struct FeatureCollection: Sendable {
    /// The name of the only layer in its tiles.
    public static let layerName = "geojson"
    /// The maximum zoom. A tile unit is then about 15 cm, so deeper tiles would add no detail.
    public static let deepestZoom = 16

    private static let extent = 4096
    /// Margin around a tile, in tile units, within which shapes are kept.
    private static let margin = 256.0

    private struct Item: Sendable {
        let kind: VectorFeature.Kind
        /// The points on the Mercator square.
        let parts: [[SIMD2<Double>]]
        let least: SIMD2<Double>
        let greatest: SIMD2<Double>
        let attributes: [(String, VectorValue)]
        let id: UInt64?

        func cut(to box: ShapeClip) -> [[SIMD2<Double>]] {
            switch kind {
            case .polygon: parts.map(box.ring).filter { $0.count > 2 }
            case .line: parts.flatMap(box.lines)
            case .point, .unknown: parts
            }
        }
    }
    private let items: [Item]
    /// The number of features dropped because of invalid geometry.
    public let damagedCount: Int

    /// The number of drawable features.
    public var count: Int { items.count }

    /// Reads a geometry, a feature or a feature collection.
    /// - Throws: `RegionGeometryFailure` if the document isn't GeoJSON.
    public init(_ document: JSON) throws(RegionGeometryFailure) {
        let features: [JSON]
        switch document["type"]?.string {
        case "FeatureCollection": features = document["features"]?.array ?? []
        case .some: features = [document]
        case nil: throw .type("the document has no \"type\"")
        }
        var items: [Item] = [], damaged = 0
        for feature in features {
            let found = Self.items(of: feature)
            if found.isEmpty && feature["geometry"] != .null { damaged += 1 }
            items += found
        }
        guard !items.isEmpty || features.isEmpty || damaged == 0 else {
            throw .empty("none of its features has a readable geometry")
        }
        self.items = items
        damagedCount = damaged
    }

    /// The bounding box of the features; nil if there are none.
    public var bounds: Bounds? {
        guard let first = items.first else { return nil }
        let least = items.reduce(first.least) { pointwiseMin($0, $1.least) }
        let greatest = items.reduce(first.greatest) { pointwiseMax($0, $1.greatest) }
        let north = Mercator.coordinate(WorldPoint(x: 0, y: least.y)).latitude
        let south = Mercator.coordinate(WorldPoint(x: 0, y: greatest.y)).latitude
        guard least.x >= 0, greatest.x <= 1 else {
            return Bounds(west: -180, south: south, east: 180, north: north)
        }
        return Bounds(west: least.x * 360 - 180, south: south, east: greatest.x * 360 - 180, north: north)
    }

    /// Returns a vector tile; empty if no feature touches it.
    public func tile(_ tile: TileID) -> [UInt8] {
        var writer = VectorTileWriter(layer: Self.layerName, extent: Self.extent)
        let scale = Double(Self.extent) * Double(1 << tile.zoom)
        let corner = SIMD2(Double(tile.x), Double(tile.y)) * Double(Self.extent)
        let low = (corner - Self.margin) / scale, high = (corner + Double(Self.extent) + Self.margin) / scale
        for item in items where all(item.least .<= high) && all(item.greatest .>= low) {
            let parts = item.cut(to: ShapeClip(low: low, high: high)).map { Self.placed($0, scale, corner) }
            writer.add(item.kind, parts, item.attributes, id: item.id)
        }
        return writer.bytes
    }

    /// Converts points to tile units and merges equal neighbours.
    private static func placed(
        _ part: [SIMD2<Double>], _ scale: Double, _ corner: SIMD2<Double>
    ) -> [VectorGeometry.Point] {
        var points: [VectorGeometry.Point] = []
        for place in part {
            let unit = (place * scale - corner).rounded(.toNearestOrEven)
            let point = VectorGeometry.Point(Int32(clamping: unit.x), Int32(clamping: unit.y))
            if point != points.last { points.append(point) }
        }
        return points
    }

    // MARK: Parsing

    private static func items(of feature: JSON) -> [Item] {
        let geometry = feature["type"]?.string == "Feature" ? feature["geometry"] : feature
        guard let geometry, geometry != .null, let shapes = try? RegionGeometry(geoJSON: geometry).shapes
        else { return [] }
        let attributes = attributes(feature["properties"])
        let id = feature["id"]?.unsigned
        return shapes.compactMap { item($0, attributes, id) }
    }

    private static func item(
        _ shape: RegionShape, _ attributes: [(String, VectorValue)], _ id: UInt64?
    ) -> Item? {
        let (kind, rings): (VectorFeature.Kind, [[Position]]) =
            switch shape {
            case .point(let place): (.point, [[place]])
            case .line(let line), .corridor(let line, _): (.line, [line])
            case .polygon(let outer, let holes):
                (.polygon, [wound(outer, positive: true)] + holes.map { wound($0, positive: false) })
            case .circle(let center, _): (.point, [[Position(center)]])
            case .box: (.unknown, [])
            }
        let parts = rings.map { ring in ring.map { SIMD2($0.world.x, $0.world.y) } }
        guard let first = parts.first?.first else { return nil }
        let all = parts.joined()
        return Item(
            kind: kind, parts: parts, least: all.reduce(first, pointwiseMin),
            greatest: all.reduce(first, pointwiseMax),
            attributes: attributes, id: id)
    }

    /// Orients a ring: outer rings one way, holes the other, as vector tiles require.
    private static func wound(_ ring: [Position], positive: Bool) -> [Position] {
        var sum = 0.0
        guard var last = ring.last?.world else { return ring }
        for position in ring {
            let place = position.world
            sum += last.x * place.y - place.x * last.y
            last = place
        }
        return (sum > 0) == positive ? ring : ring.reversed()
    }

    private static func attributes(_ properties: JSON?) -> [(String, VectorValue)] {
        (properties?.object?.names ?? []).compactMap { name in
            switch properties?[name] {
            case .string(let text)?: (name, .string(text))
            case .bool(let flag)?: (name, .bool(flag))
            case .integer(let number)?: (name, VectorValue(Int64(number)))
            case .unsigned(let number)?: (name, VectorValue(number))
            case .number(let number)?: (name, .number(number))
            case let nested?: (name, .nested(nested))
            case nil: nil
            }
        }
    }
}
