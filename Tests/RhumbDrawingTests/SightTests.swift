import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the names of sights and buildings in Rhumb's own style.
struct SightTests {
    private static var style: Style {
        get throws { try Style(try #require(TestFiles.bytes("Assets/styles/night.json"))) }
    }

    @Test(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"))
    func `the sights of Florence are named from zoom 14, before less known features`() throws {
        let archive = try PMTilesArchive(try #require(TestData.folder) + "/firenze-vector.pmtiles")
        let data = TileID(
            zoom: 14, containing: Mercator.world(Coordinate(latitude: 43.7731, longitude: 11.256)))
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(data) else {
            Issue.record("no tile")
            return
        }
        let drawing = VectorDrawing(
            archive.info, painters: [.protomaps: VectorPainter(try Self.style, source: "protomaps")])
        let tile = try drawing.tile(data, from: bytes)
        let sights = [
            "Cattedrale di Santa Maria del Fiore", "Battistero di San Giovanni", "Campanile di Giotto",
        ]
        for zoom in [14, 16] {
            let labels = tile.labels(at: zoom, in: .local)
            func rank(_ text: String) -> VectorLabel.Rank? { labels.first { $0.text == text }?.rank }
            for sight in sights {
                let own = try #require(rank(sight), "\(sight) at \(zoom)")
                for other in ["Florence Design Academy", "La Rinascente"] {
                    #expect(rank(other).map { own < $0 } != false)
                }
            }
        }
    }

    /// Returns the names of a tile, most important first.
    private static func names(
        _ schema: TileSchema, _ fixture: VectorTileFixture, zoom: Double
    ) throws -> [String] {
        let tile = try VectorTile(fixture.bytes)
        return VectorTileLabels(tile, style: try style, source: schema.rawValue, zoom: zoom - 1).labels
            .map { (rank: $0.rank, size: $0.breadth, text: $0.text) }
            .sorted { ($0.rank.layer, $0.rank.sortKey, $1.size) < ($1.rank.layer, $1.rank.sortKey, $0.size) }
            .map(\.text)
    }

    @Test(
        arguments: [
            (
                .openMapTiles, "poi",
                [
                    ["class": "attraction", "subclass": "attraction"],
                    ["class": "college", "subclass": "college"],
                    ["class": "shop", "subclass": "department_store"],
                ]
            ),
            (
                .protomaps, "pois",
                [
                    ["kind": "attraction", "wikidata": "Q1"], ["kind": "college"],
                    ["kind": "department_store"],
                ]
            ),
            (
                .shortbread, "pois",
                [["tourism": "attraction"], ["amenity": "college"], ["shop": "department_store"]]
            ),
        ] as [(TileSchema, String, [[String: String]])])
    func `sights are named from zoom 14, before academies and department stores`(
        schema: TileSchema, layer: String, kinds: [[String: String]]
    ) throws {
        let points = zip(["Cathedral", "Academy", "Store"], kinds).enumerated().map { at, named in
            let kind = named.1.map { ($0.key, VectorValue.string($0.value)) }
            let rank: [(String, VectorValue)] = [
                ("name", .string(named.0)), ("rank", .number(Double(at + 1))),
            ]
            return VectorTileFixture.Feature(.point, through: [(1000 + at * 500, 2000)], rank + kind)
        }
        let tile = VectorTileFixture([(layer, points)])
        #expect(try Self.names(schema, tile, zoom: 13.9).isEmpty)
        #expect(try Self.names(schema, tile, zoom: 14) == ["Cathedral"])
        let near = try Self.names(schema, tile, zoom: 18)
        #expect(near.first == "Cathedral" && Set(near) == ["Cathedral", "Academy", "Store"])
    }

    @Test
    func `the most famous buildings are named from zoom 14, largest first, and others from zoom 15`()
        throws
    {
        func building(
            _ name: String, side: Int, _ tags: [(String, VectorValue)] = []
        ) -> VectorTileFixture.Feature {
            .init(
                .polygon, through: [(0, 0), (side, 0), (side, side), (0, side)],
                [("name", .string(name))] + tags)
        }
        let famous: [(String, VectorValue)] = [("wikidata", .string("Q1"))]
        let tile = VectorTileFixture([
            (
                "buildings",
                [
                    building("Chapel", side: 60, famous), building("Palace", side: 300, famous),
                    building("Warehouse", side: 600),
                ]
            )
        ])
        #expect(try Self.names(.protomaps, tile, zoom: 14) == ["Palace", "Chapel"])
        let near = try Self.names(.protomaps, tile, zoom: 15)
        #expect(near.first == "Palace" && near.prefix(2).contains("Chapel") && near.contains("Warehouse"))
    }
}
