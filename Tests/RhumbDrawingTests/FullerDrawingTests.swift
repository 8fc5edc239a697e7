import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbDrawing

/// What cells show of buildings, gradients, heat and patterns.
struct FullerDrawingTests {
    typealias Feature = VectorTileFixture.Feature
    private static let ground = RGB(0x204060)
    private static let square = Feature(.polygon, through: [(1024, 1024), (3072, 1024), (3072, 3072), (1024, 3072)])

    private static func part(zoom: Int) -> TilePart {
        TilePart((0..<zoom).reduce(TileID.world) { tile, _ in tile.children[0] }, deepest: 30)
    }

    @Test func `a building is filled flat in its colour`() throws {
        let layer = DrawingFixture.layer("a", "fill-extrusion", ["fill-extrusion-color": "#FF0000", "fill-extrusion-height": 20])
        let raster = try DrawingFixture.draw([Self.square], [layer])
        #expect(raster.colour(128, 128) == RGB(0xFF0000) && raster.colour(40, 40) == Self.ground)
    }

    @Test(arguments: [("#E0C0A0", true), ("#201008", false)])
    func `a roof has an edge from zoom 15 on, darker or lighter than itself`(colour: String, isDarker: Bool) throws {
        let layer = DrawingFixture.layer("a", "fill-extrusion", ["fill-extrusion-color": .string(colour)])
        let far = try DrawingFixture.draw([Self.square], [layer], Self.part(zoom: 14))
        let near = try DrawingFixture.draw([Self.square], [layer], Self.part(zoom: 15))
        #expect(far.colour(64, 128) == far.colour(128, 128) && near.colour(128, 128) == far.colour(128, 128))
        #expect((near.colour(64, 128).red < near.colour(128, 128).red) == isDarker)
        #expect(near.colour(64, 128) != near.colour(128, 128))
    }

    @Test func `a line with a gradient has its mean colour`() throws {
        let layer = DrawingFixture.layer("a", "line", [
            "line-width": 20, "line-gradient": ["interpolate", ["linear"], ["line-progress"], 0, "#FF0000", 1, "#0000FF"],
        ])
        let colour = try DrawingFixture.draw([Feature(.line, through: [(2048, -64), (2048, 4160)])], [layer]).colour(128, 128)
        #expect(abs(Int(colour.red) - 128) < 3 && colour.green == 0 && abs(Int(colour.blue) - 128) < 3)
    }

    @Test func `heat is hottest round its points, and weighs what they do`() throws {
        let paint: JSON = [
            "heatmap-radius": 40, "heatmap-weight": ["get", "weight"],
            "heatmap-color": ["interpolate", ["linear"], ["heatmap-density"], 0, "rgba(255,0,0,0)", 1, "rgb(255,0,0)"],
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

    @Test(arguments: [
        ("fill", "fill-pattern", ["fill-color": "#00FF00"]), ("fill-extrusion", "fill-extrusion-pattern", ["fill-extrusion-color": "#00FF00"]),
        ("line", "line-pattern", ["line-color": "#00FF00", "line-width": 60]),
    ] as [(String, String, JSON)])
    func `a pattern is drawn in its mean colour, else in the layer's`(type: String, pattern: String, plain: JSON) throws {
        func colour(_ paint: JSON, _ images: [String: StyleColour]) throws -> RGB {
            var layer = JSONObject()
            for name in paint.object?.names ?? [] { layer[name] = paint[name] }
            layer[pattern] = "wood"
            let square = type == "line" ? Feature(.line, through: [(0, 2048), (4096, 2048)]) : Self.square
            return try DrawingFixture.draw(
                [square], [DrawingFixture.layer("a", type, .object(layer))], images: images).colour(128, 128)
        }
        let width: JSON = type == "line" ? ["line-width": 60] : [:], known = ["wood": StyleColour(RGB(0xFF0000))]
        #expect(try colour(plain, known) == RGB(0xFF0000) && colour(plain, [:]) == RGB(0x00FF00))
        #expect(try colour(width, known) == RGB(0xFF0000) && colour(width, [:]) == Self.ground)
    }
}
