@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests rivers, lakes, peaks and settlements on the embedded map at the zooms of a region.
struct NaturalFeatureTests {
    struct View: Sendable, CustomTestStringConvertible {
        let latitude: Double
        let longitude: Double
        let names: Set<String>

        var testDescription: String { names.sorted().joined(separator: ", ") }
    }

    private static let world = WorldBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
    /// The rivers, lakes and peaks.
    private static let near = NaturalFeature.nearIndex.features(meeting: world)

    private static func names(
        _ zoom: Double, _ latitude: Double, _ longitude: Double, columns: Int = 120, rows: Int = 40
    ) async throws -> [LabelLayout.Placed] {
        let camera = Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom)
        return try await NamedWorld().frame(camera, .night, .truecolor, columns: columns, rows: rows)
            .labels
    }

    @Test(arguments: [0.0, 0.5, 1, 1.5, 1.99])
    func `a map of the world finds its features without decoding all others`(zoom: Double) {
        let found = NaturalFeature.named(at: zoom, in: Self.world)
        let wanted = NaturalFeature.far.filter { $0.zooms.contains(zoom) }
        #expect(found.map(\.place) == wanted.map(\.place))
        #expect(found.map { $0.shapes.count } == wanted.map { $0.shapes.count })
    }

    @Test func `a feature is found by the box around its decoded shapes`() {
        for feature in stride(from: 0, to: Self.near.count, by: 60).map({ Self.near[$0] }) {
            let box = WorldBox(around: feature.shapes.map(\.box))
            let corner = WorldBox(minX: box.maxX, minY: box.minY, maxX: box.maxX, maxY: box.minY)
            #expect(NaturalFeature.nearIndex.features(meeting: corner).contains { $0.place == feature.place })
            let beside = WorldBox(
                minX: box.maxX + 1e-7, minY: box.minY, maxX: box.maxX + 1e-7, maxY: box.maxY)
            #expect(
                !NaturalFeature.nearIndex.features(meeting: beside) { $0.zooms == feature.zooms }
                    .contains { $0.place == feature.place && $0.shapes.count == feature.shapes.count })
        }
    }

    @Test func `the names of areas are those of the decoded features`() {
        #expect(NaturalFeature.areaNames == Set(NaturalFeature.far.map(\.place.name)))
    }

    @Test(arguments: [8.0, 9, 10, 11])
    func `a lake is named at the centre of its visible part`(zoom: Double) async throws {
        let lake = try #require(try await Self.names(zoom, 45.5, 10.65).first { $0.text == "Lake Garda" })
        #expect(lake.ink == .water)
    }

    @Test(
        arguments: [
            View(latitude: 45.45, longitude: 11, names: ["Adige"]),
            View(latitude: 48.35, longitude: 15.5, names: ["Donau"]),
            View(latitude: 45.98, longitude: 7.7, names: ["Matterhorn 4478 m"]),
            View(latitude: 45.05, longitude: 10.2, names: ["Po"]),
        ], [8.0, 9])
    func `rivers and peaks in view are named`(view: View, zoom: Double) async throws {
        let labels = try await Self.names(zoom, view.latitude, view.longitude)
        #expect(view.names.isSubset(of: labels.map(\.text)), "\(labels.map(\.text))")
    }

    @Test(
        arguments: [
            (6.0, View(latitude: 46.4, longitude: 6.8, names: ["Lake Geneva", "Lake Neuchâtel"])),
            (5, View(latitude: 49, longitude: -87, names: ["Lake Superior", "Lake Nipigon"])),
            (6, View(latitude: 28.5, longitude: 84.5, names: ["Himalayas"])),
        ] as [(Double, View)])
    func `large lakes and ranges are named on maps of countries`(zoom: Double, view: View) async throws {
        let texts = try await Self.names(zoom, view.latitude, view.longitude).map(\.text)
        for name in view.names { #expect(texts.count { $0 == name } == 1, "\(name): \(texts)") }
    }

    @Test func `a small lake is named over its middle, and a river once in a view`() async throws {
        let texts = try await Self.names(8, 45.8, 9.3, columns: 200, rows: 60).map(\.text)
        #expect(texts.contains("Lake Lugano") && texts.contains("Adda"), "\(texts)")
        for river in ["Ticino", "Oglio", "Adda"] { #expect(texts.count { $0 == river } < 2, "\(river)") }
    }

    @Test(arguments: ["IJsselmeer", "Markermeer", "Lake Geneva", "Lake Como", "Lake Varese"])
    func `the name of a lake is in the lake`(name: String) throws {
        let lake = try #require(Self.near.first { $0.place.name == name })
        let middle = Mercator.world(lake.place.coordinate)
        #expect(lake.shapes[0].contains(middle))
        #expect(NaturalFeature.lake(at: middle)?.place.name == name)
    }

    @Test func `peaks that Natural Earth lacks have heights, too`() throws {
        let eiger = try #require(Self.near.first { $0.place.name == "Eiger" })
        #expect(eiger.height == 3967)
    }

    @Test func `beyond those zooms, the table's rivers and peaks are not named`() async throws {
        #expect(try await !Self.names(6, 45.45, 11).contains { $0.text == "Adige" })
    }

    @Test func `features are not named where the map has its own labels`() throws {
        let river = try #require(Self.near.first { $0.place.name == "Rhône" })
        let world = WorldBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
        #expect(river.parts(in: world) { _ in false }.isEmpty)
        let west = river.parts(in: world) { $0.longitude < 6 }
        #expect(!west.isEmpty && west.joined().allSatisfy { Mercator.coordinate($0).longitude < 6 })
        #expect(river.parts(in: WorldBox(minX: 0, minY: 0, maxX: 0.1, maxY: 0.1)) { _ in true }.isEmpty)
    }

    @Test(
        arguments: [
            ("Balkan Mountains", 42.8, 24.7), ("Himalayas", 28.9, 83.2), ("Ural Mountains", 60.5, 59.3),
            ("Andes", -15.5, -71.5), ("Dinaric Alps", 44, 17.3), ("Hawaiian Islands", 20.6, -157.3),
            ("Alaska", 65.5, -150),
        ])
    func `a range is named where it is, not at an edge`(name: String, latitude: Double, longitude: Double) {
        let middle = Coordinate(latitude: latitude, longitude: longitude)
        let shapes = NaturalFeature.far.filter { $0.place.name == name }.flatMap(\.shapes)
        let distances = shapes.flatMap(\.points).map { Mercator.coordinate($0).metres(to: middle) }
        #expect((distances.min() ?? .infinity) < 150_000)
    }

    @Test func `every island, range and peak on the map is found by its name there`() throws {
        let places = try Gazetteer(file: TestFiles.path("Assets/places.db"))
        let kinds: Set<NamedPlace.Kind> = [.island, .landscape, .peak]
        let world = try #require(Bounds(west: -180, south: -90, east: 180, north: 90))
        // Alaska is a landscape on the map, and a state in the search.
        let known = Set(try places.places(of: kinds.union([.region]), in: world, limit: 20_000).map(\.name))
        let named = (NaturalFeature.far + Self.near).map(\.place).filter { kinds.contains($0.kind) }
        #expect(named.count > 2000)
        #expect(Set(named.map(\.name)).subtracting(known) == [])
    }

    @Test func `no peak is listed by two names`() throws {
        let places = try Gazetteer(file: TestFiles.path("Assets/places.db"))
        let world = try #require(Bounds(west: -180, south: -90, east: 180, north: 90))
        let peaks = try places.places(of: [.peak], in: world, limit: 10_000)
        for name in ["Kangchenjunga", "Krakatoa", "Galdhøpiggen", "Mount Cameroon"] {
            let peak = try #require(peaks.first { $0.name == name })
            let near = peaks.filter { $0.coordinate.metres(to: peak.coordinate) < 3000 }
            #expect(near.map(\.name) == [name])
        }
    }

    @Test func `settlements differ in sign, weight and colour by size`() {
        func label(_ kind: NamedPlace.Kind, _ people: Int) -> MapLabel {
            let place = NamedPlace(
                number: 1, name: "Place", kind: kind, countryCode: "", country: "", region: "",
                coordinate: Coordinate(latitude: 0, longitude: 0), population: people)
            return MapLabel(place, order: 0, in: .usual, zoom: 9)
        }
        let labels = [
            label(.capital, 900_000), label(.city, 200_000), label(.town, 30_000), label(.town, 6_000),
            label(.village, 900),
        ]
        #expect(labels.map { $0.sign?.unicode } == ["●", "○", "•", "·", "·"])
        #expect(labels.map(\.isBold) == [true, true, false, false, false])
        #expect(labels.map(\.ink) == [.plain, .plain, .plain, .quiet, .quiet])
    }
}
