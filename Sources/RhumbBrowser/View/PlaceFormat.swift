public import RhumbCore

/// Formats places, zooms, distances and sizes as text.
public enum PlaceFormat {
    /// Returns a coordinate such as "60.3931 N 22.3790 E", with the number of decimals that suits the zoom.
    public static func coordinate(_ place: Coordinate, zoom: Double) -> String {
        let decimals = decimals(at: zoom)
        let north = place.latitude >= 0 ? "N" : "S", east = place.longitude >= 0 ? "E" : "W"
        return "\(abs(place.latitude).decimals(decimals)) \(north) "
            + "\(abs(place.longitude).decimals(decimals)) \(east)"
    }

    /// Returns a coordinate in the format for copying, such as "60.393100, 22.379000".
    static func decimal(_ place: Coordinate) -> String {
        place.latitude.decimals(6) + ", " + place.longitude.decimals(6)
    }

    /// Returns a coordinate for narrow screens, such as "60.4N 22.4E".
    static func shortCoordinate(_ place: Coordinate, decimals: Int) -> String {
        let north = place.latitude >= 0 ? "N" : "S", east = place.longitude >= 0 ? "E" : "W"
        return abs(place.latitude).decimals(decimals) + north + " "
            + abs(place.longitude).decimals(decimals) + east
    }

    /// Returns a height such as "4478 m" or "14692 ft".
    static func height(_ metres: Int, _ units: Settings.Units) -> String {
        units == .metric ? "\(metres) m" : "\(Int(clamping: (Double(metres) / 0.3048).rounded())) ft"
    }

    /// Returns a speed in metres per second as "12.3 km/h" or "7.6 mph".
    static func speed(_ metres: Double, _ units: Settings.Units) -> String {
        let (unit, name) = units == .metric ? (1000.0, "km/h") : (1609.344, "mph")
        return "\((metres * 3600 / unit).decimals(1)) \(name)"
    }

    /// Returns a zoom as text, such as "z12.0"; "z0" below 0, where the whole world is shown in less than one
    /// tile.
    public static func zoom(_ zoom: Double) -> String {
        zoom < 0 ? "z0" : "z" + zoom.decimals(zoomDecimals(zoom))
    }

    private static func zoomDecimals(_ zoom: Double) -> Int {
        abs(zoom - zoom.rounded(1)) < 0.004 ? 1 : 2
    }

    private static func decimals(at zoom: Double) -> Int { min(max(Int(zoom / 3), 2), 6) }

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
            ? "\(((metres / 10).rounded() * 10).decimals(0)) m" : distance(metres, units)
        return "\(length) \(PlaceBearing.compass(degrees))"
    }

    /// Returns a distance such as "800 m", "3.4 km" or "12 km".
    static func distance(_ metres: Double, _ units: Settings.Units) -> String {
        let (unit, name) = units == .metric ? (1000.0, "km") : (1609.344, "mi")
        let (part, partName) = units == .metric ? (100.0, "m") : (30.48, "ft")
        guard metres >= unit else { return "\(((metres / part).rounded() * 100).decimals(0)) \(partName)" }
        return "\((metres / unit).grouped(metres < 10 * unit ? 1 : 0)) \(name)"
    }
}
