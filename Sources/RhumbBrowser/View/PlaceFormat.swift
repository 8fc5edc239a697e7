public import RhumbCore

/// Formats places, zooms, distances and sizes as text.
public enum PlaceFormat {
    /// Returns a coordinate such as "60.3931 N 22.3790 E", with the number of decimals that suits the zoom.
    public static func coordinate(_ place: Coordinate, zoom: Double) -> String {
        let decimals = decimals(at: zoom)
        let north = place.latitude >= 0 ? "N" : "S", east = place.longitude >= 0 ? "E" : "W"
        let latitude = fixed(abs(place.latitude), decimals)
        let longitude = fixed(abs(place.longitude), decimals)
        return "\(latitude) \(north) \(longitude) \(east)"
    }

    /// Returns a coordinate in the format for copying, such as "60.393100, 22.379000".
    static func decimal(_ place: Coordinate) -> String {
        fixed(place.latitude, 6) + ", " + fixed(place.longitude, 6)
    }

    /// Returns a coordinate for narrow screens, such as "60.4N 22.4E".
    public static func shortCoordinate(_ place: Coordinate, decimals: Int) -> String {
        let north = place.latitude >= 0 ? "N" : "S", east = place.longitude >= 0 ? "E" : "W"
        return fixed(abs(place.latitude), decimals) + north + " "
            + fixed(abs(place.longitude), decimals) + east
    }

    /// Returns a height such as "4478 m" or "14692 ft".
    static func height(_ metres: Int, _ units: Settings.Units) -> String {
        units == .metric ? "\(metres) m" : "\(Int(clamping: (Double(metres) / 0.3048).rounded())) ft"
    }

    /// Returns a speed in metres per second as "12.3 km/h" or "7.6 mph".
    static func speed(_ metres: Double, _ units: Settings.Units) -> String {
        units == .metric ? "\(fixed(metres * 3.6, 1)) km/h" : "\(fixed(metres * 3600 / 1609.344, 1)) mph"
    }

    /// Returns a zoom as text, such as "z12.0"; "z0" below 0, where the whole world is shown in less than one
    /// tile.
    public static func zoom(_ zoom: Double) -> String {
        zoom < 0 ? "z0" : "z" + fixed(zoom, zoomDecimals(zoom))
    }

    private static func zoomDecimals(_ zoom: Double) -> Int {
        let tenths = (zoom * 10).rounded() / 10
        return abs(zoom - tenths) < 0.004 ? 1 : 2
    }

    private static func decimals(at zoom: Double) -> Int { min(max(Int(zoom / 3), 2), 6) }

    /// Returns a number with a fixed number of decimals.
    public static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let units = Int(clamping: abs(value) * Double(scale))
        let sign = value < 0 && units > 0 ? "-" : ""
        guard decimals > 0 else { return sign + String(units) }
        let fraction = String(units % scale)
        let zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
        return "\(sign)\(units / scale).\(zeros)\(fraction)"
    }

    /// Returns a text such as "12 km NE of Turku, FI", or only the name within the place.
    public static func bearing(
        _ bearing: PlaceBearing, units: Settings.Units, language: NameLanguage = .usual
    ) -> String {
        let place = bearing.place, own = place.name(in: language)
        let name = place.countryCode.isEmpty ? own : "\(own), \(place.countryCode)"
        return bearing.isWithin ? name : "\(distance(bearing.metres, units)) \(bearing.compass) of \(name)"
    }

    /// Returns the distance and direction to a found feature, such as "320 m NE"; nil if the origin is not
    /// known.
    public static func way(to feature: FeatureMatch, units: Settings.Units) -> String? {
        guard let metres = feature.metres, let degrees = feature.degrees else { return nil }
        let near = units == .metric ? 1000.0 : 1609.344
        let length =
            metres < near && units == .metric
            ? "\(fixed((metres / 10).rounded() * 10, 0)) m" : distance(metres, units)
        return "\(length) \(PlaceBearing.compass(degrees))"
    }

    /// Returns a distance such as "800 m", "3.4 km" or "12 km".
    static func distance(_ metres: Double, _ units: Settings.Units) -> String {
        let (unit, name) = units == .metric ? (1000.0, "km") : (1609.344, "mi")
        let (part, partName) = units == .metric ? (100.0, "m") : (30.48, "ft")
        guard metres >= unit else { return "\(fixed((metres / part).rounded() * 100, 0)) \(partName)" }
        return "\(fixed(metres / unit, metres < 10 * unit ? 1 : 0)) \(name)"
    }

    /// Returns a number of bytes with a decimal prefix, such as "1.2 kB" or "3.4 MB".
    public static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1000: "\(count) B"
        case ..<1_000_000: fixed(Double(count) / 1e3, 1) + " kB"
        case ..<1_000_000_000: fixed(Double(count) / 1e6, 1) + " MB"
        default: fixed(Double(count) / 1e9, 1) + " GB"
        }
    }
}
