import Glibc
@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Measures names over the embedded world. `RHUMB_VIEWS` is the number of views; 200 take some minutes.
struct NameQualityTests {
    private let world: NamedWorld
    private let cameras: [Camera]

    init() throws {
        world = try NamedWorld()
        cameras = try world.cameras(getenv("RHUMB_VIEWS").flatMap { Int(String(cString: $0)) } ?? 24, seed: 7)
    }

    @Test(arguments: [MapTheme.day, .night], [ColorDepth.truecolor, .indexed256, .indexed16])
    func `every name has a contrast of 4.5 to its background, and none overlaps another`(
        theme: MapTheme, depth: ColorDepth
    ) async throws {
        for camera in cameras {
            let frame = try await world.frame(camera, theme, depth)
            if let least = frame.leastContrast { #expect(least.ratio >= 4.5, "\(least.text) at \(camera)") }
            #expect(frame.overlaps == 0)
        }
    }

    @Test func `a view of 80 by 24 has between 8 and 25 names, or all that exist`() async throws {
        var counts: [Int] = [], poor: [String] = []
        for camera in cameras {
            let frame = try await world.frame(camera, .night, .indexed16)
            counts.append(frame.labels.count)
            #expect(frame.labels.count <= 25)
            let possible = frame.candidates.count
            if frame.labels.count < min(8, possible) {
                poor.append("\(camera): \(frame.labels.count) of \(possible)")
            }
        }
        print("names in a view:", counts.sorted(), "fewer than there could be:", poor)
        #expect(poor.count * 20 <= cameras.count)
    }

    @Test func `names are in the selected language`() async throws {
        let alps = Camera(center: Coordinate(latitude: 48.1, longitude: 13.5), zoom: 5.5)
        func names(_ language: NameLanguage) async throws -> [String] {
            try await world.frame(alps, .night, .indexed16, columns: 120, rows: 40, language: language).labels
                .map(\.text)
        }
        let (usual, english, both) = try await (names(.usual), names(.english), names(.both))
        #expect(usual.contains("München") && usual.contains("Wien") && usual.contains("Austria"))
        #expect(english.contains("Munich") && english.contains("Vienna"))
        #expect(both.contains("Wien (Vienna)"))
        let tokyo = Camera(center: Coordinate(latitude: 35.7, longitude: 139.7), zoom: 6)
        #expect(
            try await world.frame(tokyo, .night, .indexed16, language: .local).labels.contains {
                $0.text == "東京"
            })
        #expect(try await world.frame(tokyo, .night, .indexed16).labels.contains { $0.text == "Tokyo" })
    }

    @Test(arguments: [
        ("Bern", 46.9, 8.0), ("Ljubljana", 46.0, 15.0), ("Zagreb", 46.0, 15.0), ("Luxembourg", 50.0, 6.0),
    ])
    func `the name of a country leaves room for its capital`(
        capital: String, latitude: Double, longitude: Double
    ) async throws {
        for zoom in [5.0, 6.0] {
            let camera = Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom)
            let labels = try await world.frame(camera, .night, .indexed16).labels
            #expect(labels.contains { $0.text == capital && $0.sign != nil }, "\(zoom)")
            #expect(labels.contains { $0.isArea }, "\(zoom)")
            #expect(Set(labels.map(\.text)).count == labels.count, "\(labels.map(\.text))")
        }
    }

    @Test func `a ridge of the ocean has the colour of the sea`() async throws {
        let camera = Camera(center: Coordinate(latitude: -10, longitude: -35), zoom: 1)
        let labels = try await world.frame(camera, .night, .truecolor).labels
        let ridge = try #require(labels.first { $0.text == "Mid-Atlantic Ridge" })
        #expect(ridge.ink == .water)
        let amazon = Camera(center: Coordinate(latitude: -5, longitude: -60), zoom: 2)
        let basin = try await world.frame(amazon, .night, .truecolor).labels.first {
            $0.text == "Amazon Basin"
        }
        #expect(basin?.ink == .landscape)
    }

    @Test(arguments: [(80, 24), (100, 30), (120, 40), (200, 60)])
    func `the name of a ridge does not lie over a continent on the first screen`(
        columns: Int, rows: Int
    )
        async throws
    {
        let camera = Camera(center: Coordinate(latitude: 28, longitude: 12), zoom: 0)
        let labels = try await world.frame(
            camera, .night, .truecolor, columns: columns, rows: rows
        ).labels
        #expect(labels.allSatisfy { $0.text != "Mid-Atlantic Ridge" || $0.ink == .water })
    }

    @Test func `countries have their usual short names`() async throws {
        let balkans = Camera(center: Coordinate(latitude: 41.5, longitude: 24), zoom: 4.5)
        let names = try await world.frame(
            balkans, .night, .indexed16, columns: 120, rows: 40, language: .local
        ).labels.map(\.text)
        #expect(names.contains("България") && names.contains("Ελλάδα"))
        #expect(!names.contains { $0.contains("Република България") || $0.contains("Δημοκρατία") })
    }

    @Test func `districts of a city are named where the city is large on the map`() async throws {
        func texts(_ zoom: Double) async throws -> [String] {
            let york = Camera(center: Coordinate(latitude: 40.7, longitude: -73.95), zoom: zoom)
            return try await world.frame(york, .night, .indexed16).labels.map(\.text)
        }
        let far = try await texts(6), near = try await texts(9.2)
        #expect(far.contains("New York") && !far.contains("Brooklyn") && !far.contains("Queens"))
        #expect(near.contains("Brooklyn"))
        let bay = Camera(center: Coordinate(latitude: 22.3, longitude: 114.17), zoom: 9)
        #expect(try await world.frame(bay, .night, .indexed16).labels.contains { $0.text == "Kowloon" })
    }
}
