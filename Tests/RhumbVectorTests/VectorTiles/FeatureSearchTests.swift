import RhumbCore
import RhumbTestSupport
import Testing

struct FeatureSearchTests {
    private static func layers(
        _ features: [VectorTileFixture.Feature], named name: String = "l"
    ) throws -> [VectorLayer] {
        let tile = try VectorTile(VectorTileFixture([(name, features)]).bytes)
        return try tile.layerNames.compactMap { name throws in try tile.layer(named: name) }
    }

    /// Returns the names of the features at a place in the tile's units.
    private static func found(
        _ features: [VectorTileFixture.Feature], _ x: Double, _ y: Double, reach: Double = 20
    ) throws -> [String] {
        let search = FeatureSearch(at: SIMD2(x, y) / 4096, reach: reach / 4096)
        return try search.features(in: layers(features)).map { $0.attributes.first?.value ?? "" }
    }

    private static func thing(
        _ kind: VectorFeature.Kind, _ name: String, _ points: [(Int, Int)]
    ) -> VectorTileFixture.Feature {
        .init(kind, through: points, [("name", .string(name))])
    }

    private static let square = thing(.polygon, "Park", [(100, 100), (500, 100), (500, 500), (100, 500)])

    @Test(arguments: [
        (300.0, 300.0, true), (101, 101, true), (99, 300, false), (501, 300, false), (300, 50, false),
        (300, 501, false),
    ])
    func `an area is found from within`(x: Double, y: Double, isFound: Bool) throws {
        #expect(try Self.found([Self.square], x, y) == (isFound ? ["Park"] : []))
    }

    @Test func `a hole doesn't belong to its area`() throws {
        // A clockwise outer ring, then a counterclockwise hole.
        let ring: [UInt32] = [9, 0, 0, 26, 800, 0, 0, 800, 799, 0, 15]
        let hole: [UInt32] = [9, 200, 599, 26, 0, 400, 400, 0, 0, 399, 15]
        let lake = VectorTileFixture.Feature(.polygon, ring + hole, [("name", .string("Lake"))])
        #expect(try Self.found([lake], 20, 20) == ["Lake"])
        #expect(try Self.found([lake], 200, 200).isEmpty)
    }

    @Test(arguments: [
        (200.0, 210.0, true), (200, 221, false), (50, 200, false), (415, 200, true), (421, 200, false),
    ])
    func `a line is found within reach, even beyond its ends`(x: Double, y: Double, isFound: Bool) throws {
        let street = Self.thing(.line, "Street", [(100, 200), (400, 200)])
        #expect(try Self.found([street], x, y) == (isFound ? ["Street"] : []))
    }

    @Test(arguments: [(212.0, 216.0, true), (215, 216, false)])
    func `a point is found within reach`(x: Double, y: Double, isFound: Bool) throws {
        #expect(try Self.found([Self.thing(.point, "Tree", [(200, 200)])], x, y) == (isFound ? ["Tree"] : []))
    }

    @Test func `points come before lines before areas, small ones before large ones`() throws {
        let features = [
            Self.thing(.polygon, "Town", [(0, 0), (4000, 0), (4000, 4000), (0, 4000)]), Self.square,
            Self.thing(.line, "Street", [(100, 300), (400, 300)]), Self.thing(.point, "Far", [(310, 310)]),
            Self.thing(.point, "Near", [(301, 301)]),
        ]
        #expect(try Self.found(features, 300, 300) == ["Near", "Far", "Street", "Park", "Town"])
    }

    @Test func `a few features are listed, each once and none without attributes`() throws {
        let many = (0..<30).map { Self.thing(.point, "Tree \($0 % 12)", [(200, 200)]) }
        let bare = VectorTileFixture.Feature(.point, through: [(200, 200)])
        let names = try Self.found([bare] + many, 200, 200)
        #expect(names.count == 8 && Set(names).count == 8)
    }

    @Test func `few attributes are listed, the name first, without control sequences and translations`()
        throws
    {
        let feature = VectorTileFixture.Feature(
            .point, through: [(1, 1)],
            [
                ("zz", .number(3)), ("a", .number(1.5)), ("name:en", .string("Florence")),
                ("class", .string("city")),
                ("b", .bool(true)), ("c", .string("\u{1B}[2Jx")), ("d", .string("y")),
                ("name", .string("Firenze")),
            ])
        let told = try FeatureSearch(at: [0, 0], reach: 1).features(
            in: Self.layers([feature], named: "pla\u{7}ces"))
        #expect(told.first?.layer == "places")
        let texts = told.first?.attributes.map { "\($0.name)=\($0.value)" }
        #expect(texts == ["name=Firenze", "class=city", "a=1.5", "b=yes", "c=[2Jx", "d=y"])
    }
}
