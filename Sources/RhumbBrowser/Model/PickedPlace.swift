internal import RhumbCore

/// A command's request that the user choose something on the map.
public struct PickRequest: Equatable, Sendable {
    /// The kind of choice.
    public enum Kind: String, Sendable, CaseIterable { case point, bbox, polygon, feature }

    /// The format of the output.
    public enum Format: String, Sendable, CaseIterable {
        /// Pairs such as "60.39,22.37", separated by spaces.
        case latlon
        /// Pairs such as "22.37,60.39", separated by spaces.
        case lonlat
        /// "west,south,east,north".
        case wsen
        /// "south,west,north,east".
        case swne
        case geojson, wkt, geohash, pluscode, mgrs, utm, maidenhead, geo, osm
        /// The name of a feature, or a substitute if it has none.
        case text
    }

    /// The kind of choice.
    public let kind: Kind
    /// The format of the output.
    public let format: Format

    /// - Parameter format: The format; nil for the default of the kind.
    /// - Returns: nil if the kind does not have the format.
    public init?(_ kind: Kind, _ format: Format? = nil) {
        guard let usual = PickRequest.formats(of: kind).first,
            PickRequest.formats(of: kind).contains(format ?? usual)
        else { return nil }
        self.kind = kind
        self.format = format ?? usual
    }

    /// Returns the formats of a kind, default first.
    public static func formats(of kind: Kind) -> [Format] {
        switch kind {
        case .point:
            [.latlon, .lonlat, .geojson, .wkt, .geohash, .pluscode, .mgrs, .utm, .maidenhead, .geo, .osm]
        case .bbox: [.wsen, .swne, .geojson, .wkt]
        case .polygon: [.geojson, .wkt, .latlon, .lonlat]
        case .feature: [.geojson, .text]
        }
    }

    // MARK: Answers

    /// Returns a place in the requested format. Links show the view centred on the place.
    /// - Parameter height: The height of the ground in metres, for GeoJSON; nil if it is unknown.
    func answer(_ place: Coordinate, height: Double? = nil, in viewport: Viewport) -> String {
        let notations = PlaceNotations(viewport.with(Camera(center: place, zoom: viewport.camera.zoom)))
        switch format {
        case .geohash: return notations.geohash
        case .pluscode: return notations.plusCode
        case .mgrs: return notations.militaryGrid ?? notations.coordinate
        case .utm: return notations.utm ?? notations.coordinate
        case .maidenhead: return notations.maidenhead
        case .geo: return notations.geo
        case .osm: return notations.openStreetMap
        case .geojson:
            let metres = height.map { $0.rounded(1) }
            return PickRequest.feature(
                ["type": "Point", "coordinates": PickRequest.position(place)],
                metres.map { ["ele": .number($0)] } ?? [:]
            ).text
        case .wkt: return "POINT (\(PickRequest.pair(place, " ")))"
        case .lonlat: return PickRequest.pair(place, ",")
        default: return "\(PickRequest.degrees(place.latitude)),\(PickRequest.degrees(place.longitude))"
        }
    }

    func answer(_ box: Bounds) -> String {
        let west = PickRequest.degrees(box.west)
        let south = PickRequest.degrees(box.south)
        let east = PickRequest.degrees(box.east)
        let north = PickRequest.degrees(box.north)
        let corners = box.ring.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
        switch format {
        case .swne: return "\(south),\(west),\(north),\(east)"
        case .geojson: return (try? RegionGeometry.box(box))?.geoJSON.text ?? ""
        case .wkt: return PickRequest.polygon(corners)
        default: return "\(west),\(south),\(east),\(north)"
        }
    }

    func answer(_ trail: MeasuredPath) -> String {
        switch format {
        case .wkt: PickRequest.polygon(trail.points)
        case .latlon:
            trail.points.map { "\(PickRequest.degrees($0.latitude)),\(PickRequest.degrees($0.longitude))" }
                .joined(separator: " ")
        case .lonlat: trail.points.map { PickRequest.pair($0, ",") }.joined(separator: " ")
        default: trail.geoJSON.text
        }
    }

    /// Returns a feature in the requested format, at the place where the user picked it.
    func answer(_ feature: MapFeature, at place: Coordinate) -> String {
        if format == .text { return feature.attributes.first?.value ?? feature.layer }
        var properties = JSONObject()
        for attribute in feature.attributes { properties[attribute.name] = .string(attribute.value) }
        properties["layer"] = .string(feature.layer)
        return PickRequest.feature(
            ["type": "Point", "coordinates": PickRequest.position(place)], .object(properties)
        ).text
    }

    private static func feature(_ geometry: JSON, _ properties: JSON = [:]) -> JSON {
        ["type": "Feature", "properties": properties, "geometry": geometry]
    }

    private static func position(_ place: Coordinate) -> JSON {
        [.number(place.longitude.rounded(6)), .number(place.latitude.rounded(6))]
    }

    private static func polygon(_ ring: [Coordinate]) -> String {
        "POLYGON ((" + (ring + ring.prefix(1)).map { pair($0, " ") }.joined(separator: ", ") + "))"
    }

    private static func pair(_ place: Coordinate, _ separator: String) -> String {
        degrees(place.longitude) + separator + degrees(place.latitude)
    }

    private static func degrees(_ value: Double) -> String { value.decimals(6) }
}
