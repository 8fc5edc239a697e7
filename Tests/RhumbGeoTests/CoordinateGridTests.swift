import Testing

@testable import RhumbGeo

struct CoordinateGridTests {
    private func grid(
        _ kind: GridKind, _ latitude: Double, _ longitude: Double, zoom: Double, columns: Int = 80,
        rows: Int = 22
    ) -> CoordinateGrid {
        let camera = Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom)
        let view = Viewport(camera: camera, columns: columns, rows: rows)
        return CoordinateGrid(kind, over: view.box, columns: columns, rows: rows)
    }

    /// Views in both hemispheres, at the equator, the antimeridian, the limits of UTM, and in Norway and
    /// Svalbard.
    private static let views: [(latitude: Double, longitude: Double, zoom: Double)] = [
        (60.4, 22.3, 4), (60.4, 22.3, 12), (-33.9, 151.2, 9), (0, 0, 6), (0.01, 9.003, 12), (0, 179.999, 7),
        (-17, -180, 8), (60, 4.5, 6), (56, 3, 8), (64, 9, 7), (72, 9, 6), (78, 21, 6), (78, 33.001, 10),
        (83.99, 42, 11), (-79.99, -63, 11), (45, -93.2, 17.3), (10, 20, 22), (20, 0, 0), (20, 0, -2),
        (84.9, 10, 8), (-84.9, 10, 3),
    ]

    // MARK: Steps

    @Test(
        arguments: [
            (0, "45°E"), (2, "10°E"), (4, "5°E"), (8, "0°10′E"), (12, "0°00′30″E"), (16, "0°00′02″E"),
            (22, "0°00′00.05″E"),
        ] as [(Double, String)])
    func `meridians are at least twelve columns apart`(zoom: Double, label: String) throws {
        let lines = grid(.degrees, 0, 0, zoom: zoom).lines.filter(\.isMeridional)
        let at = try #require(lines.firstIndex { abs($0.points[0].x - 0.5) < 1e-12 })
        #expect(lines[at + 1].label == label)
    }

    @Test(
        arguments: [
            (5, nil), (6, 100_000), (8, 20_000), (10, 5000), (12, 1000), (14, 500), (18, 20), (24, 1),
        ] as [(Double, Int?)])
    func `metres are round and at least twelve columns apart`(zoom: Double, step: Int?) {
        let camera = Camera(center: Coordinate(latitude: 0, longitude: 3), zoom: zoom)
        let width = Mercator.metresPerPixel(latitude: 0, zoom: zoom) * Viewport.pixelsPerColumn
        #expect(CoordinateGrid.step(metresPerColumn: width) == step)
        let eastings = grid(.utm, 0, camera.coordinate.longitude, zoom: zoom).lines
            .filter { $0.isMeridional && $0.weight != .border }
            .compactMap { Int($0.label.dropLast()) }.sorted()
        #expect(zip(eastings, eastings.dropFirst()).allSatisfy { $1 - $0 == step || $1 == $0 })
        #expect(eastings.isEmpty == (step == nil))
    }

    @Test(arguments: [(0, 2), (2, 4), (4, 4), (7, 6), (9, 6), (12, 8), (16, 10)] as [(Double, Int)])
    func `locators are as long as the squares need`(zoom: Double, characters: Int) {
        let labels = grid(.maidenhead, 0, 0, zoom: zoom).lines.map(\.label)
        #expect(Set(labels.map(\.count)) == [characters])
    }

    @Test(arguments: views, GridKind.allCases)
    func `a view has few lines, all within it`(
        view: (latitude: Double, longitude: Double, zoom: Double), kind: GridKind
    ) {
        let grid = grid(kind, view.latitude, view.longitude, zoom: view.zoom)
        #expect(grid.lines.count < 80)
        for line in grid.lines {
            #expect(line.points.count > 1)
            for point in line.points {
                #expect(grid.view.minX - 1e-12...grid.view.maxX + 1e-12 ~= point.x)
                #expect(max(grid.view.minY, 0) - 1e-12...min(grid.view.maxY, 1) + 1e-12 ~= point.y)
            }
        }
    }

    // MARK: Degrees and Maidenhead

    @Test(arguments: views)
    func `lines of degrees are at multiples of the distance between them`(
        view: (latitude: Double, longitude: Double, zoom: Double)
    ) {
        let lines = grid(.degrees, view.latitude, view.longitude, zoom: view.zoom).lines
        let meridians = lines.filter(\.isMeridional).map { $0.points[0].x * 360 - 180 }
        let parallels = lines.filter { !$0.isMeridional }.map { Mercator.coordinate($0.points[0]).latitude }
        for values in [meridians, parallels] where values.count > 1 {
            // Steps are whole hundredths of a second.
            let step = ((values[1] - values[0]) * 360_000).rounded() / 360_000
            for value in values { #expect(abs((value / step).rounded() * step - value) < step * 1e-3) }
        }
    }

    @Test(arguments: views)
    func `a locator names the square to the east or to the north of its line`(
        view: (latitude: Double, longitude: Double, zoom: Double)
    ) {
        for line in grid(.maidenhead, view.latitude, view.longitude, zoom: view.zoom).lines {
            // A hundredth of the smallest square.
            let aside = 1 / 288_000.0
            let pairs = line.label.count / 2, start = line.points[0]
            func locator(_ side: Double) -> Substring {
                let place = Mercator.coordinate(start)
                let beside = Coordinate(
                    latitude: place.latitude + (line.isMeridional ? -aside : side),
                    longitude: place.longitude + (line.isMeridional ? side : aside))
                return Maidenhead.text(of: beside, pairs: pairs).prefix(line.label.count)
            }
            #expect(locator(aside) == line.label)
            #expect(locator(-aside) != line.label)
        }
    }

    // MARK: UTM

    @Test(arguments: views)
    func `eastings and northings are exact to a metre and stay in their zone`(
        view: (latitude: Double, longitude: Double, zoom: Double)
    ) throws {
        for line in grid(.utm, view.latitude, view.longitude, zoom: view.zoom).lines
        where line.weight != .border {
            let value = try #require(Double(line.label.dropLast()))
            var zones: Set<Int> = []
            for point in line.points {
                let position = try #require(UTMPosition(Mercator.coordinate(point)))
                zones.insert(position.zone)
                // A northing at the equator belongs to either hemisphere.
                let metres = line.isMeridional ? position.easting : position.northing
                let away = abs(metres - value).truncatingRemainder(dividingBy: 10_000_000)
                #expect(min(away, 10_000_000 - away) < 1, "\(line.label) at \(position.text)")
            }
            #expect(zones.count == 1)
        }
    }

    @Test func `every place up to the limits is in the one zone that contains it`() {
        for latitude in stride(from: -79.5, through: 83.5, by: 1) {
            for longitude in stride(from: -179.5, through: 179.5, by: 1) {
                let place = Coordinate(latitude: latitude, longitude: longitude)
                let zones = UTMZone.all.filter {
                    $0.south..<$0.north ~= latitude && $0.west..<$0.east ~= longitude
                }
                #expect(zones.map(\.number) == [UTMPosition(place)?.zone])
            }
        }
    }

    /// Returns the zone borders of a view as longitude, zone and rounded latitudes.
    private func borders(_ grid: CoordinateGrid) -> [String] {
        grid.lines.filter { $0.isMeridional && $0.weight == .border }.map { line in
            let ends = line.points.map { Int(Mercator.coordinate($0).latitude.rounded()) }
            return "\(Int((line.points[0].x * 360 - 180).rounded())): \(line.label), \(ends[1])...\(ends[0])"
        }
    }

    @Test func `zone 32 is wider in the southwest of Norway`() {
        let borders = borders(grid(.utm, 60, 5, zoom: 2.5, rows: 30))
        #expect(borders.contains("3: 32, 56...64"))
        #expect(borders.contains { $0.hasPrefix("6: 32") && $0.hasSuffix("...56") })
        #expect(borders.contains { $0.hasPrefix("6: 32, 64...") })
        #expect(!borders.contains { $0.hasPrefix("3: 32") && $0 != "3: 32, 56...64" })
    }

    @Test func `Svalbard has four zones`() {
        let borders = borders(grid(.utm, 79, 20, zoom: 2.1, columns: 100, rows: 60))
        let zones = borders.filter { $0.hasSuffix("72...84") }.map { $0.prefix { $0 != "," } }
        #expect(Set(zones) == ["9: 33", "21: 35", "33: 37"])
        #expect(borders.contains { $0.hasPrefix("12: 33") && $0.hasSuffix("...72") })
    }

    @Test func `bands have letters, and the last ends at 84 degrees`() {
        let labels = grid(.mgrs, 79, 20, zoom: 1.3, rows: 50).lines.filter { !$0.isMeridional }.map(\.label)
        #expect(labels.suffix(3) == ["W", "X", ""])
        #expect(grid(.mgrs, 84.9, 20, zoom: 9).lines.isEmpty)
    }

    @Test(arguments: [(84.5, "Y", "Z"), (-84.5, "A", "B")])
    func `near the poles, the grid has the letters of the polar areas`(
        latitude: Double, west: String, east: String
    ) {
        func polar(_ longitude: Double) -> CoordinateGrid { grid(.mgrs, latitude, longitude, zoom: 9) }
        #expect(polar(-20).corner.hasPrefix(west + ",") && polar(20).corner.hasPrefix(east + ","))
        #expect(polar(0).lines.map(\.label) == [east] && polar(180).lines.map(\.label) == [west])
        #expect(polar(20).lines.isEmpty)
    }

    @Test func `the military grid has squares of 100 km, and digits within them`() {
        let wide = grid(.mgrs, 60.4, 22.3, zoom: 5).lines.filter { $0.weight != .border }
        #expect(wide.contains { $0.label == "34VCM" } && wide.contains { $0.label == "35VMJ" })
        #expect(wide.allSatisfy { $0.label.count == 5 })
        let near = grid(.mgrs, 60.4, 22.25, zoom: 12)
        #expect(near.corner == "34VEM")
        #expect(near.lines.contains { $0.isMeridional && $0.label == "680" })
        #expect(near.lines.contains { !$0.isMeridional && $0.label == "965" })
    }

    @Test func `the corner shows the zone, except where borders are omitted`() {
        #expect(grid(.utm, 60.4, 22.25, zoom: 12).corner == "34V")
        #expect(grid(.mgrs, 60.4, 22.25, zoom: 4).corner == "33V")
        #expect(grid(.utm, 60.4, 22.25, zoom: 1).corner.isEmpty)
        #expect(grid(.degrees, 60.4, 22.25, zoom: 12).corner.isEmpty)
    }
}
