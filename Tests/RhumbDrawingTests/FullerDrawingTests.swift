import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbDrawing

/// Tests buildings, gradients, heat maps and patterns in cells.
struct FullerDrawingTests {
    typealias Feature = VectorTileFixture.Feature
    private static let ground = RGB(0x204060)
    private static let square = Feature(
        .polygon, through: [(1024, 1024), (3072, 1024), (3072, 3072), (1024, 3072)])

    private static func part(zoom: Int) -> TilePart {
        TilePart((0..<zoom).reduce(TileID.world) { tile, _ in tile.children[0] }, deepest: 30)
    }

    @Test func `a building is filled flat in its colour`() throws {
        let layer = DrawingFixture.layer(
            "a", "fill-extrusion", ["fill-extrusion-color": "#FF0000", "fill-extrusion-height": 20])
        let raster = try DrawingFixture.draw([Self.square], [layer])
        #expect(raster.colour(128, 128) == RGB(0xFF0000) && raster.colour(40, 40) == Self.ground)
    }

    @Test(arguments: [("#E0C0A0", true), ("#201008", false)])
    func `a roof has an edge from zoom 15 on, darker or lighter than itself`(
        colour: String, isDarker: Bool
    ) throws {
        let layer = DrawingFixture.layer("a", "fill-extrusion", ["fill-extrusion-color": .string(colour)])
        let far = try DrawingFixture.draw([Self.square], [layer], Self.part(zoom: 14))
        let near = try DrawingFixture.draw([Self.square], [layer], Self.part(zoom: 15))
        #expect(far.colour(64, 128) == far.colour(128, 128) && near.colour(128, 128) == far.colour(128, 128))
        #expect((near.colour(64, 128).red < near.colour(128, 128).red) == isDarker)
        #expect(near.colour(64, 128) != near.colour(128, 128))
    }

    @Test func `a line with a gradient has its mean colour`() throws {
        let layer = DrawingFixture.layer(
            "a", "line",
            [
                "line-width": 20,
                "line-gradient": ["interpolate", ["linear"], ["line-progress"], 0, "#FF0000", 1, "#0000FF"],
            ])
        let colour = try DrawingFixture.draw([Feature(.line, through: [(2048, -64), (2048, 4160)])], [layer])
            .colour(128, 128)
        #expect(abs(Int(colour.red) - 128) < 3 && colour.green == 0 && abs(Int(colour.blue) - 128) < 3)
    }

    @Test func `heat is hottest around its points, in proportion to their weights`() throws {
        let paint: JSON = [
            "heatmap-radius": 40, "heatmap-weight": ["get", "weight"],
            "heatmap-color": [
                "interpolate", ["linear"], ["heatmap-density"], 0, "rgba(255,0,0,0)", 1, "rgb(255,0,0)",
            ],
        ]
        func reds(_ weight: Double) throws -> [UInt8] {
            let point = Feature(.point, through: [(2048, 2048)], [("weight", .number(weight))])
            let raster = try DrawingFixture.draw([point], [DrawingFixture.layer("a", "heatmap", paint)])
            return [128, 145, 160, 175].map { raster.colour($0, 128).red }
        }
        let full = try reds(1), half = try reds(0.5)
        #expect(full[0] > full[1] && full[1] > full[2] && full[2] > full[3] && full[3] == Self.ground.red)
        #expect(half[0] < full[0] && half[0] > Self.ground.red)
    }

    @Test(
        arguments: [
            ("fill", "fill-pattern", ["fill-color": "#00FF00"]),
            ("fill-extrusion", "fill-extrusion-pattern", ["fill-extrusion-color": "#00FF00"]),
            ("line", "line-pattern", ["line-color": "#00FF00", "line-width": 60]),
        ] as [(String, String, JSON)])
    func `a pattern is drawn in its mean colour, or else in the layer's`(
        type: String, pattern: String, plain: JSON
    ) throws {
        func colour(_ paint: JSON, _ images: [String: StyleImage]) throws -> RGB {
            var layer = JSONObject()
            for name in paint.object?.names ?? [] { layer[name] = paint[name] }
            layer[pattern] = "wood"
            let square = type == "line" ? Feature(.line, through: [(0, 2048), (4096, 2048)]) : Self.square
            return try DrawingFixture.draw(
                [square], [DrawingFixture.layer("a", type, .object(layer))], images: images
            ).colour(128, 128)
        }
        let width: JSON = type == "line" ? ["line-width": 60] : [:],
            known = ["wood": StyleImage(Raster(width: 4, height: 4, filledWith: RGB(0xFF0000)))]
        #expect(try colour(plain, known) == RGB(0xFF0000) && colour(plain, [:]) == RGB(0x00FF00))
        #expect(try colour(width, known) == RGB(0xFF0000) && colour(width, [:]) == Self.ground)
    }

    /// Returns an image whose left half is red and right half is blue.
    private static func halves(side: Int) -> StyleImage? {
        let row = (0..<side).flatMap { $0 < side / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255] as [UInt8] }
        return Raster(width: side, height: side, pixels: Array((0..<side).map { _ in row }.joined())).map {
            StyleImage($0)
        }
    }

    @Test func `a pattern that cells can show is drawn, and continues across tiles`() throws {
        let image = try #require(Self.halves(side: 24)),
            whole = Feature(.polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])
        let layer = DrawingFixture.layer("a", "fill", ["fill-pattern": "halves"])
        func row(_ tile: TileID) throws -> [RGB] {
            let raster = try DrawingFixture.draw(
                [whole], [layer], TilePart(tile, deepest: 30), images: ["halves": image])
            return (0..<256).map { raster.colour($0, 100) }
        }
        let west = DrawingFixture.tile, east = try #require(TileID(zoom: west.zoom, x: west.x + 1, y: west.y))
        let joined = try row(west) + row(east)
        let start = (24 - west.x * 256 % 24) % 24
        for at in stride(from: start, to: 480, by: 24) {
            #expect(joined[at + 6] == RGB(0xFF0000) && joined[at + 18] == RGB(0x0000FF), "\(at)")
        }
    }

    @Test func `a pattern finer than cells is drawn in its mean colour`() throws {
        let image = try #require(Self.halves(side: 6))
        let layer = DrawingFixture.layer("a", "fill", ["fill-pattern": "halves"])
        let raster = try DrawingFixture.draw([Self.square], [layer], images: ["halves": image])
        #expect(Set((100..<130).map { raster.colour($0, 128).hex }).count == 1)
    }

    @Test func `a pattern covers the background with the background's opacity`() throws {
        let style: JSON = [
            "id": "b", "type": "background",
            "paint": ["background-pattern": "halves", "background-opacity": 0.5],
        ]
        let raster = try DrawingFixture.draw(
            [], [style], images: ["halves": try #require(Self.halves(side: 24))])
        let colours = (0..<256).map { raster.colour($0, 7) }
        for wanted in [SIMD3(0x90, 0x20, 0x30), SIMD3(0x10, 0x20, 0xB0)] {
            #expect(
                colours.contains { colour in
                    let found = SIMD3(Int(colour.red), Int(colour.green), Int(colour.blue))
                    return (0..<3).allSatisfy { abs(found[$0] - wanted[$0]) <= 2 }
                })
        }
    }

    @Test(arguments: [(10.0, 138), (-10.0, 118), (0, 128)])
    func `a line with an offset is beside its course`(offset: Double, at: Int) throws {
        let paint: JSON = ["line-color": "#FF0000", "line-width": 4, "line-offset": .number(offset)]
        let down = Feature(.line, through: [(0, 2048), (4096, 2048)])
        let raster = try DrawingFixture.draw([down], [DrawingFixture.layer("a", "line", paint)])
        #expect((0..<256).filter { raster.colour(100, $0) == RGB(0xFF0000) }.contains(at))
        #expect(raster.colour(100, at + 6) == Self.ground && raster.colour(100, at - 6) == Self.ground)
    }
}
