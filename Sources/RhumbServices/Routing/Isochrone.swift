public import RhumbBase
public import RhumbGeo
public import RhumbWeb

/// Isochrones: the areas that can be reached from a place within given times.
public struct Isochrone: Sendable, Hashable {
    /// The area that can be reached within one time.
    public struct Area: Sendable, Hashable {
        /// The time in minutes.
        public let minutes: Double
        /// The polygons of the area.
        public let shapes: [RegionShape]
        /// True if the area ends where no map is stored, and may be larger.
        public let isCut: Bool

        /// Creates an area.
        init(minutes: Double, shapes: [RegionShape], isCut: Bool = false) {
            self.minutes = minutes
            self.shapes = shapes
            self.isCut = isCut
        }
    }

    /// The areas, the largest time first, so that the smaller ones are drawn on top.
    public let areas: [Area]
    /// The name of the provider.
    public let provider: String
    /// The attribution that must be shown; may be empty.
    public let attribution: String

    /// A sentence about areas that end where no map is stored; nil if none does.
    public var remark: String? {
        guard let least = areas.filter(\.isCut).map(\.minutes).min() else { return nil }
        return
            "from \(AmountText.seconds(least * 60)) on, the area ends where no map is stored and may be larger"
    }

    /// Combines the areas of one or more responses.
    init(_ areas: [Area], _ engine: RouteEngine) {
        self.areas = areas.sorted { $0.minutes > $1.minutes }
        provider = engine.name
        attribution = engine.attribution
    }

    /// Combines areas that were computed here.
    package init(_ areas: [Area], provider: String, attribution: String) {
        self.areas = areas.sorted { $0.minutes > $1.minutes }
        self.provider = provider
        self.attribution = attribution
    }

    /// The maximum time in minutes.
    public static let longest = 600.0
    /// The maximum number of times in one query.
    public static let limit = 4

    /// The areas as GeoJSON features, with minutes and colours.
    public var geoJSON: JSON {
        let features = areas.enumerated().flatMap { at, area in
            area.shapes.map {
                Isochrone.feature(
                    $0, area.minutes, Isochrone.colours[(areas.count - 1 - at) % Isochrone.colours.count])
            }
        }
        return ["type": "FeatureCollection", "features": .array(features)]
    }

    /// The colours of the areas, from the smallest time to the largest.
    public static let colours = ["#2C7FB8", "#41B6C4", "#A1DAB4", "#FFFFCC"]

    private static func feature(_ shape: RegionShape, _ minutes: Double, _ colour: String) -> JSON {
        var geometry = JSON.null
        if case .polygon(let outer, let holes) = shape {
            geometry = ["type": "Polygon", "coordinates": .array(([outer] + holes).map(ring))]
        }
        return [
            "type": "Feature",
            "properties": [
                "minutes": .number(minutes), "name": .string("\(minutes.plain(1)) min"),
                "fill": .string(colour),
                "fill-opacity": 0.33, "stroke": .string(colour), "stroke-width": 2,
            ],
            "geometry": geometry,
        ]
    }

    private static func ring(_ positions: [Position]) -> JSON {
        .array(
            (positions + positions.prefix(1)).map {
                [.number($0.longitude.rounded(6)), .number($0.latitude.rounded(6))]
            })
    }
}

extension RouteEngine {
    /// Returns the addresses of the isochrone requests. TomTom needs one for each time.
    /// - Parameter minutes: The times, each at most `Isochrone.longest`.
    /// - Throws: `RouteFailure.unsupported`
    public func addresses(
        ofReach minutes: [Double], from place: Coordinate, _ request: RouteRequest
    ) throws(RouteFailure) -> [HTTPAddress] {
        guard (1...Isochrone.limit).contains(minutes.count),
            minutes.allSatisfy({ $0 > 0 && $0 <= Isochrone.longest })
        else {
            throw .unsupported(
                "expected one to \(Isochrone.limit) times up to \(Int(Isochrone.longest)) minutes")
        }
        let base = try base(for: request.mode)
        switch kind {
        case .osrm:
            throw .unsupported(
                "\(name) is an OSRM server, which can't calculate reachable areas; use Valhalla, TomTom or HERE"
            )
        case .valhalla: return [Valhalla.address(ofReach: minutes, from: place, request, at: base)]
        case .tomtom:
            return minutes.map { TomTomRouting.address(ofReach: $0, from: place, request, at: base) }
        case .here:
            return [HERERouting.address(ofReach: minutes, from: place, request, at: reachBase ?? base)]
        }
    }

    /// Parses the responses to `addresses(ofReach:from:_:)`, in the same order.
    /// - Throws: `RouteFailure`
    public func reach(_ bodies: [[UInt8]], minutes: [Double]) throws(RouteFailure) -> Isochrone {
        var areas: [Isochrone.Area] = []
        for (at, body) in bodies.enumerated() {
            let limit = minutes.indices.contains(at) ? minutes[at] : 0
            areas += try converting(self.areas(JSON.parse(body), limit)) { (error: JSONFailure) in
                RouteFailure.nonsense("\(name): the response is \(error)")
            }
        }
        guard areas.contains(where: { !$0.shapes.isEmpty }) else {
            throw bodies.compactMap(refusal).first ?? .nonsense("\(name): the response has no area")
        }
        return Isochrone(areas, self)
    }

    private func areas(_ json: JSON, _ minutes: Double) throws(JSONFailure) -> [Isochrone.Area] {
        switch kind {
        case .osrm: return []
        case .valhalla:
            return (json["features"]?.array ?? []).map { feature in
                Isochrone.Area(
                    minutes: feature["properties"]?["contour"]?.double ?? 0,
                    shapes: RouteEngine.polygons(feature["geometry"]))
            }
        case .tomtom:
            let ring = (json["reachableRange"]?["boundary"]?.array ?? []).compactMap { point -> Position? in
                guard let latitude = point["latitude"]?.double, let longitude = point["longitude"]?.double,
                    abs(latitude) <= 90, abs(longitude) <= 180
                else { return nil }
                return Position(longitude: longitude, latitude: latitude)
            }
            return [
                Isochrone.Area(
                    minutes: minutes, shapes: ring.count > 2 ? [.polygon(outer: ring, holes: [])] : [])
            ]
        case .here:
            var areas: [Isochrone.Area] = []
            for line in json["isolines"]?.array ?? [] {
                let polygons = line["polygons"]?.array ?? []
                let shapes = polygons.compactMap { polygon -> RegionShape? in
                    guard let outer = RouteEngine.ring(polygon["outer"]) else { return nil }
                    return .polygon(
                        outer: outer, holes: (polygon["inner"]?.array ?? []).compactMap(RouteEngine.ring))
                }
                areas.append(
                    Isochrone.Area(minutes: (line["range"]?["value"]?.double ?? 0) / 60, shapes: shapes))
            }
            return areas
        }
    }

    /// Returns the polygons of a geometry unchanged, even if their rings touch themselves, as isochrones'
    /// rings often do.
    private static func polygons(_ geometry: JSON?) -> [RegionShape] {
        let all = geometry?["coordinates"]?.array ?? []
        switch geometry?["type"]?.string {
        case "Polygon"?: return polygon(all).map { [$0] } ?? []
        case "MultiPolygon"?: return all.compactMap { polygon($0.array ?? []) }
        default: return []
        }
    }

    private static func polygon(_ rings: [JSON]) -> RegionShape? {
        let read = rings.map { ring in
            (ring.array ?? []).dropLast().compactMap { point -> Position? in
                let numbers = (point.array ?? []).compactMap(\.double)
                guard numbers.count > 1, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 else { return nil }
                return Position(longitude: numbers[0], latitude: numbers[1])
            }
        }.filter { $0.count > 2 }
        return read.first.map { .polygon(outer: $0, holes: Array(read.dropFirst())) }
    }

    private static func ring(_ text: JSON?) -> [Position]? {
        guard let places = (text?.string).flatMap({ try? FlexiblePolyline.places($0.utf8) }), places.count > 2
        else { return nil }
        return places.map { Position($0) }
    }
}
