internal import RhumbVector

/// The searchable content of a vector tile's layer, from its name in OpenMapTiles, Protomaps, Shortbread or
/// Mapbox Streets.
enum SearchLayer: Equatable {
    case streets
    case settlements
    /// Points of interest, some of which are searchable without a name.
    case sights
    case houses
    case buildings
    /// Named features, of one category unless their classes are more specific.
    case plain(PlaceCategory)
    /// Borders and other layers without searchable names.
    case ignored

    init(name: String) {
        self = SearchLayer.byName[name] ?? .plain(.other)
    }

    /// The category of features without a known class.
    var category: PlaceCategory {
        switch self {
        case .streets: .street
        case .settlements: .settlement
        case .buildings: .building
        case .plain(let category): category
        case .sights, .houses, .ignored: .other
        }
    }

    private static let byName: [String: SearchLayer] = {
        var table: [String: SearchLayer] = [:]
        for (layer, names) in names {
            for name in names.split(separator: " ") { table[String(name)] = layer }
        }
        return table
    }()

    private static let names: [(SearchLayer, String)] = [
        (
            .streets,
            "transportation_name transportation roads road streets street_labels street_polygons road_label motorway_junction"
        ),
        (.settlements, "place places place_label place_labels"),
        (
            .sights,
            "poi pois poi_label sites public_transport transit_stop_label aerodrome_label airport_label"
        ),
        (.houses, "housenumber housenum_label addresses"),
        (.buildings, "building buildings"),
        (.plain(.lake), "water water_name water_polygons_labels water_polygons natural_label ocean"),
        (.plain(.river), "waterway water_lines water_lines_labels physical_line waterway_label"),
        (.plain(.peak), "mountain_peak physical_point"),
        (.plain(.park), "park parks"),
        (.plain(.railway), "transit"),
        (
            .ignored,
            "boundary boundaries boundary_labels admin contour contours hillshade mask earth land bridges dam_lines pier_lines"
        ),
    ]
}

/// The meaning of a layer's attribute for the search.
enum SearchAttribute: Equatable {
    case ignored
    case name
    /// A name in another language. If the usual name is missing, the lowest rank replaces it.
    case otherName(rank: Int)
    /// A class; lower ranks are more specific.
    case kind(rank: Int)
    case houseNumber
    case street
    case detail
    /// The number of a road.
    case ref

    init(key: String) {
        switch key {
        case "name": self = .name
        case "housenumber", "house_num", "addr_housenumber", "addr:housenumber": self = .houseNumber
        case "addr_street", "addr:street", "street": self = .street
        case "ref": self = .ref
        default: self = SearchAttribute(other: key)
        }
    }

    private init(other key: String) {
        if let rank = SearchAttribute.kinds.firstIndex(of: key) {
            self = .kind(rank: rank)
        } else if let rank = SearchAttribute.firstNames.firstIndex(of: key) {
            self = .otherName(rank: rank)
        } else if SearchAttribute.isName(key) {
            self = .otherName(rank: SearchAttribute.firstNames.count)
        } else if SearchAttribute.details.contains(where: key.hasPrefix) {
            self = .detail
        } else {
            self = .ignored
        }
    }

    /// True for keys such as "name:de", "name_de" and "name2"; false for "name:etymology" and
    /// "name:de:pronunciation".
    private static func isName(_ key: String) -> Bool {
        if names.contains(key) { return true }
        guard key.hasPrefix("name"), let mark = key.dropFirst(4).first else { return false }
        let rest = key.dropFirst(5)
        return mark.isNumber && rest.isEmpty
            || (mark == ":" || mark == "_")
                && rest.split(separator: "-").first.map { (2...3).contains($0.count) } == true
    }

    private static let firstNames = Array(VectorLayer.nameKeys.dropFirst())
    private static let names: Set<String> = [
        "alt_name", "old_name", "official_name", "short_name", "loc_name", "int_name", "housename",
        "addr:housename",
    ]
    private static let kinds = [
        "subclass", "kind_detail", "pmap:kind_detail", "amenity", "tourism", "leisure", "railway", "aeroway",
        "natural",
        "historic", "public_transport", "emergency", "man_made", "waterway", "water", "place", "sport",
        "type", "maki",
        "kind", "class", "shop", "office", "landuse", "boundary", "highway", "pmap:kind",
    ]
    private static let details = [
        "socket", "fuel:", "fuel_", "maxheight", "maxweight", "maxlength", "maxwidth", "maxaxleload", "hgv",
        "hazmat", "capacity", "ele", "opening_hours",
        "cuisine",
    ]
}
