import Rhumb
import RhumbBrowser
@testable import RhumbMain
import RhumbStore
import RhumbTestSupport
import Testing

/// A tile with a street, two streets that cross it, a river to the south, a station and a museum.
private struct DescribedTown {
    static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world
    let folder = TemporaryFolder()
    let session: MapSession

    init(hasMap: Bool = true) async throws {
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)"))
        options.isOffline = true
        options.cache = folder.path + "/tiles.db"
        options.places = EmbeddedPlaces.open
        session = await MapSession.open(options)
        guard hasMap else { return }
        typealias Feature = VectorTileFixture.Feature
        func road(_ name: String, _ points: [(Int, Int)]) -> Feature {
            Feature(.line, through: points, [("name", .string(name)), ("kind", .string("minor_road"))])
        }
        let tile = VectorTileFixture([
            (
                "roads",
                [
                    road("Via Lunga", [(500, 2000), (1500, 2000), (2500, 2000), (3500, 2000)]),
                    road("Via Ovest", [(1500, 1000), (1500, 2000), (1500, 2800)]),
                    road("Via Est", [(2500, 1000), (2500, 2000), (2500, 2800)]),
                ]
            ),
            (
                "physical_line",
                [
                    Feature(
                        .line, through: [(0, 3000), (4096, 3000)],
                        [("name", .string("Arno")), ("waterway", .string("river"))])
                ]
            ),
            (
                "pois",
                [
                    Feature(
                        .point, through: [(2000, 1000)],
                        [("name", .string("Stazione\u{1B}[31m Nord")), ("railway", .string("station"))]),
                    Feature(
                        .point, through: [(3000, 2000)],
                        [("name", .string("Museo Civico")), ("tourism", .string("museum"))]),
                ]
            ),
        ])
        var fixture = PMTilesFixture([(Self.tile, tile.bytes)])
        fixture.patches = [(98, 1), (99, 1)]
        let path = folder.write(fixture.bytes, to: "town.pmtiles")
        session.offlineSearch.add(try Archive.open(path), path: path)
    }

    static func place(_ x: Double, _ y: Double) -> Coordinate {
        let side = Double(1 << tile.zoom)
        return Mercator.coordinate(
            WorldPoint(x: (Double(tile.x) + x / 4096) / side, y: (Double(tile.y) + y / 4096) / side))
    }

    func describe(_ place: Coordinate) async throws -> PlaceDescription {
        try await PlaceDescriber(session: session, terrain: HeightSource(nil, session)).describe(place)
    }
}

struct DescriptionTests {
    @Test func `a description names the street, those that cross it, the side of the river and the station`()
        async throws
    {
        let town = try await DescribedTown()
        let lines = DescriptionText(try await town.describe(DescribedTown.place(2000, 2000))).lines()
        #expect(lines.first?.hasPrefix("Via Lunga, ") == true)
        #expect(lines.contains("The river Arno is 430 m south; this is its north side."))
        #expect(lines.contains("Crossing streets: Via Est 220 m east; Via Ovest 220 m west."))
        #expect(
            lines.contains { $0.hasPrefix("Railway station: Stazione") && $0.hasSuffix(" Nord 430 m north.") }
        )
        #expect(lines.contains("Sights: Museo Civico 430 m east."))
        #expect(lines.last == "The height is unknown: none is stored here.")
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 })
        town.session.close()
    }

    @Test func `with a heading, directions are clock hours, and what is ahead comes early`() async throws {
        let town = try await DescribedTown()
        let found = try await town.describe(DescribedTown.place(2000, 2000))
        let lines = DescriptionText(found, units: .imperial, heading: 90).lines()
        #expect(lines.contains { $0.hasPrefix("Ahead: Via Est 710 ft; Museo Civico 0.3 mi; ") })
        #expect(
            lines.contains("Crossing streets: Via Est 710 ft at 12 o'clock; Via Ovest 710 ft at 6 o'clock."))
        town.session.close()
    }

    @Test func `what is not stored is said to be unknown`() async throws {
        let town = try await DescribedTown(hasMap: false)
        let found = try await town.describe(Coordinate(latitude: 23.5, longitude: 9.5))
        let lines = DescriptionText(found).lines(limit: 3)
        #expect(!found.hasMap && lines.count == 3)
        #expect(lines[0].hasSuffix("Algeria.") && lines[1].hasPrefix("No map is stored here"))
        town.session.close()
    }

    @Test(arguments: [
        (90.0, 0.0, "At the North Pole, where every direction is south."),
        (30.0, -40.0, "At sea, in the Atlantic Ocean."), (42.78, 10.27, "On the island Elba."),
        (43.7384, 7.4246, "Monaco"), (24.0, 9.0, "Sahara"),
    ])
    func `the whole earth is described`(latitude: Double, longitude: Double, text: String) async throws {
        let town = try await DescribedTown(hasMap: false)
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let lines = DescriptionText(try await town.describe(place)).lines()
        #expect(lines.contains { $0.contains(text) }, "\(lines)")
        town.session.close()
    }

    @Test func `spoken text has no boxes, arrows, braille and control characters`() {
        let text =
            "\u{2500}\u{2502} Roma \u{25C2} 6 \u{2013} 15 \u{25B8}\u{1B}[31m\u{28FF} \u{2248} 3 MB\u{7}"
        #expect(text.spoken == "Roma 6 \u{2013} 15 [31m about 3 MB")
    }
}
