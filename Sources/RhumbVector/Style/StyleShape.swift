internal import RhumbBase

/// Points, lines and polygons in longitude and latitude.
struct StyleShape: Sendable {
    typealias Position = SIMD2<Double>

    var points: [Position] = []
    var lines: [[Position]] = []
    /// The rings of each polygon, the outer one first. The first position of a ring is also its last.
    var polygons: [[[Position]]] = []

    init(points: [Position] = [], lines: [[Position]] = [], polygons: [[[Position]]] = []) {
        self.points = points
        self.lines = lines
        self.polygons = polygons
    }

    /// Parses a GeoJSON geometry, feature or collection of features; nil for anything else.
    init?(_ json: JSON) {
        switch json["type"]?.string {
        case "FeatureCollection":
            for feature in json["features"]?.array ?? [] {
                if let geometry = feature["geometry"], geometry != .null {
                    guard read(geometry) else { return nil }
                }
            }
        case "Feature": guard let geometry = json["geometry"], read(geometry) else { return nil }
        default: guard read(json) else { return nil }
        }
    }

    /// The number of positions.
    var pointCount: Int {
        points.count + lines.reduce(0) { $0 + $1.count }
            + polygons.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
    }

    private mutating func read(_ geometry: JSON) -> Bool {
        guard let coordinates = geometry["coordinates"] else { return false }
        switch geometry["type"]?.string {
        case "Point": points += [Self.position(coordinates)].compactMap(\.self)
        case "MultiPoint": points += Self.list(coordinates, Self.position) ?? []
        case "LineString": lines += [Self.line(coordinates)].compactMap(\.self)
        case "MultiLineString": lines += Self.list(coordinates, Self.line) ?? []
        case "Polygon": polygons += [Self.list(coordinates, Self.line)].compactMap(\.self)
        case "MultiPolygon": polygons += Self.list(coordinates) { Self.list($0, Self.line) } ?? []
        default: return false
        }
        return pointCount > 0
    }

    private static func position(_ json: JSON) -> Position? {
        guard let numbers = json.array?.compactMap(\.double), numbers.count >= 2 else { return nil }
        return Position(numbers[0], numbers[1])
    }

    private static func line(_ json: JSON) -> [Position]? { list(json, position) }

    /// Parses a list; nil if it is empty or one of its parts is invalid.
    private static func list<Part>(_ json: JSON, _ parse: (JSON) -> Part?) -> [Part]? {
        guard let items = json.array, !items.isEmpty else { return nil }
        let parts = items.compactMap(parse)
        return parts.count == items.count ? parts : nil
    }
}
