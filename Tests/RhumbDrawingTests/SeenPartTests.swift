import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests pictures that are only partly visible.
struct SeenPartTests {
    typealias Feature = VectorTileFixture.Feature
    private static let side = 256

    /// Returns true if two pictures are equal within a box, except for a few pixels on edges, whose
    /// antialiasing depends on the rest of the row.
    private static func areAlike(_ a: Raster, _ b: Raster, in box: PixelBox) -> Bool {
        var most = 0, count = 0
        for y in box.y {
            for at in (y * a.width + box.x.lowerBound)..<(y * a.width + box.x.upperBound) {
                let here = (at * 4..<at * 4 + 4).map { abs(Int(a.pixels[$0]) - Int(b.pixels[$0])) }.max() ?? 0
                most = max(most, here)
                count = count + (here > 0 ? 1 : 0)
            }
        }
        return most <= 32 && count <= 4 + box.count / 50
    }

    private static func box(_ random: inout SplitMix, side: Int) -> PixelBox {
        func range() -> Range<Int> {
            let low = Int.random(in: 0..<side, using: &random)
            return low..<Int.random(in: low + 1...side, using: &random)
        }
        return PixelBox(x: range(), y: range())
    }

    /// Returns shapes of a kind throughout a tile and beyond its edges.
    private static func features(_ kind: VectorFeature.Kind, _ random: inout SplitMix) -> [Feature] {
        (0..<60).map { _ in
            var at = (
                Int.random(in: -200...4300, using: &random), Int.random(in: -200...4300, using: &random)
            )
            let points = (0..<(kind == .point ? 1 : Int.random(in: 3...40, using: &random))).map { _ in
                at.0 += Int.random(in: -300...300, using: &random)
                at.1 += Int.random(in: -300...300, using: &random)
                return at
            }
            return Feature(kind, through: points)
        }
    }

    static let looks: [(VectorFeature.Kind, JSON)] = [
        (.polygon, DrawingFixture.layer("a", "fill", ["fill-color": "#FF0000", "fill-opacity": 0.5])),
        (.polygon, DrawingFixture.layer("a", "fill-extrusion", ["fill-extrusion-color": "#FF8000"])),
        (
            .polygon,
            DrawingFixture.layer(
                "a", "line", ["line-color": "#FF8000", "line-width": 3, "line-opacity": 0.5])
        ),
        (
            .line,
            DrawingFixture.layer(
                "a", "line", ["line-color": "#00FF00", "line-width": 9, "line-opacity": 0.5])
        ),
        (
            .line,
            DrawingFixture.layer(
                "a", "line", ["line-color": "#FFFF00", "line-width": 12],
                layout: ["line-join": "round", "line-cap": "square"])
        ),
        (
            .line,
            DrawingFixture.layer(
                "a", "line", ["line-color": "#FFFFFF", "line-width": 5, "line-dasharray": [2, 1]])
        ),
        (
            .point,
            DrawingFixture.layer(
                "a", "circle",
                [
                    "circle-color": "#FF00FF", "circle-radius": 14, "circle-opacity": 0.7,
                    "circle-stroke-width": 4,
                    "circle-stroke-color": "#FFFFFF",
                ])
        ),
        (.point, DrawingFixture.layer("a", "heatmap", ["heatmap-radius": 30])),
    ]

    @Test(arguments: 0..<looks.count, [UInt64(1), 2])
    func `the visible part is drawn as in the whole picture`(look: Int, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let (kind, layer) = Self.looks[look], features = Self.features(kind, &random)
        let whole = try DrawingFixture.draw(features, [layer], side: Self.side)
        for _ in 0..<6 {
            let seen = Self.box(&random, side: Self.side)
            let part = try DrawingFixture.draw(features, [layer], side: Self.side, seen: seen)
            #expect(Self.areAlike(whole, part, in: seen), "\(seen)")
        }
    }

    @Test func `invisible features are skipped`() throws {
        let left = Feature(.line, through: [(400, 0), (400, 4096)]),
            right = Feature(.line, through: [(3600, 0), (3600, 4096)])
        let layer = DrawingFixture.layer("a", "line", ["line-color": "#00FF00", "line-width": 4])
        let seen = PixelBox(x: 128..<256, y: 0..<256)
        let raster = try DrawingFixture.draw([left, right], [layer], side: Self.side, seen: seen)
        #expect(raster.colour(25, 100) == RGB(0x204060) && raster.colour(225, 100) == RGB(0x00FF00))
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: [(12, "night"), (13, "day"), (14, "night"), (16, "day")])
    func `parts of Florence equal those of the whole picture`(zoom: Int, theme: String) throws {
        let archive = try PMTilesArchive(try #require(TestData.folder) + "/firenze-vector.pmtiles")
        let style = try Style(try #require(TestFiles.bytes("Assets/styles/\(theme).json")))
        let painter = VectorPainter(style, source: try #require(style.source(for: .protomaps)))
        let place = Mercator.world(Coordinate(latitude: 43.768, longitude: 11.2531))
        let shown = TileID(zoom: zoom, containing: place),
            data = TileID(zoom: min(zoom, 14), containing: place)
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(data) else {
            Issue.record("no tile")
            return
        }
        let tile = try VectorDrawing(archive.info, painters: [.protomaps: painter]).tile(data, from: bytes)
        let whole = try tile.picture(of: shown, side: 512)
        var random = SplitMix(seed: UInt64(zoom))
        for _ in 0..<6 {
            let seen = Self.box(&random, side: 512)
            let part = try #require(try tile.picture(of: shown, side: 512, seen: seen))
            #expect(Self.areAlike(whole, part, in: seen), "\(seen)")
        }
    }
}
