import Glibc
import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

/// Compares a synthetic town in each built-in style with a table of colours, so that a reviewer sees the
/// effect of a change. If RHUMB_RECORD_GOLDENS is set, the tables are rewritten for review.
struct StyleGoldenTests {
    private static let blocks = 16
    private static let side = 256
    private static let folder = "Tests/Goldens/Styles"

    private typealias Feature = VectorTileFixture.Feature

    private static func area(
        _ west: Int, _ north: Int, _ east: Int, _ south: Int, _ attributes: [(String, VectorValue)]
    ) -> Feature {
        Feature(.polygon, through: [(west, north), (east, north), (east, south), (west, south)], attributes)
    }

    private static func road(_ points: [(Int, Int)], _ kind: String) -> Feature {
        Feature(.line, through: points, [("class", .string(kind)), ("brunnel", .string(""))])
    }

    /// A town in OpenMapTiles' schema, with a coast in the west, a wood in the north, houses, and roads of
    /// four kinds.
    private static let town = VectorTileFixture([
        ("landcover", [area(1600, 0, 4096, 900, [("class", .string("wood"))])]),
        ("landuse", [area(1600, 1400, 4096, 4096, [("class", .string("residential"))])]),
        ("water", [area(0, 0, 1024, 4096, [("class", .string("ocean"))])]),
        ("waterway", [Feature(.line, through: [(1024, 1200), (4096, 1200)], [("class", .string("river"))])]),
        ("building", [area(2200, 2200, 2600, 2600, []), area(2800, 2200, 3200, 2600, [])]),
        (
            "transportation",
            [
                road([(1200, 4096), (1200, 0)], "motorway"), road([(1024, 2000), (4096, 2000)], "primary"),
                road([(2048, 1400), (2048, 4096)], "secondary"), road([(2048, 3000), (4096, 3000)], "minor"),
            ]
        ),
        (
            "boundary",
            [
                Feature(
                    .line, through: [(1500, 0), (1500, 4096)],
                    [("admin_level", .number(2)), ("maritime", .number(0))])
            ]
        ),
        ("countries", [area(1024, 0, 4096, 4096, [("ADM0_A3", .string("ITA"))])]),
    ])

    private func picture(_ bytes: [UInt8]) throws -> Raster {
        let style = try Style(bytes), source = try #require(style.source(for: .openMapTiles)),
            tile = try VectorTile(Self.town.bytes)
        let painter = VectorPainter(style, source: source)
        let id = try #require(TileID(zoom: 14, x: 8800, y: 5940))
        let raster = painter.draw(TilePart(id, deepest: 14), side: Self.side, names: tile.layerNames) {
            name in
            tile.layer(named: name, by: painter.use(ofLayer: name))
        }
        return try #require(raster)
    }

    /// Returns the mean colours of blocks, row by row.
    private func table(_ raster: Raster) -> [[RGB]] {
        let size = Self.side / Self.blocks
        return (0..<Self.blocks).map { row in
            (0..<Self.blocks).map { column in
                var sum = SIMD3<Int>()
                for y in row * size..<(row + 1) * size {
                    for x in column * size..<(column + 1) * size {
                        let at = (y * raster.width + x) * 4
                        sum &+= SIMD3(
                            Int(raster.pixels[at]), Int(raster.pixels[at + 1]), Int(raster.pixels[at + 2]))
                    }
                }
                let count = size * size
                return RGB(red: UInt8(sum.x / count), green: UInt8(sum.y / count), blue: UInt8(sum.z / count))
            }
        }
    }

    private func check(_ name: String, _ bytes: [UInt8]) throws {
        let table = table(try picture(bytes))
        let text = table.map {
            $0.map { String($0.hex + 0x1000000, radix: 16).dropFirst() }.joined(separator: " ") + "\n"
        }.joined()
        if getenv("RHUMB_RECORD_GOLDENS") != nil {
            try record(text, name)
            return
        }
        let golden = String(
            decoding: try #require(TestFiles.bytes("\(Self.folder)/\(name).txt")), as: UTF8.self)
        let wanted = golden.split(separator: "\n").map {
            $0.split(separator: " ").compactMap { UInt32($0, radix: 16) }
        }
        #expect(wanted.map(\.count) == table.map(\.count))
        for (row, colours) in wanted.enumerated() {
            for (column, colour) in colours.enumerated() {
                #expect(
                    Self.difference(table[row][column], RGB(colour)) <= 6,
                    "\(name), row \(row), column \(column); if it ought to look so, RHUMB_RECORD_GOLDENS=1 writes it"
                )
            }
        }
    }

    private static func difference(_ a: RGB, _ b: RGB) -> Int {
        max(abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)), abs(Int(a.blue) - Int(b.blue)))
    }

    private func record(_ text: String, _ name: String) throws {
        let path = TestFiles.path("\(Self.folder)/\(name).txt"), file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    @Test(arguments: ["day", "night", "day-16", "mono"]) func `Rhumb's own styles look as before`(
        name: String
    ) throws {
        try check(name, try #require(TestFiles.bytes("Assets/styles/\(name).json")))
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["osm-bright", "dark-matter", "maplibre-demo"])
    func `other styles look as before`(name: String) throws {
        try check(name, try #require(TestData.bytes(of: "styles/\(name).json")))
    }

    @Test func `a wrong colour is detected`() {
        #expect(Self.difference(RGB(0x102030), RGB(0x102037)) == 7)
    }
}
