import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbDrawing

struct VectorPainterTests {
    typealias Feature = VectorTileFixture.Feature
    private static let square: [(Int, Int)] = [(1024, 1024), (3072, 1024), (3072, 3072), (1024, 3072)]
    private static let down = Feature(.line, through: [(2048, -64), (2048, 4160)])

    @Test func `an empty tile shows the background`() throws {
        let raster = try DrawingFixture.draw([], [])
        #expect(raster.isOpaque && raster.width == 256 && raster.colour(17, 200) == RGB(0x204060))
    }

    @Test func `without a background pixels are transparent`() throws {
        let style = try Style(["version": 8, "sources": [:], "layers": []])
        let painter = VectorPainter(style, source: "v")
        let raster = try #require(painter.draw(TilePart(.world, deepest: 0), side: 8, names: []) { _ in nil })
        #expect(raster.pixels == [UInt8](repeating: 0, count: 256))
    }

    @Test func `tiles over another map have no background`() throws {
        let painter = VectorPainter(try DrawingFixture.style([]), source: "v", drawsBackground: false)
        let raster = try #require(painter.draw(TilePart(.world, deepest: 0), side: 1, names: []) { _ in nil })
        #expect(raster.pixels == [0, 0, 0, 0])
    }

    @Test func `a layer drawn on a background is drawn without one over a map`() throws {
        let drawing = VectorDrawing(
            TileSourceInfo(name: "v"),
            painters: [.other: VectorPainter(try DrawingFixture.style([]), source: "v")])
        #expect(try drawing.tile(.world, from: []).picture(of: .world, side: 8).isOpaque)
        #expect(try drawing.withoutBackground.tile(.world, from: []).picture(of: .world, side: 8).isClear)
    }

    @Test func `a half transparent colour is stored unpremultiplied`() throws {
        let style = try Style([
            "version": 8, "sources": [:],
            "layers": [
                ["id": "b", "type": "background", "paint": ["background-color": "rgba(200,100,50,0.5)"]]
            ],
        ])
        let raster = try #require(
            VectorPainter(style, source: "").draw(TilePart(.world, deepest: 0), side: 1, names: []) { _ in nil
            })
        let nearness = zip(raster.pixels, [200, 100, 50, 128]).map { abs(Int($0) - $1) }
        #expect(nearness.allSatisfy { $0 <= 1 })
    }

    @Test func `a picture in the memory of a packed one begins transparent and changes no other`() throws {
        let red = try #require(Canvas.raster(side: 256) { $0.fill(StyleColour(red: 1, green: 0, blue: 0)) })
        let packed = red.packed()
        let next = (0..<3).map { _ in Canvas.raster(side: 256) { _ in } }
        #expect(next.allSatisfy { $0?.isClear == true })
        #expect(packed == red && red.pixels.prefix(4) == [255, 0, 0, 255] && packed.isOpaque)
    }

    @Test func `an area is filled and the rest is not`() throws {
        let raster = try DrawingFixture.draw(
            [Feature(.polygon, through: Self.square)],
            [DrawingFixture.layer("a", "fill", ["fill-color": "#FF0000"])])
        #expect(raster.colour(128, 128) == RGB(0xFF0000) && raster.colour(40, 40) == RGB(0x204060))
        #expect(raster.marks(inRow: 128) == 128)
    }

    @Test(arguments: [1, 2]) func `a hole stays open in every version of tiles`(version: Int) throws {
        // An outer ring followed by an inner one, which has the opposite direction in version 2 and the same
        // in version 1.
        let outer: [UInt32] = [9, 2048, 2048, 26, 4096, 0, 0, 4096, 4095, 0, 15]
        let hole: [UInt32] =
            version == 2
            ? [9, 1024, 1023, 26, 2048, 0, 0, 2047, 2047, 0, 15]
            : [9, 1024, 1023, 26, 0, 2047, 2048, 0, 0, 2048, 15]
        let raster = try DrawingFixture.draw(
            [Feature(.polygon, outer + hole)], [DrawingFixture.layer("a", "fill", ["fill-color": "#FF0000"])],
            version: version)
        #expect(raster.colour(80, 128) == RGB(0xFF0000))
        #expect(raster.colour(128, 128) == RGB(0x204060))
    }

    @Test func `features of different styles are drawn in their order`() throws {
        let features = ["#FF0000", "#00FF00"].map {
            Feature(.polygon, through: Self.square, [("colour", .string($0))])
        }
        let layer = DrawingFixture.layer("a", "fill", ["fill-color": ["get", "colour"]])
        #expect(try DrawingFixture.draw(features, [layer]).colour(128, 128) == RGB(0x00FF00))
    }

    @Test func `a filter excludes features`() throws {
        let layer = DrawingFixture.layer(
            "a", "fill", ["fill-color": "#FF0000"], filter: ["==", "kind", "lake"])
        let raster = try DrawingFixture.draw(
            [Feature(.polygon, through: Self.square, [("kind", .string("pond"))])], [layer])
        #expect(raster.colour(128, 128) == RGB(0x204060))
    }

    @Test(arguments: [(0.05, 1), (1.2, 1), (6, 6)]) func `a line is never thinner than a cell can show`(
        width: Double, least: Int
    ) throws {
        let layer = DrawingFixture.layer(
            "a", "line", ["line-width": .number(width), "line-color": "#FF0000"])
        let raster = try DrawingFixture.draw([Self.down], [layer])
        #expect((least...least + 1).contains(raster.marks(inRow: 128)) || width < 2)
        #expect(raster.marks(inRow: 128) >= least && raster.marks(inRow: 0) == raster.marks(inRow: 255))
    }

    @Test func `lines have the same width on the ground in finer pictures`() throws {
        let layer = DrawingFixture.layer("a", "line", ["line-width": 6, "line-color": "#FF0000"])
        #expect(try DrawingFixture.draw([Self.down], [layer], side: 512).marks(inRow: 256) == 12)
    }

    @Test(arguments: [(2, false), (3, true), (9, true)]) func `a rim is drawn where it is visible`(
        width: Int, isSeen: Bool
    ) throws {
        let raster = try DrawingFixture.draw(
            [Self.down],
            [
                DrawingFixture.layer(
                    "road-casing", "line", ["line-width": .integer(width), "line-color": "#FF0000"]),
                DrawingFixture.layer("road", "line", ["line-width": 2, "line-color": "#00FF00"]),
            ])
        #expect((0..<256).contains { raster.colour($0, 128).red > 100 } == isSeen)
    }

    @Test(arguments: [
        ("road-casing", "road"), ("road_casing_early", "road"), ("road-casing-main", "road-main"),
        ("tunnel_case", "tunnel"),
    ])
    func `a casing is detected by its name`(casing: String, inner: String) throws {
        let style = try DrawingFixture.style([
            DrawingFixture.layer(casing, "line", [:]), DrawingFixture.layer(inner, "line", [:]),
        ])
        #expect(Casings(style.layers).inner == [1: 2])
    }

    @Test func `a part of a tile is drawn as sharply as a whole one`() throws {
        let layer = DrawingFixture.layer("a", "fill", ["fill-color": "#FF0000"])
        let deep = try #require(
            TileID(zoom: 7, x: DrawingFixture.tile.x * 16 + 4, y: DrawingFixture.tile.y * 16 + 4))
        let part = TilePart(deep, deepest: 3)
        #expect(part.data == DrawingFixture.tile)
        let ring = Self.square.map { ($0.0 + 128, $0.1 + 128) }
        let raster = try DrawingFixture.draw([Feature(.polygon, through: ring)], [layer], part)
        #expect(raster.marks(inRow: 127) == 0 && raster.marks(inRow: 128) == 128)
    }

    @Test func `a line across a tile's edge continues in the next tile`() throws {
        let layer = DrawingFixture.layer("a", "line", ["line-width": 4, "line-color": "#FF0000"])
        let left = try DrawingFixture.draw([Feature(.line, through: [(0, 1000), (4160, 2080)])], [layer])
        let right = try DrawingFixture.draw([Feature(.line, through: [(-64, 984), (4096, 2064)])], [layer])
        let last = (0..<256).filter { left.colour(255, $0) == RGB(0xFF0000) }
        let first = (0..<256).filter { right.colour(0, $0) == RGB(0xFF0000) }
        #expect(!last.isEmpty && !first.isEmpty && left.marks(inRow: 0) == 0)
    }

    @Test func `a line with a gap is two lines`() throws {
        let layer = DrawingFixture.layer(
            "a", "line", ["line-width": 4, "line-gap-width": 12, "line-color": "#F00"])
        let raster = try DrawingFixture.draw([Self.down], [layer])
        #expect(raster.marks(inRow: 128) == 8)
        #expect([122, 128, 133].allSatisfy { raster.colour($0, 128) == RGB(0x204060) })
        #expect([120, 135].allSatisfy { raster.colour($0, 128) == RGB(0xFF0000) })
    }

    @Test(arguments: ["fill", "line", "circle", "fill-extrusion"])
    func `a layer is translated by pixels of the style`(type: String) throws {
        let square = Feature(.polygon, through: [(1024, 1024), (2048, 1024), (2048, 2048), (1024, 2048)])
        let layer = DrawingFixture.layer(
            "a", type, JSON(dictionaryLiteral: (type + "-translate", [40, -20])))
        let plain = try DrawingFixture.draw([square], [DrawingFixture.layer("a", type, [:])])
        let moved = try DrawingFixture.draw([square], [layer])
        #expect(moved.marks(inRow: 45) > 0)
        for y in 0..<236 {
            #expect((0..<216).allSatisfy { moved.colour($0 + 40, y) == plain.colour($0, y + 20) }, "row \(y)")
        }
    }

    @Test func `an area has the outline of the style, unless it is not antialiased`() throws {
        let square = Feature(.polygon, through: [(1024, 1024), (2048, 1024), (2048, 2048), (1024, 2048)])
        func edge(_ paint: JSON) throws -> RGB? {
            let layer = DrawingFixture.layer("a", "fill", paint)
            return try DrawingFixture.draw([square], [layer]).colour(64, 96)
        }
        #expect(try edge(["fill-color": "#00F", "fill-outline-color": "#F00"])?.red ?? 0 > 100)
        let sharp: JSON = ["fill-color": "#00F", "fill-outline-color": "#F00", "fill-antialias": false]
        #expect(try edge(sharp)?.red == 0)
    }

    @Test func `dashes leave gaps, and very short dashes become solid`() throws {
        func gaps(_ pattern: JSON) throws -> Int {
            let layer = DrawingFixture.layer("a", "line", ["line-width": 4, "line-dasharray": pattern])
            let raster = try DrawingFixture.draw([Self.down], [layer])
            return (0..<256).count { raster.colour(128, $0) == RGB(0x204060) }
        }
        #expect(try gaps([2, 2]) > 80)
        for unseen in [[0.2, 0.2], [0, 0], [-1, 2]] as [JSON] { #expect(try gaps(unseen) == 0) }
    }

    @Test func `points are drawn as circles`() throws {
        let layer = DrawingFixture.layer(
            "a", "circle", ["circle-radius": 10, "circle-color": "#FF0000", "circle-stroke-width": 4])
        let raster = try DrawingFixture.draw([Feature(.point, through: [(2048, 2048)])], [layer])
        #expect(raster.colour(128, 128) == RGB(0xFF0000) && raster.colour(128, 117) == RGB(0))
        #expect((19...30).contains(raster.marks(inRow: 128)))
    }

    @Test func `the corners of lines and areas are drawn as circles, but not those of their cut`() throws {
        let layer = DrawingFixture.layer("a", "circle", ["circle-radius": 10, "circle-color": "#FF0000"])
        let line = Feature(.line, through: [(2048, 2048), (2048, 4300)]),
            area = Feature(.polygon, through: [(1024, 1024), (3072, 1024), (3072, 4160), (1024, 4160)])
        let raster = try DrawingFixture.draw([line, area], [layer])
        for (x, y) in [(128, 128), (64, 64), (192, 64)] { #expect(raster.colour(x, y) == RGB(0xFF0000)) }
        #expect(raster.marks(inRow: 255) == 0 && raster.marks(inRow: 96) == 0)
    }

    @Test func `hostile shapes and numbers are either drawn or skipped`() throws {
        var random = SplitMix(seed: 5)
        let numbers: [JSON] = [-1, 0, 1e300, .number(-1e300), 0.001, 4, ["/", 1, 0], ["get", "n"]]
        for _ in 0..<300 {
            let points = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                (
                    Int.random(in: -(1 << 24)...(1 << 24), using: &random)
                        >> Int.random(in: 0...20, using: &random),
                    Int.random(in: -9000...9000, using: &random)
                )
            }
            let kind = [VectorFeature.Kind.point, .line, .polygon][Int.random(in: 0..<3, using: &random)]
            func any() -> JSON { numbers[Int.random(in: numbers.indices, using: &random)] }
            let layers = [
                DrawingFixture.layer(
                    "a", "line",
                    [
                        "line-width": any(), "line-gap-width": any(), "line-dasharray": [1, 1],
                        "line-miter-limit": any(),
                    ]),
                DrawingFixture.layer("b", "fill", ["fill-opacity": any()]),
                DrawingFixture.layer("c", "circle", ["circle-radius": any(), "circle-stroke-width": any()]),
            ]
            let deep = try #require(
                TileID(zoom: 20, x: DrawingFixture.tile.x << 17, y: DrawingFixture.tile.y << 17))
            let features = [Feature(kind, through: points, [("n", .number(1e18))])]
            _ = try DrawingFixture.draw(features, layers, side: 32, TilePart(deep, deepest: 3))
            _ = try DrawingFixture.draw(features, layers, side: 32)
        }
    }
}

extension Raster {
    /// The opacity of a pixel, 0…255.
    fileprivate func alpha(_ x: Int, _ y: Int) -> UInt8 { pixels[(y * width + x) * 4 + 3] }
}
