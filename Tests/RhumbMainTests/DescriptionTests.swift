import Rhumb
import RhumbBrowser
@testable import RhumbMain
import RhumbStore
import RhumbTestSupport
import Testing

/// A tile with a street, two streets that cross it, a river to the south, a station and a museum.
struct DescribedTown {
    static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world
    let folder = TemporaryFolder()
    let session: MapSession

    init(
        hasMap: Bool = true, and others: [(String, [VectorTileFixture.Feature])] = []
    ) async throws {
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
        let bytes = VectorTileFixture(tile.layers + others.map { (name: $0.0, features: $0.1) }).bytes
        var fixture = PMTilesFixture([(Self.tile, bytes)])
        fixture.patches = [(98, 1), (99, 1)]
        let path = folder.write(fixture.bytes, to: "town.pmtiles")
        session.offlineSearch.add(try Archive.open(path), path: path)
    }

    static func place(_ x: Double, _ y: Double) -> Coordinate {
        let side = Double(1 << tile.zoom)
        return Mercator.coordinate(
            WorldPoint(x: (Double(tile.x) + x / 4096) / side, y: (Double(tile.y) + y / 4096) / side))
    }

    func describe(_ place: Coordinate, terrain: String? = nil) async throws -> PlaceDescription {
        try await PlaceDescriber(session: session, terrain: HeightSource(terrain, session)).describe(place)
    }
}

struct DescriptionTests {
    @Test(arguments: [
        ("40.6460,-73.7863", "Airport: John F Kennedy International here."),
        ("45.6274,8.7130", "Airport: Malpensa here."), ("48.7313,2.3674", "Airport: Paris Orly here."),
        ("44,-87", "On Lake Michigan, 44.2 kilometres west of Ludington, Michigan, United States."),
        ("31.5,35.48", "On the Dead Sea, "), ("-0.5,33.5", "Jinja, Mayuge, Uganda."),
        ("27.9881,86.9250", "12.1 kilometres east of Lobuche (Nepal), Xizang, China."),
        ("42.3170,-83.0350", "In Windsor, Ontario, Canada."), ("49.96667,6.2", "Rheinland-Pfalz, Germany."),
        ("47.2,27.78333", "Romania."), ("42.11337,-8.26016", "Arbo (Spain), Viana do Castelo, Portugal."),
        ("42.47532,129.73585", "China."), ("43.8064,11.2935", "Fiesole, Tuscany, Italy."),
        ("43.7684,11.2559", "Florence (Firenze), Tuscany, Italy."), ("44.9521,34.1024", "Crimea, Ukraine."),
        ("50.8503,4.3517", "The border with the Netherlands is about "),
        ("43.7350,7.4220", "The sea is about 260 metres south-east."),
        ("35.95,-5.6", "At sea, in the Strait of Gibraltar."),
        ("85,0", "At sea, in the Arctic Ocean."), ("89.99,45", " north of Longyearbyen"),
    ])
    func `without a map, the airport, the waters and the country are those of the outlines and lists`(
        words: String, sentence: String
    ) async throws {
        let town = try await DescribedTown(hasMap: false), place = try ParsedLocation(words).coordinate
        let text = DescriptionText(try await town.describe(place)).lines().joined(separator: "\n")
        #expect(text.contains(sentence), "\(text)")
    }

    @Test(arguments: [
        "37.8199,-122.4783", "25.7617,-80.1918", "78.2232,15.6267", "35.3381,33.3190", "44.9521,34.1024",
        "22.2819,114.1589",
    ])
    func `no place is near the border of its own country`(words: String) async throws {
        let town = try await DescribedTown(hasMap: false), place = try ParsedLocation(words).coordinate
        let lines = DescriptionText(try await town.describe(place)).lines()
        #expect(!lines.contains { $0.hasPrefix("Near the border") }, "\(lines)")
    }

    @Test func `a line that is too long does not hide those after it`() {
        var found = PlaceDescription(Coordinate(latitude: 43.77, longitude: 11.25), radius: 2000)
        found.items = [
            .init(.settlement, "Florence"), .init(.crossing, String(repeating: "Via Lunga ", count: 300)),
            .init(
                .service, "", kind: "bank", at: Coordinate(latitude: 43.771, longitude: 11.25),
                from: found.place),
        ]
        let lines = DescriptionText(found).lines()
        #expect(!lines.contains { $0.contains("Via Lunga") } && lines.contains { $0.contains("bank") })
    }

    @Test func `a description names the street, those that cross it, the side of the river and the station`()
        async throws
    {
        let town = try await DescribedTown()
        let lines = DescriptionText(try await town.describe(DescribedTown.place(2000, 2000))).lines()
        #expect(lines.first?.hasPrefix("Via Lunga, ") == true)
        #expect(lines.contains("The river Arno is 430 metres south; this is its north side."))
        #expect(lines.contains("Crossing streets: Via Est 220 metres east; Via Ovest 220 metres west."))
        #expect(
            lines.contains {
                $0.hasPrefix("Railway station: Stazione") && $0.hasSuffix(" Nord 430 metres north.")
            }
        )
        #expect(lines.contains("Sight: Museo Civico 430 metres east."))
        #expect(lines.last == "The height is unknown: none is stored here.")
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 })
        town.session.close()
    }

    @Test func `with a heading, directions are clock hours, and what is ahead comes early`() async throws {
        let town = try await DescribedTown()
        let found = try await town.describe(DescribedTown.place(2000, 2000))
        let lines = DescriptionText(found, units: .imperial, heading: 90).lines()
        #expect(lines.contains { $0.hasPrefix("Ahead: Via Est 710 feet; Museo Civico 0.3 miles; ") })
        #expect(
            lines.contains(
                "Crossing streets: Via Est 710 feet at 12 o'clock; Via Ovest 710 feet at 6 o'clock."))
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
        (30.0, -40.0, "At sea, in the North Atlantic Ocean."), (42.78, 10.27, "On the island Elba, "),
        (-16.85, -179.97, "On the island Taveuni, "), (71.2, -179.95, "On Wrangel Island, "),
        (46.3, -63.3, "On Prince Edward Island, "),
        (43.7384, 7.4246, "Monaco"), (24.0, 9.0, "Sahara"),
    ])
    func `the whole earth is described`(latitude: Double, longitude: Double, text: String) async throws {
        let town = try await DescribedTown(hasMap: false)
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let lines = DescriptionText(try await town.describe(place)).lines()
        #expect(lines.contains { $0.contains(text) }, "\(lines)")
        town.session.close()
    }

    @Test func `the border of the tiles decides the country, not the simplified outlines`() async throws {
        // The gazetteer's nearest town is Monaco, but a border of the tile is in between.
        typealias Feature = VectorTileFixture.Feature
        let place = Coordinate(latitude: 43.7385, longitude: 7.4180)
        let tile = TileID(zoom: 14, containing: Mercator.world(place))
        func unit(_ place: Coordinate) -> (Int, Int) {
            let world = Mercator.world(place), side = Double(1 << tile.zoom)
            return (
                Int((world.x * side - Double(tile.x)) * 4096), Int((world.y * side - Double(tile.y)) * 4096)
            )
        }
        let ring = [(43.7375, 7.40), (43.7375, 7.43)].map {
            unit(Coordinate(latitude: $0.0, longitude: $0.1))
        }
        let border = Feature(.line, through: ring, [("admin_level", .integer(2))])
        let town = try await DescribedTown(hasMap: false)
        var fixture = PMTilesFixture([(tile, VectorTileFixture([("boundary", [border])]).bytes)])
        fixture.patches = [(98, 1), (99, 1)]
        let path = town.folder.write(fixture.bytes, to: "border.pmtiles")
        let before = DescriptionText(try await town.describe(place)).lines()
        #expect(before.first?.hasSuffix("Monaco.") == true && before.contains("Near the border with France."))
        town.session.offlineSearch.add(try Archive.open(path), path: path)
        let lines = DescriptionText(try await town.describe(place)).lines()
        #expect(lines.first?.hasSuffix("France.") == true, "\(lines)")
        #expect(lines.contains("The border with Monaco is 110 metres south."), "\(lines)")
        town.session.close()
    }

    @Test func `a point in the tiles' sea is in the sea off the town, with the way to the shore`()
        async throws
    {
        typealias Feature = VectorTileFixture.Feature
        let sea = Feature(
            .polygon, through: [(0, 3200), (4096, 3200), (4096, 4096), (0, 4096)],
            [("kind", .string("ocean"))])
        let town = try await DescribedTown(and: [("water", [sea])])
        let lines = DescriptionText(try await town.describe(DescribedTown.place(2000, 3400))).lines()
        #expect(lines.first?.hasPrefix("In the sea, ") == true, "\(lines)")
        #expect(lines.contains("The shore is 85 metres north."), "\(lines)")
        town.session.close()
    }

    @Test func `overlays say what they have at the place, and where they are if that is nothing`()
        async throws
    {
        let town = try await DescribedTown()
        let place = DescribedTown.place(2000, 2000), world = Mercator.world(place), metre = 1 / 29_000_000.0
        func path(_ points: [(Double, Double)]) -> OverlayPath {
            OverlayPath(points.map { SIMD2(world.x + $0.0 * metre, world.y - $0.1 * metre) })
        }
        let features = [
            OverlayFeature(
                .point(WorldPoint(x: world.x, y: world.y - 200 * metre)), name: "Hut\u{1B}[31m"),
            OverlayFeature(.line([path([(-500, 0), (500, 0)])]), name: "Ridge walk", isTrack: true),
            OverlayFeature(
                .area([[path([(-50, -50), (50, -50), (50, 50), (-50, 50)])]]), name: "Reserve"),
            OverlayFeature(
                .area([
                    [
                        path([(-90, -90), (90, -90), (90, 90), (-90, 90)]),
                        path([(-60, -60), (60, -60), (60, 60), (-60, 60)]),
                    ]
                ]), name: "Ring"),
        ]
        var found = try await town.describe(place)
        found.add(OverlayIndex(features), named: "walk.gpx")
        let line = DescriptionText(found).lines().first { $0.hasPrefix("In walk.gpx: ") } ?? ""
        #expect(line.contains("track Ridge walk here") && line.contains("area Reserve here"), "\(line)")
        #expect(line.contains("area Ring 60 metres") && line.contains("Hut"), "\(line)")
        #expect(line.hasSuffix(" 200 metres north.") && !line.unicodeScalars.contains { $0.value < 32 })
        found = try await town.describe(Coordinate(latitude: 60, longitude: 20))
        found.add(OverlayIndex(features), named: "walk.gpx")
        found.add(.empty, named: "empty.gpx")
        let lines = DescriptionText(found).lines()
        #expect(lines.contains { $0.hasPrefix("In walk.gpx: nothing nearby; its middle is 1,") }, "\(lines)")
        #expect(lines.contains("In empty.gpx: no features.") && found.problems.isEmpty, "\(lines)")
        town.session.close()
    }

    @Test func `peaks get their height from the tiles or else from stored heights`() async throws {
        typealias Feature = VectorTileFixture.Feature
        let peaks = [
            Feature(
                .point, through: [(2000, 1200)],
                [("name", .string("Monte A")), ("natural", .string("peak")), ("ele", .string("714"))]),
            Feature(
                .point, through: [(3000, 2000)],
                [("name", .string("Monte B")), ("natural", .string("peak"))]),
        ]
        let town = try await DescribedTown(and: [("mountain_peak", peaks)])
        let metadata = [(name: "name", value: "Hills"), ("format", "png"), ("encoding", "mapbox")]
        let hills = try MBTilesFixture(
            [(.world, blankPicture(RGB(0x018A88), side: 256))], metadata: metadata
        ).write(in: town.folder, name: "hills.mbtiles")
        let found = try await town.describe(DescribedTown.place(2000, 2000), terrain: hills)
        let line = DescriptionText(found).lines().first { $0.hasPrefix("Peaks: ") }
        #expect(line == "Peaks: Monte A (714 metres) 340 metres north; Monte B (100 metres) 430 metres east.")
        #expect(DescriptionText(found).lines().contains("Height: 100 metres."))
        town.session.close()
    }

    @Test func `a source of heights that can't be opened is named`() async throws {
        let town = try await DescribedTown()
        let found = try await town.describe(DescribedTown.place(2000, 2000), terrain: "/nowhere.mbtiles")
        #expect(found.problems.count == 1 && found.problems[0].hasPrefix("The height is unknown: "))
        #expect(DescriptionText(found).lines().count { $0.hasPrefix("The height is unknown") } == 1)
        town.session.close()
    }

    @Test func `a map of pictures is named as one that can't be described`() async throws {
        let town = try await DescribedTown(hasMap: false)
        var found = try await town.describe(Coordinate(latitude: 23.5, longitude: 9.5))
        found.pictures = ["ortho.mbtiles"]
        let words = "Of ortho.mbtiles, only pictures are stored here, which can't be described, so streets, "
        #expect(DescriptionText(found).lines().contains { $0.hasPrefix(words) })
        town.session.close()
    }

    @Test
    func `a museum names the place before the shop in its house, and a building before the museum near it`()
        async throws
    {
        typealias Feature = VectorTileFixture.Feature
        func poi(_ x: Int, _ name: String, _ key: String, _ kind: String) -> Feature {
            Feature(.point, through: [(x, 2000)], [("name", .string(name)), (key, .string(kind))])
        }
        let palace = Feature(
            .polygon, through: [(2300, 1980), (2400, 1980), (2400, 2020), (2300, 2020)],
            [("name", .string("Palazzo Nero")), ("building", .string("yes"))])
        let town = try await DescribedTown(and: [
            (
                "pois",
                [
                    poi(900, "Brand", "shop", "gift"), poi(950, "Museo Rosso", "tourism", "museum"),
                    poi(1900, "Oro", "shop", "jewelry"), poi(2350, "Cripta", "historic", "yes"),
                ]
            ), ("buildings", [palace]),
        ])
        for (x, words) in [
            (900, "Via Lunga, by Museo Rosso, "), (950, "Museo Rosso, at Via Lunga, "),
            (1900, "Via Lunga, by Oro (jewellery shop), "), (2350, "In Palazzo Nero, at Via Lunga, "),
        ] {
            let lines = DescriptionText(try await town.describe(DescribedTown.place(Double(x), 2000))).lines()
            #expect(lines.first?.hasPrefix(words) == true, "\(lines)")
        }
        let lines = DescriptionText(try await town.describe(DescribedTown.place(900, 2000))).lines()
        #expect(lines.contains { $0.hasPrefix("Shops: Brand (gift shop) here; Oro (jewellery shop)") })
        town.session.close()
    }

    @Test(arguments: [
        ("Fiume Arno", "river", "the river Arno"), ("Torrente Mugnone", "stream", "the stream Mugnone"),
        ("Rio Grande", "river", "the Rio Grande"), ("River Thames", "river", "the River Thames"),
        ("Mississippi River", "river", "the Mississippi River"), ("Arno", "river", "the river Arno"),
        ("Canale del Fosso Macinante", "canal", "the Canale del Fosso Macinante"),
        ("Lago di Como", "lake", "Lake Como"), ("Lac d’Annecy", "lake", "Lake Annecy"),
        ("Lago Maggiore", "lake", "Lake Maggiore"), ("Lake Geneva", "lake", "Lake Geneva"),
        ("Bodensee", "lake", "the lake Bodensee"), ("Fiume", "river", "the Fiume"),
        ("", "river", "the river"),
    ])
    func `waters have the English word for their kind once`(name: String, kind: String, words: String) {
        #expect(PlaceDescription.Item(.water, name, kind: kind).waterPhrase == words)
    }

    @Test func `stations and airports have no word for their kind, unless they need it`() {
        let names = [
            ("Bahnhof Zoo", "Zoo"), ("Gare de Lyon", "Gare de Lyon"), ("Zürich Bahnhof", "Zürich"),
            ("Stazione", "Stazione"), ("Union Station", "Union Station"),
        ]
        for (name, words) in names {
            #expect(PlaceDescription.Item(.station, name, kind: "station").nameInList == words)
        }
        #expect(PlaceDescription.Item(.airport, "Flughafen Zürich", kind: "airport").nameInList == "Zürich")
        #expect(
            PlaceDescription.Item(.thing, "Galleria Rossa", kind: "museum").nameWithKind == "Galleria Rossa")
        #expect(PlaceDescription.Item(.thing, "Rossa", kind: "museum").nameWithKind == "Rossa (museum)")
    }

    @Test
    func `a town beside a city is no part of it, and an island across the antimeridian is not in Europe`()
        async throws
    {
        let town = try await DescribedTown(hasMap: false)
        func text(_ latitude: Double, _ longitude: Double) async throws -> String {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            return DescriptionText(try await town.describe(place)).lines().joined(separator: " ")
        }
        let london = try await text(51.5007, -0.1246), schiphol = try await text(52.3105, 4.7683)
        #expect(london.contains("London") && !london.contains("Aleutian"), "\(london)")
        #expect(!schiphol.contains("Alaska"), "\(schiphol)")
        let summit = try await text(27.9881, 86.9250)
        #expect(!summit.contains("India") && !summit.contains("Coastal Plain"), "\(summit)")
        #expect(!summit.contains("Eastern Region, China"), "\(summit)")
        town.session.close()
    }

    @Test func `spoken text has no boxes, arrows, braille and control characters`() {
        let text =
            "\u{2500}\u{2502} Roma \u{25C2} 6 \u{2013} 15 \u{25B8}\u{1B}[31m\u{28FF} \u{2248} 3 MB\u{7}"
        #expect(text.spoken == "Roma 6 \u{2013} 15 [31m about 3 MB")
    }
}
