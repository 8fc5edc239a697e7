import Rhumb
import RhumbBrowser
@testable import RhumbMain
import RhumbTestSupport
import Testing

/// The contents of descriptions.
struct DescriptionContentTests {
    @Test(arguments: [("41.88,-87.63", "Lincoln Square"), ("43.7311,7.4197", "La Condamine")])
    func `the next towns of a city are none of its districts`(words: String, district: String) async throws {
        let town = try await DescribedTown(hasMap: false), place = try ParsedLocation(words).coordinate
        let lines = DescriptionText(try await town.describe(place)).lines()
        let next = try #require(lines.first { $0.hasPrefix("Next town") })
        #expect(!next.contains(district))
    }

    @Test func `lists become shorter before lines have no room`() {
        var found = PlaceDescription(Coordinate(latitude: 43.77, longitude: 11.25), radius: 2000)
        let near = Coordinate(latitude: 43.771, longitude: 11.25)
        for (topic, count) in [(PlaceDescription.Topic.crossing, 7), (.near, 4), (.shop, 3), (.service, 8)] {
            for number in 1...count {
                let name = String(repeating: "Lunga ", count: 12) + "\(topic) \(number)"
                found.items.append(.init(topic, name, kind: "bank", at: near, from: found.place))
            }
        }
        let text = DescriptionText(found).lines().joined(separator: "\n")
        #expect(text.utf8.count < 2000 && text.contains("service 8") && text.contains("crossing 4"))
        #expect(text.contains("shop 1") && !text.contains("shop 2"))
    }

    @Test func `a place of worship, a park, a harbour, a railway line and the area around are named`()
        async throws
    {
        func point(_ name: String, _ kind: String, _ x: Int, _ y: Int) -> VectorTileFixture.Feature {
            .init(.point, through: [(x, y)], [("name", .string(name)), ("amenity", .string(kind))])
        }
        func area(_ name: String, _ kind: String, _ low: Int, _ high: Int) -> VectorTileFixture.Feature {
            .init(
                .polygon, through: [(low, low), (high, low), (high, high), (low, high)],
                [("name", .string(name)), ("leisure", .string(kind))])
        }
        let town = try await DescribedTown(and: [
            (
                "pois",
                [
                    point("San Marco", "place_of_worship", 2000, 1500),
                    point("Porto Nord", "marina", 2000, 1200),
                ]
            ),
            ("landuse", [area("Giardino", "garden", 1900, 2100), area("Parco Basso", "park", 2400, 2700)]),
            (
                "transit",
                [.init(.line, through: [(0, 2200), (4096, 2200)], [("railway", .string("rail"))])]
            ),
        ])
        let lines = DescriptionText(try await town.describe(DescribedTown.place(2000, 2000))).lines()
        #expect(lines.first?.hasPrefix("In Giardino, at Via Lunga, ") == true)
        #expect(lines.contains("Place of worship: San Marco 220 metres north."))
        #expect(lines.contains("Harbour: Porto Nord 340 metres north."))
        #expect(lines.contains { $0.hasPrefix("Park: Parco Basso ") && $0.hasSuffix(" south-east.") })
        #expect(lines.contains("A railway line is 85 metres south."))
        town.session.close()
    }

    @Test func `a hospital and a museum that are areas are named like points of interest`() async throws {
        func area(_ name: String, _ kind: String, _ low: Int, _ high: Int) -> VectorTileFixture.Feature {
            .init(
                .polygon, through: [(low, low), (high, low), (high, high), (low, high)],
                [("name", .string(name)), ("amenity", .string(kind))])
        }
        let town = try await DescribedTown(and: [
            ("landuse", [area("Santa Maria Nuova", "hospital", 1900, 2100)]),
            ("buildings", [area("Galleria Alta", "museum", 1950, 2050)]),
        ])
        let lines = DescriptionText(try await town.describe(DescribedTown.place(2000, 2600))).lines()
        #expect(lines.contains { $0.contains("hospital Santa Maria Nuova ") && $0.hasPrefix("Service: ") })
        #expect(lines.contains { $0.contains("Galleria Alta ") && $0.hasPrefix("Sights: ") })
        town.session.close()
    }

    @Test func `a quarter with and without an article is listed once`() {
        var found = PlaceDescription(Coordinate(latitude: 43.737, longitude: 7.417), radius: 2000)
        found.items = [
            .init(.quarter, "Les Moneghetti"), .init(.quarter, "Moneghetti"), .init(.town, "Moneghetti"),
            .init(.town, "Beausoleil"),
        ]
        found.removeRepetitions()
        #expect(found.items.map(\.name) == ["Les Moneghetti", "Beausoleil"])
    }

    @Test(arguments: [(0.0, 180.0, false), (56.2, 3.2, true)])
    func `a coast is described within 200 nautical miles`(
        latitude: Double, longitude: Double, isDescribed: Bool
    ) async throws {
        let town = try await DescribedTown(hasMap: false)
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let lines = DescriptionText(try await town.describe(place)).lines()
        #expect(lines.contains { $0.hasPrefix("The coast of ") } == isDescribed, "\(lines)")
        town.session.close()
    }

    @Test func `at sea, the nearest town is the first of the next ones`() {
        var found = PlaceDescription(Coordinate(latitude: -17.8, longitude: 179.99), radius: 2000)
        let near = Coordinate(latitude: -17.7, longitude: 178.83)
        let far = Coordinate(latitude: -16.8, longitude: 179.3)
        found.items = [
            .init(.sea, ""), .init(.settlement, "Levuka", at: near, from: found.place),
            .init(.town, "Savusavu", at: far, from: found.place),
        ]
        #expect(DescriptionText(found).lines().contains { $0.hasPrefix("Next towns: Levuka ") })
    }

    private static func water(_ kind: String, _ corners: [(Int, Int)]) -> VectorTileFixture.Feature {
        .init(.polygon, through: corners, [("water", .string(kind))])
    }

    private static func river(_ name: String, _ points: [(Int, Int)]) -> VectorTileFixture.Feature {
        .init(.line, through: points, [("name", .string(name)), ("waterway", .string("river"))])
    }

    @Test func `the bank of a river is that of the water on which its course is`() async throws {
        // The Arno's water, and a nearer one without a name.
        let town = try await DescribedTown(and: [
            (
                "water",
                [
                    Self.water("river", [(0, 2900), (4096, 2900), (4096, 3100), (0, 3100)]),
                    Self.water("river", [(2000, 2300), (2040, 2300), (2040, 2340), (2000, 2340)]),
                ]
            )
        ])
        for (row, words) in [(2000.0, "390 metres south"), (3300, "85 metres north")] {
            let lines = DescriptionText(try await town.describe(DescribedTown.place(2000, row))).lines()
            #expect(lines.contains { $0.hasPrefix("The river Arno is \(words);") }, "\(lines)")
        }
        let inside = DescriptionText(try await town.describe(DescribedTown.place(2000, 3000))).lines()
        #expect(inside.contains("On the river Arno."), "\(inside)")
        town.session.close()
    }

    @Test func `a river with two forms of its name is named once`() async throws {
        let town = try await DescribedTown(and: [
            (
                "waterway",
                [
                    Self.river("Fiume Greve", [(1000, 2600), (3000, 2600)]),
                    Self.river("Greve", [(0, 2700), (1000, 2600)]),
                ]
            )
        ])
        let lines = DescriptionText(try await town.describe(DescribedTown.place(2000, 2000))).lines()
        #expect(lines.count { $0.contains("Greve") } == 1, "\(lines)")
        town.session.close()
    }

    @Test func `a basin at the border of a tile is no lake`() async throws {
        let town = try await DescribedTown(and: [
            (
                "water",
                [
                    Self.water("lake", [(4080, 2000), (4110, 2000), (4110, 2030), (4080, 2030)]),
                    Self.water(
                        "lake", [(4050, 2040), (4101, 2040), (4102, 2042), (4102, 2046), (4050, 2046)]),
                ]
            )
        ])
        let lines = DescriptionText(try await town.describe(DescribedTown.place(3900, 2000))).lines()
        #expect(!lines.contains { $0.contains("lake") }, "\(lines)")
        town.session.close()
    }

    @Test func `just outside a stored area, the map beside the place is described`() async throws {
        let town = try await DescribedTown()
        let lines = DescriptionText(try await town.describe(DescribedTown.place(4110, 2000))).lines()
        #expect(lines.contains("Sight: Museo Civico 480 metres west."), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("A map is stored only beside this place") })
        town.session.close()
    }

    @Test func `within a small radius, nothing farther away is named`() async throws {
        let town = try await DescribedTown()
        let describer = PlaceDescriber(session: town.session, terrain: HeightSource(nil, town.session))
        let found = try await describer.describe(DescribedTown.place(2000, 2000), radius: 100)
        #expect(found.first(.street)?.name == "Via Lunga" && found.all(.crossing).isEmpty)
        #expect(found.first(.station) == nil && found.first(.water) == nil)
        town.session.close()
    }
}
