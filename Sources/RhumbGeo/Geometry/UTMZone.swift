/// The part of a UTM zone between two parallels, with the exceptions of Norway and Svalbard.
struct UTMZone {
    /// The number of the zone, 1…60.
    let number: Int
    /// The edges in degrees, −180…180 for longitudes.
    let west: Double, east: Double, south: Double, north: Double

    /// The parts of all zones, from south to north in each zone.
    static let all = (1...60).flatMap { number in
        zip([-80.0, 56, 64, 72], [56.0, 64, 72, 84]).compactMap { UTMZone(number, south: $0, north: $1) }
    }

    private init?(_ number: Int, south: Double, north: Double) {
        self.number = number
        self.south = south
        self.north = north
        let usual = Double(number * 6 - 186)
        switch (number, south) {
        case (31, 56): (west, east) = (0, 3)
        case (32, 56): (west, east) = (3, 12)
        case (31, 72): (west, east) = (0, 9)
        case (33, 72): (west, east) = (9, 21)
        case (35, 72): (west, east) = (21, 33)
        case (37, 72): (west, east) = (33, 42)
        case (32, 72), (34, 72), (36, 72): return nil
        default: (west, east) = (usual, usual + 6)
        }
    }

    /// The meridian that eastings are measured from, in degrees.
    var centralMeridian: Double { UTM.meridian(ofZone: number) }

    /// Returns true if a place is in this part. Its northern edge belongs to the next part, except at 84°.
    func contains(_ place: Coordinate) -> Bool {
        west..<east ~= place.longitude && south <= place.latitude
            && (place.latitude < north || place.latitude == 84)
    }

    /// Returns the easting of a place and its northing from the equator, negative south of it, in metres.
    func metres(_ latitude: Double, _ longitude: Double) -> (east: Double, north: Double) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let position = UTMPosition(place, zone: number)
        return (position.easting, position.northing - (latitude < 0 ? UTM.falseNorthing : 0))
    }

    /// Returns the latitude and longitude of a position in metres. The longitude continues beyond ±180 at the
    /// antimeridian.
    func degrees(_ easting: Double, _ northing: Double) -> (latitude: Double, longitude: Double) {
        let place = UTM(zone: number, isNorthern: true, easting: easting, northing: northing).coordinate
        let aside = Coordinate.wrapped(longitude: place.longitude - centralMeridian)
        return (place.latitude, centralMeridian + aside)
    }
}
