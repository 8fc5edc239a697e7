internal import RhumbCore

/// A character that marks a place on the map.
struct MapSign: Sendable, Equatable {
    let unicode: String
    let ascii: String
    /// The colour of the icon that the sign replaces; nil for the colour of the name.
    var ink: RGB?

    /// The sign for icons that have no character of their own.
    static let dot = MapSign("·", ".")

    init(_ unicode: String, _ ascii: String) {
        self.unicode = unicode
        self.ascii = ascii
    }

    /// Creates the sign of a settlement, depending on its size, or of a peak. Returns nil for areas and
    /// rivers.
    init?(_ place: NamedPlace) {
        switch place.kind {
        case .capital: self.init("●", "*")
        case .city: self.init("○", "o")
        case .town where place.isLargeTown: self.init("•", "o")
        case .town, .village: self = .dot
        case .peak: self.init("▲", "^")
        case .airport: self.init("✈", "A")
        case .port: self.init("≈", "~")
        case .sight: self.init("★", "*")
        case .country, .region, .water, .landscape, .river, .island: return nil
        }
    }

    /// Creates the sign for a style's icon by its name, such as "hospital", "airport_11" or "maki:peak-15".
    /// Returns nil for unknown names.
    init?(icon: String) {
        guard let found = MapSign.byName[MapSign.plain(icon)] else { return nil }
        self = found
    }

    /// Returns the icon's name without the additions of sprites, such as a prefix, a size or a variant.
    private static func plain(_ icon: String) -> String {
        let name = icon.split(whereSeparator: { $0 == ":" || $0 == "/" }).last.map(String.init) ?? icon
        var words = name.lowercased().split(whereSeparator: { $0 == "_" || $0 == "-" || $0 == " " })
        while words.count > 1, let last = words.last, isVariant(last) { words.removeLast() }
        return words.joined(separator: "_")
    }

    private static func isVariant(_ word: Substring) -> Bool {
        word.allSatisfy(\.isNumber) || ["icon", "small", "large", "fill", "stroked", "dot"].contains(word)
    }

    private static let byName: [String: MapSign] = {
        var signs: [String: MapSign] = [:]
        for (unicode, ascii, names) in table {
            for name in names.split(separator: " ") { signs[String(name)] = MapSign(unicode, ascii) }
        }
        return signs
    }()

    /// Characters that are one column wide in every terminal, and the names of the icons they replace in
    /// Maki, Temaki and OpenStreetMap.
    private static let table: [(String, String, String)] = [
        ("●", "*", "capital national_capital capital_2 dot_11 city_capital"),
        ("○", "o", "city circle state_capital regional_capital"),
        ("·", ".", "town village dot place marker poi"),
        ("◆", "#", "building"),
        ("★", "*", "star attraction monument landmark memorial artwork"),
        ("▲", "^", "peak mountain volcano hill mountain_peak summit triangle"),
        ("✈", "A", "airport airfield aerodrome heliport airport_gate international"),
        ("✚", "+", "hospital doctor clinic doctors pharmacy ambulance emergency"),
        ("≡", "=", "railway rail station train_station train railway_station light_rail halt"),
        (
            "▫", "-",
            "bus bus_station bus_stop tram tram_stop subway metro subway_entrance railway_metro railway_light"
        ),
        ("P", "P", "parking parking_garage"),
        ("†", "+", "church place_of_worship religious_christian christian cathedral chapel monastery"),
        ("☾", "c", "mosque religious_muslim muslim"),
        ("✡", "*", "synagogue religious_jewish jewish"),
        ("⌂", "n", "museum castle historic palace town_hall townhall fort ruins archaeological_site library"),
        ("♪", "%", "theatre music cinema arts_centre opera"),
        ("♣", "&", "park garden wood forest nature_reserve park_alt1 natural"),
        ("♠", "&", "zoo cemetery"),
        ("⚑", "!", "embassy viewpoint flag information tourist_info"),
        ("◊", "#", "university college school kindergarten"),
        ("≈", "~", "swimming beach fountain waterfall harbor ferry ferry_terminal marina spring"),
        ("○", "o", "stadium sports_centre pitch"),
        ("□", "#", "hotel lodging hostel guest_house"),
        ("¶", "?", "prison police fire_station courthouse bank post"),
    ]
}
