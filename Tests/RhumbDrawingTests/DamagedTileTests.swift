import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

@testable import RhumbDrawing

/// Tests that damaged real tiles result in a picture or a failure, quickly and with little memory.
struct DamagedTileTests {
    /// Returns tiles of Florence at some zooms, decompressed.
    private static func tiles() throws -> [(TileID, [UInt8])] {
        let archive = try PMTilesArchive(try #require(TestData.folder) + "/firenze-vector.pmtiles")
        let bridge = Mercator.world(Coordinate(latitude: 43.768, longitude: 11.2531))
        let tiles: [(TileID, [UInt8])] = [0, 6, 9, 11, 13].compactMap { zoom in
            let tile = TileID(zoom: zoom, containing: bridge)
            guard case .bitmap(.encoded(let bytes))? = try? archive.tile(tile) else { return nil }
            return (tile, bytes)
        }
        #expect(tiles.count == 5)
        return tiles
    }

    private static func drawing() throws -> VectorDrawing {
        let style = try Style(try #require(TestFiles.bytes("Assets/styles/day.json")))
        let source = try #require(style.source(for: .protomaps))
        return VectorDrawing(
            TileSourceInfo(name: "damaged", zooms: 0...13), layerNames: ["roads", "earth"],
            painters: [.other: VectorPainter(style, source: source)])
    }

    @Test(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"), arguments: 0..<4)
    func `damaged tiles end in a picture or a failure`(run: Int) throws {
        var random = SplitMix(seed: UInt64(run))
        let drawing = try Self.drawing()
        for (tile, bytes) in try Self.tiles() {
            for _ in 0..<(Soak.isOn ? 400 : 6) {
                let damaged = Mutation.damaged(bytes, &random)
                do throws(TileFailure) {
                    let picture = try drawing.tile(tile, from: damaged).picture(of: tile, side: 64)
                    #expect(picture.width == 64 && picture.height == 64)
                } catch {
                    #expect(error.reason == .badContent)
                }
            }
        }
    }

    @Test(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"))
    func `labels, attributes and shapes of damaged tiles can be read or not`() throws {
        var random = SplitMix(seed: 99)
        let style = try Style(try #require(TestFiles.bytes("Assets/styles/night.json")))
        let source = try #require(style.source(for: .protomaps))
        for (tile, bytes) in try Self.tiles() {
            for _ in 0..<(Soak.isOn ? 200 : 5) {
                guard let vector = try? VectorTile(Mutation.damaged(bytes, &random)) else { continue }
                var reader = GeometryReader(), points = 0
                for name in vector.layerNames {
                    guard let layer = try? vector.layer(named: name) else { continue }
                    for feature in layer.features {
                        _ = layer.attributes(of: feature)
                        if reader.read(feature, of: layer) { points += reader.geometry.points.count }
                    }
                }
                #expect(points <= bytes.count * 4)
                let painter = VectorPainter(style, source: source)
                _ = painter.draw(TilePart(tile, deepest: 14), side: 32, names: vector.layerNames) {
                    vector.layer(named: $0, by: painter.use(ofLayer: $0))
                }
            }
        }
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["osm-bright", "dark-matter", "maplibre-demo"])
    func `real styles draw real tiles of other schemas`(name: String) throws {
        let style = try Style(try #require(TestData.bytes(of: "styles/\(name).json")))
        let painter = VectorPainter(style, source: try #require(style.source(for: .protomaps)))
        let drawing = VectorDrawing(TileSourceInfo(name: name, zooms: 0...13), painters: [.other: painter])
        for (tile, bytes) in try Self.tiles() {
            #expect(try drawing.tile(tile, from: bytes).picture(of: tile, side: 128).isOpaque)
        }
    }

    // MARK: Hostile tiles

    private static let layerField: UInt64 = 3

    private func draw(_ tile: [UInt8]) throws -> Raster {
        let style = try DrawingFixture.style([
            DrawingFixture.layer("a", "fill", ["fill-color": "#F00"]),
            DrawingFixture.layer("b", "line", ["line-width": 900]),
            DrawingFixture.layer("c", "circle", ["circle-radius": 1e9]),
        ])
        let drawing = VectorDrawing(
            TileSourceInfo(name: "x", zooms: 0...2), painters: [.other: VectorPainter(style, source: "v")])
        return try drawing.tile(.world, from: tile).picture(of: .world, side: 64)
    }

    private func layer(_ parts: [UInt8]...) -> [UInt8] {
        VectorTileFixture.message(
            Self.layerField, VectorTileFixture.message(1, Array("l".utf8)) + parts.joined())
    }

    private func feature(_ kind: UInt64, _ geometry: [UInt32], tags: [UInt32] = []) -> [UInt8] {
        VectorTileFixture.message(
            2,
            VectorTileFixture.packed(2, tags) + VectorTileFixture.varint(3 << 3)
                + VectorTileFixture.varint(kind)
                + VectorTileFixture.packed(4, geometry))
    }

    @Test func `counts larger than the data have no effect`() throws {
        let huge = UInt32.max & ~7
        for command: UInt32 in [1, 2, 7] {
            for kind: UInt64 in 0...4 { _ = try draw(layer(feature(kind, [huge | command, 2, 2]))) }
        }
        _ = try draw(layer(feature(2, [9, 0, 0, huge | 2])))
    }

    @Test func `a feature with invalid indices is omitted`() throws {
        let key = VectorTileFixture.message(3, Array("k".utf8))
        _ = try draw(layer(key, feature(1, [9, 10, 10], tags: [0, 0])))
        _ = try draw(layer(key, feature(1, [9, 10, 10], tags: [.max, .max, 7])))
    }

    @Test func `coordinates far outside the tile are clipped`() throws {
        let far = (UInt32(1) << 31) - 2
        _ = try draw(layer(feature(3, [9, far, far, 26, far, 0, 0, far, far, far, 15])))
        _ = try draw(layer(feature(2, [9, 0, 0, 2 << 3 | 2] + [UInt32](repeating: far, count: 4))))
    }

    @Test(arguments: [0, 1, 1 << 20, UInt64.max])
    func `no extent is too small or too large`(extent: UInt64) throws {
        let extent = VectorTileFixture.varint(5 << 3) + VectorTileFixture.varint(extent)
        do {
            _ = try draw(layer(feature(1, [9, 10, 10]), extent))
        } catch {
            #expect("\(error)".contains("extent of"))
        }
    }

    @Test func `a picture without a damaged layer says so, and one of readable layers does not`() throws {
        let extent = VectorTileFixture.varint(5 << 3) + VectorTileFixture.varint(1 << 30)
        let broken = VectorTileFixture.message(
            Self.layerField, VectorTileFixture.message(1, Array("far".utf8)) + extent)
        let style = try DrawingFixture.style([
            DrawingFixture.layer("a", "fill", ["fill-color": "#F00"]),
            DrawingFixture.layer("b", "fill", ["fill-color": "#0F0"], sourceLayer: "far"),
        ])
        let drawing = VectorDrawing(
            TileSourceInfo(name: "x", zooms: 0...2), painters: [.other: VectorPainter(style, source: "v")])
        let whole = try drawing.tile(.world, from: layer(feature(1, [9, 10, 10])))
        _ = try whole.picture(of: .world, side: 64)
        #expect(whole.omission == nil)
        drawing.forgetTiles()
        let partial = try drawing.tile(.world, from: layer(feature(1, [9, 10, 10])) + broken)
        _ = try partial.picture(of: .world, side: 64)
        let omission = try #require(partial.omission)
        #expect(omission.reason == .badContent)
        #expect("\(omission)".contains("not shown: layer \"far\"") && "\(omission)".contains("extent of"))
    }

    @Test(
        arguments: [
            ("1 feature with a damaged geometry", 3, [9, 0, 0, 4 << 3 | 3, 15]),
            ("1 feature with a damaged geometry", 2, [18, 2, 2, 4]),
            ("1 feature of an unknown type", 0, [9, 0, 0]), ("1 feature of an unknown type", 9, [9, 0, 0]),
            ("1 feature without a point, a length or an area", 3, [9, 0, 0, 18, 4, 0, 4, 0, 15]),
            ("1 feature without a point, a length or an area", 2, [9, 4, 4]),
            ("1 feature without a point, a length or an area", 1, []),
        ] as [(String, UInt64, [UInt32])])
    func `features that can't be drawn are counted by layer`(
        problem: String, kind: UInt64, geometry: [UInt32]
    ) throws {
        let style = try DrawingFixture.style([
            DrawingFixture.layer("a", "fill", ["fill-color": "#F00"]),
            DrawingFixture.layer("b", "symbol", [:], layout: ["text-field": "x"], sourceLayer: "names"),
        ])
        let drawing = VectorDrawing(
            TileSourceInfo(name: "x", zooms: 0...2), painters: [.other: VectorPainter(style, source: "v")])
        let names = VectorTileFixture.message(
            Self.layerField, VectorTileFixture.message(1, Array("names".utf8)) + feature(kind, geometry))
        let tile = layer(feature(1, [9, 10, 10]), feature(kind, geometry)) + names
        let drawn = try drawing.tile(.world, from: tile)
        _ = try drawn.picture(of: .world, side: 64)
        let omission = "\(try #require(drawn.omission))"
        #expect(
            omission.hasSuffix("not shown: \(problem) in layer \"l\"; \(problem) in layer \"names\""),
            "\(omission)")
    }

    @Test func `ten thousand layers with the same name are drawn`() throws {
        let one = layer(feature(1, [9, 10, 10]))
        let tile = try VectorTile([[UInt8]](repeating: one, count: 10_000).flatMap(\.self))
        #expect(tile.layerNames.count == 10_000)
        #expect(
            try draw(tile.layerNames.isEmpty ? [] : [[UInt8]](repeating: one, count: 10_000).flatMap(\.self))
                .width == 64)
    }

    @Test func `a bomb of one long line only takes the memory of its picture`() throws {
        let zigzag: [UInt32] = (0..<400_000).map { $0.isMultiple(of: 2) ? 8190 : 8189 }
        let line = feature(2, [9, 0, 0, 200_000 << 3 | 2] + zigzag)
        #expect(try draw(layer(line)).byteCount == 64 * 64 * 4)
    }
}
