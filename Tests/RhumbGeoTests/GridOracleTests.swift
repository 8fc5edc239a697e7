import RhumbTestSupport
import Testing

@testable import RhumbGeo

/// Compares coordinates of grids with the packages mgrs, pyproj and maidenhead of the Python registry.
struct GridOracleTests {
    /// Places everywhere, and more of them in Norway, in Svalbard, and near the limits of the grid.
    private static let places: [Coordinate] = {
        var random = SplitMix(seed: 46)
        func some(
            _ count: Int, _ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>
        ) -> [Coordinate] {
            (0..<count).map { _ in
                Coordinate(
                    latitude: .random(in: latitudes, using: &random),
                    longitude: .random(in: longitudes, using: &random))
            }
        }
        return some(5000, -80...84, -180...179.999) + some(1500, 56...64, 0...12)
            + some(1500, 72...84, 0...42)
            + some(400, 83.9...84, -180...179.999) + some(400, -80 ... -79.9, -180...179.999)
            + some(400, -0.1...0.1, -180...179.999) + some(400, -70...70, 179.9...179.9999)
            + some(400, -70...70, -180 ... -179.9)
    }()

    private static let script = """
        import sys, mgrs, pyproj, maidenhead
        grid, zones = mgrs.MGRS(), {}
        for line in open(sys.argv[1]):
            latitude, longitude = map(float, line.split())
            square = grid.toMGRS(latitude, longitude, MGRSPrecision=5)
            zone = int(square[:-13])
            code = (32600 if latitude >= 0 else 32700) + zone
            if code not in zones:
                zones[code] = pyproj.Transformer.from_crs(4326, code, always_xy=True)
            east, north = zones[code].transform(longitude, latitude)
            print(square, repr(east), repr(north), maidenhead.to_maiden(latitude, longitude, precision=3))
        """

    @Test func `squares, metres and locators at 10,000 places agree with other programs`() async throws {
        guard await PythonOracle.has("mgrs", "pyproj", "maidenhead") else {
            print("notice: mgrs, pyproj or maidenhead is not installed; the grids are not compared")
            return
        }
        let places = Self.places, folder = TemporaryFolder()
        #expect(places.count == 10_000)
        let text = places.map { "\($0.latitude) \($0.longitude)" }.joined(separator: "\n")
        let run = await PythonOracle.run(
            Self.script, folder.write(Array(text.utf8), to: "places.txt"))
        let rows = run.output.split(separator: "\n").map { row in
            // Zones below 10 begin with a zero.
            (row.first == "0" ? row.dropFirst() : row).split(separator: " ").map(String.init)
        }
        try #require(rows.count == places.count, "\(run.errors.suffix(400))")
        var unlike: [String] = []
        for (place, row) in zip(places, rows) {
            let position = try #require(UTMPosition(place)), own = position.militaryGrid(digits: 5)
            let east = try #require(Double(row[1])), north = try #require(Double(row[2]))
            // The other program computes to a millimetre, so a metre may begin on the other side.
            let isSame =
                own == row[0] || own.dropLast(10) == row[0].dropLast(10) && Self.differsByOne(own, row[0])
            if !isSame || abs(position.easting - east) > 0.01 || abs(position.northing - north) > 0.01 {
                unlike.append("\(place): \(own) \(position.text), not \(row)")
            }
            // The other program adds half of a unit, which is a 180th of a square.
            let shifted = Coordinate(
                latitude: place.latitude + 0.5 / 4320,
                longitude: Coordinate.wrapped(longitude: place.longitude + 0.5 / 2160))
            let locator = Maidenhead.text(of: shifted, pairs: 3)
            if locator.lowercased() != row[3].lowercased() {
                unlike.append("\(place): \(locator), not \(row[3])")
            }
        }
        #expect(unlike.isEmpty, "\(unlike.count): \(unlike.prefix(5))")
    }

    private static func differsByOne(_ a: String, _ b: String) -> Bool {
        func numbers(_ text: String) -> [Int] {
            [text.suffix(10).prefix(5), text.suffix(5)].compactMap { Int($0) }
        }
        return zip(numbers(a), numbers(b)).allSatisfy { abs($0 - $1) <= 1 }
    }

    @Test func `the grid says where it ends`() {
        for latitude in [84.01, 90, -80.01, -90] {
            #expect(UTMPosition(Coordinate(latitude: latitude, longitude: 20)) == nil)
        }
        let camera = Camera(center: Coordinate(latitude: 84.9, longitude: 20), zoom: 9)
        let view = Viewport(camera: camera, columns: 80, rows: 22)
        let grid = CoordinateGrid(.mgrs, over: view.box, columns: 80, rows: 22)
        #expect(grid.lines.isEmpty && grid.corner.hasSuffix("UTM ends at 84°N"))
    }
}
