internal import Glibc
internal import RhumbCore

/// The projection of a file's coordinates.
enum FileProjection: Equatable, Sendable {
    /// Web Mercator in metres.
    case mercator
    /// Longitude and latitude in degrees.
    case degrees
    case utm(zone: Int, isNorthern: Bool)

    /// Half the width of the world in metres of Web Mercator.
    private static let edge = Double.pi * Mercator.earthRadius

    /// Returns the coordinates of a position on the Mercator square.
    func position(of place: WorldPoint) -> SIMD2<Double> {
        switch self {
        case .mercator:
            return SIMD2((place.x * 2 - 1) * Self.edge, (1 - place.y * 2) * Self.edge)
        case .degrees:
            return SIMD2(place.x * 360 - 180, Mercator.coordinate(place).latitude)
        case .utm(let zone, let isNorthern):
            let position = UTMPosition(Mercator.coordinate(place), zone: zone)
            let isFalse = Mercator.coordinate(place).latitude < 0
            let shift = (isFalse ? -10_000_000.0 : 0) + (isNorthern ? 0 : 10_000_000.0)
            return SIMD2(position.easting, position.northing + shift)
        }
    }

    /// Returns the longitude and latitude of coordinates, in degrees. Longitudes may exceed ±180.
    func degrees(of position: SIMD2<Double>) -> SIMD2<Double> {
        switch self {
        case .mercator:
            let y = min(max(position.y / Self.edge, -1.0001), 1.0001)
            return SIMD2(position.x / Self.edge * 180, atan(sinh(.pi * y)).degrees)
        case .degrees: return position
        case .utm(let zone, let isNorthern):
            let place = UTMPosition.place(
                zone: zone, isNorthern: isNorthern, easting: position.x, northing: position.y)
            let meridian = Double(zone * 6 - 183)
            return SIMD2(
                meridian + Coordinate.wrapped(longitude: place.longitude - meridian), place.latitude)
        }
    }

    /// The width of the world in the units of the projection; nil if columns don't repeat.
    var worldWidth: Double? {
        switch self {
        case .mercator: Self.edge * 2
        case .degrees: 360
        case .utm: nil
        }
    }

    /// True if columns depend only on longitude, and rows only on latitude.
    var isSeparable: Bool { self == .mercator || self == .degrees }
}

/// The location of a file's pixels.
struct GeoReference: Equatable, Sendable {
    let projection: FileProjection
    /// The coordinates of the upper left corner.
    let origin: SIMD2<Double>
    /// The size of a pixel in the units of the projection; the height is positive downwards.
    let pixel: SIMD2<Double>

    private static let remedy = "convert it with gdalwarp -of COG -t_srs EPSG:3857 IN OUT"

    /// Reads the fields of the first directory.
    /// - Throws: `TIFFProblem.unsupported` if the location is missing, rotated or in another projection.
    init(_ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field]) throws(TIFFProblem) {
        let keys = try GeoKeys(file, fields)
        let tie = try file.numbers(fields[33_922])
        guard fields[33_550] != nil || fields[34_264] != nil || tie.count > 6 else {
            throw .unsupported(
                "it has no location on the map",
                advice: "add one with gdal_translate -a_srs EPSG:CODE -a_ullr WEST NORTH EAST SOUTH IN OUT, "
                    + "or without -a_ullr if there is a world file")
        }
        if tie.count > 6 {
            throw .unsupported(
                "it is located by \(tie.count / 6) control points",
                advice: "warp it with gdalwarp -of COG -t_srs EPSG:3857 IN OUT")
        }
        projection = try keys.projection(remedy: GeoReference.remedy)
        let scale = try file.numbers(fields[33_550])
        let matrix = try file.numbers(fields[34_264])
        var origin: SIMD2<Double>, pixel: SIMD2<Double>
        if scale.count >= 2, tie.count >= 6 {
            pixel = SIMD2(scale[0], scale[1])
            origin = SIMD2(tie[3] - tie[0] * scale[0], tie[4] + tie[1] * scale[1])
        } else if matrix.count == 16 {
            // A rotation below this is a rounding error: a hundredth of a pixel over 100,000 pixels.
            guard abs(matrix[1]) <= abs(matrix[0]) * 1e-7, abs(matrix[4]) <= abs(matrix[5]) * 1e-7 else {
                throw .unsupported("it is rotated", advice: GeoReference.remedy)
            }
            pixel = SIMD2(matrix[0], -matrix[5])
            origin = SIMD2(matrix[3], matrix[7])
        } else {
            throw .damaged("its location is incomplete")
        }
        // Positions of points are the centres of pixels.
        if keys.isOfPoints { origin += SIMD2(-pixel.x / 2, pixel.y / 2) }
        guard pixel.x > 0, pixel.y > 0, pixel.x.isFinite, pixel.y.isFinite, origin.x.isFinite,
            origin.y.isFinite
        else {
            throw .unsupported("it is mirrored, or its pixels have no size", advice: GeoReference.remedy)
        }
        self.origin = origin
        self.pixel = pixel
    }

    /// Returns the column and row of a position on the Mercator square, as fractions.
    func pixel(at place: WorldPoint) -> SIMD2<Double> {
        var position = projection.position(of: place)
        // Files may begin at Greenwich, or cross the antimeridian from either side.
        if let width = projection.worldWidth {
            let slack = width * 1e-12
            if position.x < origin.x - slack {
                position.x += width
            } else if position.x > origin.x + width + slack {
                position.x -= width
            }
        }
        return SIMD2((position.x - origin.x) / pixel.x, (origin.y - position.y) / pixel.y)
    }

    /// Returns the box around the pixels.
    /// - Throws: `TIFFProblem.unsupported` if no part of the file is on the map.
    func bounds(width: Int, height: Int) throws(TIFFProblem) -> Bounds {
        var low = SIMD2(Double.infinity, .infinity), high = -low
        for step in 0...20 {
            let x = Double(width) * Double(step) / 20, y = Double(height) * Double(step) / 20
            for at in [SIMD2(x, 0), SIMD2(x, Double(height)), SIMD2(0, y), SIMD2(Double(width), y)] {
                let place = projection.degrees(
                    of: SIMD2(origin.x + at.x * pixel.x, origin.y - at.y * pixel.y))
                guard abs(place.x) <= 540, abs(place.y) <= 100 else { throw Self.misplaced }
                low = pointwiseMin(low, place)
                high = pointwiseMax(high, place)
            }
        }
        guard high.y >= -Mercator.latitudeLimit, low.y <= Mercator.latitudeLimit else {
            throw .unsupported(
                "it is nearer to a pole than 85.05°, where the map ends",
                advice: "open it in a program for polar maps, such as QGIS")
        }
        if high.x - low.x >= 359.9 {
            low.x = -180
            high.x = 180
        }
        let bounds = Bounds(
            west: Coordinate.wrapped(longitude: low.x), south: max(low.y, -90),
            east: high.x == 180 ? 180 : Coordinate.wrapped(longitude: high.x), north: min(high.y, 90))
        guard let bounds else { throw Self.misplaced }
        return bounds
    }

    private static let misplaced = TIFFProblem.unsupported(
        "its coordinates are not on the Earth",
        advice:
            "check it with gdalinfo, and set it with gdal_translate -a_srs EPSG:CODE -a_ullr WEST NORTH EAST "
            + "SOUTH IN OUT")

    /// Returns the number of pixels of the file per pixel of tiles of a size at zoom 0, at a place.
    func pixelsAtZoomZero(at place: Coordinate, side: Double) -> Double {
        let degrees = 360 / side
        switch projection {
        case .degrees: return degrees / pixel.x
        case .mercator: return degrees.radians * Mercator.earthRadius / pixel.x
        case .utm: return degrees.radians * Mercator.earthRadius * cos(place.latitude.radians) / pixel.x
        }
    }
}
