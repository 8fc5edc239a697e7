internal import Glibc

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
        let n = UTM.thirdFlattening, latitude = place.latitude * .pi / 180
        let longitude = (place.longitude - UTM.meridian(ofZone: zone)) * .pi / 180
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
