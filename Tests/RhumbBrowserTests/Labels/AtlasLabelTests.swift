import Glibc
@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the names of countries and oceans over the embedded world, which follow the ranks of Natural Earth.
struct AtlasLabelTests {
    /// A view of the world. If the zoom is nil, it is the one with which the program starts.
    struct View: Sendable, CustomTestStringConvertible {
        let place: String
        let latitude: Double
        let longitude: Double
        let zoom: Double?
        let columns: Int
        let rows: Int

        var testDescription: String {
            "\(place), zoom \(zoom.map { "\($0)" } ?? "of the world"), \(columns)x\(rows)"
        }
    }

    private static let views = [
        View(place: "world", latitude: 28, longitude: 12, zoom: nil, columns: 80, rows: 24),
        View(place: "world", latitude: 28, longitude: 12, zoom: nil, columns: 120, rows: 40),
        View(place: "world", latitude: 28, longitude: 12, zoom: nil, columns: 200, rows: 60),
        View(place: "Europe", latitude: 48, longitude: 12, zoom: 2, columns: 120, rows: 40),
        View(place: "Europe", latitude: 50, longitude: 14, zoom: 3, columns: 200, rows: 60),
        View(place: "South America", latitude: -20, longitude: -60, zoom: 1, columns: 80, rows: 24),
        View(place: "Africa", latitude: 5, longitude: 20, zoom: 2, columns: 200, rows: 60),
        View(place: "South Asia", latitude: 25, longitude: 80, zoom: 3, columns: 120, rows: 40),
        View(place: "Alps", latitude: 47, longitude: 10, zoom: 4, columns: 120, rows: 40),
        View(place: "Balkans", latitude: 43, longitude: 21, zoom: 5, columns: 80, rows: 24),
        View(place: "Gulf", latitude: 25, longitude: 51, zoom: 5, columns: 200, rows: 60),
        View(place: "Benelux", latitude: 51, longitude: 5.5, zoom: 6, columns: 120, rows: 40),
    ]
    private let world: NamedWorld

    init() throws { world = try NamedWorld() }

    private func frame(
        _ view: View, _ theme: MapTheme = .night, _ depth: ColorDepth = .truecolor
    ) async throws -> NamedFrame {
        let start = Browser(columns: view.columns, rows: view.rows, layers: [try world.layer(theme, depth)])
            .home
        let place = Coordinate(latitude: view.latitude, longitude: view.longitude)
        let camera = view.zoom.map { Camera(center: place, zoom: $0) } ?? start
        return try await world.frame(camera, theme, depth, columns: view.columns, rows: view.rows)
    }

    /// Returns the countries that Natural Earth's ranks require, with their weights: each rank counts half as
    /// much as the previous one. At least half of each country is in view.
    private func asked(of frame: NamedFrame) -> [(name: String, weight: Double)] {
        let view = frame.browser.map.viewport, zoom = view.camera.zoom
        return LabelArea.embedded.filter { !$0.isOcean && $0.rank <= zoom + 2.8 }.compactMap { area in
            let points = area.rings[0].points,
                seen = points.count { point in
                    let cell = view.cell(of: point)
                    return (0..<Double(view.columns)).contains(cell.column)
                        && (0..<Double(view.rows)).contains(cell.row)
                }
            return seen * 2 >= points.count ? (area.place.name(in: .usual), exp2(-area.rank)) : nil
        }
    }

    @Test(arguments: views)
    func `a view names nine tenths of the countries that its scale requires, by weight`(
        view: View
    ) async throws {
        let frame = try await frame(view), names = Set(frame.labels.map(\.text)), asked = asked(of: frame)
        let found = asked.filter { names.contains($0.name) }
        let score = found.reduce(0) { $0 + $1.weight } / asked.reduce(0) { $0 + $1.weight }
        print(
            "labels of \(view.testDescription):", (score * 100).rounded(), "% of", asked.count, "missing:",
            asked.map(\.name).filter { !names.contains($0) })
        #expect(!asked.isEmpty && score >= 0.9)
    }

    @Test(arguments: views, [MapTheme.day, .night])
    func `names have a contrast of 4.5 to their background, and none overlaps another`(
        view: View, theme: MapTheme
    ) async throws {
        let frame = try await frame(view, theme)
        if let least = frame.leastContrast { #expect(least.ratio >= 4.5, "\(least.text)") }
        #expect(frame.overlaps == 0)
    }

    @Test(arguments: [MapTheme.day, .night], [ColorDepth.indexed256, .indexed16])
    func `this also holds for the first screen in few colours`(
        theme: MapTheme, depth: ColorDepth
    ) async throws {
        let frame = try await frame(Self.views[0], theme, depth)
        if let least = frame.leastContrast { #expect(least.ratio >= 4.5, "\(least.text)") }
    }

    @Test
    func `a country's name is in the middle of its visible part, even if its centre is out of view`()
        async throws
    {
        func longitude(_ name: String, _ view: View) async throws -> Double {
            let frame = try await frame(view), layout = try #require(frame.browser.labels.layout)
            let label = try #require(frame.labels.first { $0.text == name })
            return layout.grid.coordinate(row: label.row, column: Int(label.middle.x)).longitude
        }
        let whole = try await longitude("Russia", Self.views[1])
        #expect((80...115).contains(whole))
        let west = View(place: "Baltic", latitude: 57, longitude: 28, zoom: 3, columns: 120, rows: 40)
        #expect(try await (35...60).contains(longitude("Russia", west)))
        let kamchatka = View(place: "Kamchatka", latitude: 57, longitude: 160, zoom: 4, columns: 80, rows: 24)
        #expect(try await (150...165).contains(longitude("Russia", kamchatka)))
        let strait = View(
            place: "Bering Strait", latitude: 66, longitude: -170, zoom: 4, columns: 100, rows: 30)
        #expect(try await frame(strait).labels.contains { $0.text == "Russia" })
    }

    @Test func `a large country's name is spaced, a small one's is not`() async throws {
        let frame = try await frame(Self.views[1])
        func blanks(_ name: String) throws -> Int {
            try #require(frame.labels.first { $0.text == name }).blanks
        }
        #expect(try blanks("Russia") > 0 && blanks("Germany") == 0)
        #expect(
            frame.browser.labelled(frame.map).lines.contains {
                $0.contains("R  u  s  s  i  a") || $0.contains("R u s s i a")
            })
    }

    @Test(arguments: views.filter { $0.zoom == nil })
    func `the oceans are named on the first screen, on water`(view: View) async throws {
        let names = Set(try await frame(view).labels.map(\.text))
        for ocean in ["Pacific Ocean", "Atlantic Ocean", "Indian Ocean"] { #expect(names.contains(ocean)) }
    }

    @Test func `no city displaces the name of its country`() async throws {
        for (name, latitude, longitude) in [("Belgium", 50.6, 4.6), ("Uruguay", -33, -56)] {
            for zoom in [4.0, 6] {
                let view = View(
                    place: name, latitude: latitude, longitude: longitude, zoom: zoom, columns: 80, rows: 24)
                #expect(try await frame(view).labels.contains { $0.text == name }, "\(name) at \(zoom)")
            }
        }
    }

    private static let islands = [
        View(place: "Iceland", latitude: 64, longitude: -19, zoom: 5, columns: 100, rows: 36),
        View(place: "Melanesia", latitude: -17.8, longitude: 178, zoom: 5, columns: 100, rows: 36),
        View(place: "Micronesia", latitude: 0, longitude: 160, zoom: 3, columns: 100, rows: 36),
        View(place: "Great Britain", latitude: 56, longitude: -4, zoom: 5, columns: 100, rows: 36),
    ]

    @Test(arguments: islands)
    func `a view names an island once, even if a country has the same name`(view: View) async throws {
        #expect(try await frame(view).labels.count { $0.text == view.place } == 1)
    }

    @Test func `names on land don't have the colour of water`() async throws {
        let view = View(place: "West Bank", latitude: 31.5, longitude: 35, zoom: 7, columns: 100, rows: 36)
        let labels = try await frame(view).labels.filter { $0.text == "West Bank" }
        #expect(!labels.isEmpty && labels.allSatisfy { $0.ink != .water })
    }

    @Test func `a country under a panel is not named beside it`() async throws {
        let frame = try await frame(Self.views[0]), base = try #require(frame.browser.labels.base)
        let view = base.grid.box(of: frame.browser.map.viewport)
        let row = try #require(frame.labels.first { $0.text == "India" }).row
        let lower = CellBox(columns: view.columns, rows: (row - 1)..<view.rows.upperBound)
        let room = LabelObstacles(view: view, covered: [lower], density: LabelObstacles.worldDensity)
        let names = base.fitted(into: room, keeping: []).placed.filter { $0.isWithin(view) }.map(\.text)
        #expect(!names.isEmpty && !names.contains("India"))
    }

    /// - Parameter width: The width in kilometres of a view of the country.
    @Test(
        arguments: [
            ("LU", 80...250), ("SG", 20...150), ("CH", 350...700), ("US", 4000...7000), ("ID", 4500...8000),
            ("CL", 5000...9000), ("NZ", 1400...3500),
        ] as [(String, ClosedRange<Int>)])
    func `the view of a country that was searched for has its extent`(code: String, width: ClosedRange<Int>) {
        let country = NamedPlace(
            number: 0, name: code, localName: nil, englishName: nil, kind: .country, countryCode: code,
            country: code, region: "", coordinate: Coordinate(latitude: 0, longitude: 0),
            population: 5_000_000)
        #expect(width.contains(Int(country.viewWidth / 1000)), "\(country.viewWidth)")
    }
}
