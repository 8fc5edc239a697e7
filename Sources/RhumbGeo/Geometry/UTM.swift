internal import Glibc

/// A position by zone and metres in Universal Transverse Mercator on WGS 84 ("35V 552000 6680000"), or by the
/// letters of the military grid ("35VNG5200080000").
struct UTM {
    let coordinate: Coordinate

    static let falseEasting = 500_000.0, falseNorthing = 10_000_000.0
    /// The third flattening of WGS 84.
    static let thirdFlattening = 1 / (2 * 298.257223563 - 1)
    /// The metres on the map per radian of the rectifying latitude.
    static let unit = {
        let n = thirdFlattening
        return 0.9996 * Mercator.earthRadius / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64)
    }()

    /// The coefficients of the series for the conformal latitude and for the latitude.
    private static let (beta, delta) = {
        let n = thirdFlattening
        return (
            [n / 2 - 2 * n * n / 3 + 37 * n * n * n / 96, n * n / 48 + n * n * n / 15, 17 * n * n * n / 480],
            [2 * n - 2 * n * n / 3 - 2 * n * n * n, 7 * n * n / 3 - 8 * n * n * n / 5, 56 * n * n * n / 15]
        )
    }()

    /// Returns the meridian that eastings of a zone are measured from, in degrees.
    static func meridian(ofZone zone: Int) -> Double { Double(zone * 6 - 183) }

    /// - Parameters:
    ///   - zone: The zone, 1…60.
    ///   - easting: The easting in metres.
    ///   - northing: The northing in metres, in the southern hemisphere with the false northing of 10,000 km.
    init(zone: Int, isNorthern: Bool, easting: Double, northing: Double) {
        let xi = (northing - (isNorthern ? 0 : UTM.falseNorthing)) / UTM.unit,
            eta = (easting - UTM.falseEasting) / UTM.unit
        var north = xi, east = eta
        for (at, factor) in UTM.beta.enumerated() {
            let turn = 2 * Double(at + 1)
            north -= factor * sin(turn * xi) * cosh(turn * eta)
            east -= factor * cos(turn * xi) * sinh(turn * eta)
        }
        let conformal = asin(sin(north) / cosh(east))
        let latitude = UTM.delta.enumerated().reduce(conformal) {
            $0 + $1.element * sin(2 * Double($1.offset + 1) * conformal)
        }
        let longitude = atan2(sinh(east), cos(north)).degrees + UTM.meridian(ofZone: zone)
        coordinate = Coordinate(latitude: latitude.degrees, longitude: longitude)
    }

    /// Parses "35V 552000 6680000", "35 N 552000mE 6680000mN" or "32552000 5680000".
    /// - Parameter text: The text in lower case.
    init?(_ text: String) {
        var parts = text.split { $0 == " " || $0 == "," }.map(String.init)
        if parts.count == 2, let parsed = UTM(prefixed: parts) {
            self = parsed
            return
        }
        if parts.count == 4, parts[1].count == 1 { parts.replaceSubrange(0...1, with: [parts[0] + parts[1]]) }
        guard parts.count == 3, let letter = parts[0].last, let zone = Int(parts[0].dropLast()),
            1...60 ~= zone,
            let band = UTM.bands.firstIndex(of: letter), let easting = UTM.metres(parts[1], "e"),
            let northing = UTM.metres(parts[2], "n"), 100_000..<1_000_000 ~= easting,
            0..<UTM.falseNorthing ~= northing
        else { return nil }
        // "S" can also mean the southern hemisphere; the northing decides.
        let isBand = letter != "s" || 3_500_000..<4_500_000 ~= northing
        self.init(
            zone: zone, isNorthern: band >= UTM.northernBands && isBand, easting: easting, northing: northing)
    }

    /// Parses an easting with its zone before it, and a northing, as in EPSG:4647: "32552000 5680000".
    /// Only in and near Germany, because elsewhere such numbers are usually those of Gauss-Krüger zones.
    private init?(prefixed parts: [String]) {
        guard let east = UTM.metres(parts[0], "e"), let northing = UTM.metres(parts[1], "n"),
            31_000_000..<34_000_000 ~= east, 5_200_000..<6_150_000 ~= northing
        else { return nil }
        let zone = (east / 1_000_000).rounded(.down), easting = east - zone * 1_000_000
        guard 100_000..<1_000_000 ~= easting else { return nil }
        self.init(zone: Int(zone), isNorthern: true, easting: easting, northing: northing)
    }

    private static func metres(_ word: String, _ letter: Character) -> Double? {
        var digits = word[...]
        if digits.last == letter { digits.removeLast() }
        if digits.last == "m" { digits.removeLast() }
        return digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } ? Double(digits) : nil
    }

    /// The bands of eight degrees of latitude each, from 80° south.
    static let bands = Array("cdefghjklmnpqrstuvwx")
    /// The index of the first band in the northern hemisphere.
    fileprivate static let northernBands = 10
}

/// A square of the military grid reference system.
struct MilitaryGrid {
    /// The centre of the square.
    let center: Coordinate
    /// The length of its side in metres.
    let width: Double

    static let rows = Array("abcdefghjklmnpqrstuv")
    static let columns = [Array("abcdefgh"), Array("jklmnpqr"), Array("stuvwxyz")]
    /// The side of the squares that two letters name, in metres.
    static let square = 100_000.0

    /// Returns true for a square at the poles, in Universal Polar Stereographic ("ZAH0541295506").
    /// - Parameter text: The text in lower case.
    static func isPolar(_ text: String) -> Bool {
        let letters = text.prefix { $0.isASCII && $0.isLetter }, digits = text.dropFirst(3)
        return letters.count == 3 && "abyz".contains(text.prefix(1)) && 2...10 ~= digits.count
            && digits.count.isMultiple(of: 2) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// - Parameter text: The text in lower case; spaces are ignored. Squares at the poles are not supported.
    /// - Returns: nil unless it is a square of 100 kilometres or less.
    init?(_ text: String) {
        let letters = Array(text.filter { $0 != " " })
        let zoneDigits = letters.prefix { $0.isASCII && $0.isNumber }
        let digits = letters.dropFirst(zoneDigits.count + 3)
        guard 1...2 ~= zoneDigits.count, let zone = Int(String(zoneDigits)), 1...60 ~= zone,
            letters.count >= zoneDigits.count + 3, 0...10 ~= digits.count, digits.count.isMultiple(of: 2),
            digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let band = UTM.bands.firstIndex(of: letters[zoneDigits.count]),
            let column = MilitaryGrid.columns[(zone - 1) % 3].firstIndex(of: letters[zoneDigits.count + 1]),
            let row = MilitaryGrid.rows.firstIndex(of: letters[zoneDigits.count + 2]),
            let east = Double("0" + String(digits.prefix(digits.count / 2))),
            let north = Double("0" + String(digits.suffix(digits.count / 2)))
        else { return nil }
        let side = (0..<digits.count / 2).reduce(MilitaryGrid.square) { side, _ in side / 10 }
        let easting = Double(column + 1) * MilitaryGrid.square + (east + 0.5) * side
        let corner = Double((row + (zone.isMultiple(of: 2) ? 15 : 0)) % 20) * MilitaryGrid.square
        let south = Double(band * 8 - 80), isNorthern = band >= UTM.northernBands
        // Rows repeat every 2000 km; the one in the band is meant.
        let candidates = (0..<5).map { round in
            let northing = corner + Double(round) * 20 * MilitaryGrid.square + (north + 0.5) * side
            return UTM(zone: zone, isNorthern: isNorthern, easting: easting, northing: northing).coordinate
        }
        let height = band == UTM.bands.count - 1 ? 12.0 : 8.0
        guard let place = candidates.first(where: { south - 1...south + height + 1 ~= $0.latitude }) else {
            return nil
        }
        center = place
        width = side
    }
}

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

/// A place in Universal Transverse Mercator on WGS 84, which reaches from 80° south to 84° north.
public struct UTMPosition: Equatable, Sendable {
    /// The zone, 1…60.
    public let zone: Int
    /// The letter of the band of latitude, C…X. Bands from N on are in the northern hemisphere.
    public let band: Character
    /// The easting in metres.
    public let easting: Double
    /// The northing in metres; in the southern hemisphere with the false northing of 10,000 km.
    public let northing: Double

    /// Projects a place with Krüger's series; nil near the poles.
    public init?(_ place: Coordinate) {
        guard (-80...84).contains(place.latitude) else { return nil }
        self.init(place, zone: UTMZone.all.first { $0.contains(place) }?.number ?? 60)
    }

    /// Projects a place in a zone, which need not contain it.
    package init(_ place: Coordinate, zone: Int) {
        self.zone = zone
        band = Character(
            UTM.bands[min(max(Int((place.latitude + 80) / 8), 0), UTM.bands.count - 1)].uppercased())
        let n = UTM.thirdFlattening, latitude = place.latitude.radians
        let longitude = (place.longitude - UTM.meridian(ofZone: zone)).radians
        let eccentricity = 2 * n.squareRoot() / (1 + n)
        let t = sinh(atanh(sin(latitude)) - eccentricity * atanh(eccentricity * sin(latitude)))
        let xi = atan2(t, cos(longitude)), eta = atanh(sin(longitude) / (1 + t * t).squareRoot())
        var north = xi, east = eta
        for (at, factor) in UTMPosition.alpha.enumerated() {
            let turn = 2 * Double(at + 1)
            north += factor * sin(turn * xi) * cosh(turn * eta)
            east += factor * cos(turn * xi) * sinh(turn * eta)
        }
        easting = UTM.falseEasting + UTM.unit * east
        northing = (place.latitude < 0 ? UTM.falseNorthing : 0) + UTM.unit * north
    }

    /// Returns the place at an easting and a northing in metres.
    /// - Parameter northing: In the southern hemisphere with the false northing of 10,000 km.
    package static func place(
        zone: Int, isNorthern: Bool, easting: Double, northing: Double
    ) -> Coordinate {
        UTM(zone: zone, isNorthern: isNorthern, easting: easting, northing: northing).coordinate
    }

    /// The coefficients of the series.
    private static let alpha = {
        let n = UTM.thirdFlattening
        return [
            n / 2 - 2 * n * n / 3 + 5 * n * n * n / 16, 13 * n * n / 48 - 3 * n * n * n / 5,
            61 * n * n * n / 240,
        ]
    }()

    /// The position such as "35V 438672 6707749".
    public var text: String { "\(zone)\(band) \(Int(easting)) \(Int(northing))" }

    /// Returns the square of the military grid reference system that contains the place, such as
    /// "35VML3867207749".
    /// - Parameter digits: The digits of each axis: 1 for a square of 10 km, up to 5 for one of a metre.
    public func militaryGrid(digits: Int) -> String {
        let square = 100_000, east = Int(easting), north = Int(northing),
            columns = MilitaryGrid.columns[(zone - 1) % 3]
        let column = columns[min(max(east / square - 1, 0), columns.count - 1)]
        let row = MilitaryGrid.rows[(north / square + (zone.isMultiple(of: 2) ? 5 : 0)) % 20]
        let shown = [east, north].map { metres in
            String(String(metres % square + square).dropFirst().prefix(min(max(digits, 1), 5)))
        }
        return "\(zone)\(band)\(column.uppercased())\(row.uppercased())" + shown.joined()
    }
}
