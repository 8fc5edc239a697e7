import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the world map embedded in the program.
struct WorldTests {
    private static let schema = TileSchema.world
    private let archive: PMTilesArchive

    init() throws { archive = try PMTilesArchive(TestFiles.path("Assets/world.pmtiles")) }

    private func style(_ theme: String) throws -> Style {
        try Style(try #require(TestFiles.bytes("Assets/styles/\(theme).json")))
    }

    /// The layers of heights, depths and land cover, which tint land and sea.
    private static let tints: Set = ["heights", "depths", "dry", "desert", "wooded", "woods"]

    /// - Parameter bands: True to draw heights, depths and land cover.
    private func drawing(_ theme: String, bands: Bool = true) throws -> VectorDrawing {
        let style = try style(theme).keeping {
            bands || !Self.tints.contains($0.sourceLayer ?? "")
        }
        return VectorDrawing(
            archive.info, painters: [.other: VectorPainter(style, source: Self.schema.rawValue)])
    }

    private func picture(_ tile: TileID, _ drawing: VectorDrawing) throws -> Raster {
        let data = tile.ancestor(levels: max(tile.zoom - 7, 0)) ?? tile
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(data) else {
            throw TileFailure(.sourceFailed, "no data of \(tile)")
        }
        return try drawing.tile(data, from: bytes).picture(of: tile, side: 512)
    }

    @Test func `the archive is small, worldwide, and has its own schema`() throws {
        #expect(try #require(TestFiles.bytes("Assets/world.pmtiles")).count <= 10 << 20)
        #expect(archive.info.zooms == 0...7 && archive.info.attribution == "Natural Earth")
        #expect(archive.refusal?.reason == .vectorTiles)
        #expect(TileSchema(layerNames: TileSchema.layerNames(in: archive.metadata)) == Self.schema)
        #expect(archive.metadata["vector_layers"]?.array?.count == 12)
    }

    @Test func `an inspection finds all tiles and no problems`() throws {
        let found = try archive.inspect(checksContents: true)
        #expect(found.tileCount == (0...7).reduce(0) { $0 + 1 << (2 * $1) } && found.faults.groups.isEmpty)
        #expect(found.kinds.map(\.kind) == [.vector] && found.missingZooms.isEmpty)
        #expect(found.largest.allSatisfy { $0.bytes <= 24 << 10 })
        #expect(found.bodies.distinct == found.bodies.stored)
    }

    /// Returns all tiles of the lowest zooms, and a sample of the others.
    private static func tiles(_ zoom: Int) -> [TileID] {
        let side = 1 << zoom, step = zoom < 5 ? 1 : 37
        return stride(from: 0, to: side * side, by: step).compactMap {
            TileID(zoom: zoom, x: $0 % side, y: $0 / side)
        }
    }

    @Test(arguments: 0...7) func `every tile exists, is valid and not large`(zoom: Int) throws {
        var reader = GeometryReader()
        for id in Self.tiles(zoom) {
            guard case .bitmap(.encoded(let bytes)) = try archive.tile(id) else {
                Issue.record("\(id) is missing")
                continue
            }
            #expect(bytes.count <= 32 << 10, "\(id)")
            let tile = try VectorTile(bytes)
            for name in tile.layerNames {
                let layer = try #require(try tile.layer(named: name))
                #expect(
                    layer.version == 2 && layer.damagedCount == 0 && !layer.features.isEmpty, "\(id) \(name)")
                for feature in layer.features {
                    #expect(
                        layer.attributes(of: feature) != nil && reader.read(feature, of: layer),
                        "\(id) \(name)")
                    // The outer ring comes first, clockwise on the screen.
                    #expect(
                        feature.kind == .line || reader.geometry.doubleArea(ofPart: 0) > 0, "\(id) \(name)")
                }
            }
        }
    }

    private static let land = RGB(0x52554F), sea = RGB(0x12304A), ice = RGB(0x8496A4)

    @Test(
        arguments: [
            (45, -38, sea), (-30, 80, sea), (0, -140, sea), (56, 20, sea), (42, 51, sea), (84.9, 30, sea),
            (43.5, -87, sea),
            (25, 5, land), (60, 100, land), (-12, -58, land), (44.2, -0.8, land), (-25, 133, land),
            (31.5, -99.5, land),
            (72, -40, ice), (-80, 0, ice), (-84, 100, ice), (-80, -165, ice), (-79, -60, ice),
        ] as [(Double, Double, RGB)])
    func `sea, land and ice are in the right places at every zoom`(
        latitude: Double, longitude: Double, colour: RGB
    ) throws {
        let drawing = try drawing("night", bands: false),
            place = Mercator.world(Coordinate(latitude: latitude, longitude: longitude))
        // Ice fades at deeper zooms.
        for zoom in 2...(colour == Self.ice ? 7 : 9) {
            let tile = TileID(zoom: zoom, containing: place), side = Double(1 << zoom)
            let raster = try picture(tile, drawing)
            let x = Int((place.x * side - Double(tile.x)) * Double(raster.width))
            let y = Int((place.y * side - Double(tile.y)) * Double(raster.height))
            #expect(raster.colour(x, y) == colour, "zoom \(zoom)")
        }
    }

    @Test(
        arguments: [
            (46.55, 8.6, "heights", 1000), (27.9, 86.9, "heights", 3500), (35.9, -30, "depths", 200),
            (11.3, 142.2, "depths", 4000),
        ] as [(Double, Double, String, Int)])
    func `heights and depths are shown in bands`(
        latitude: Double, longitude: Double, layer: String, least: Int
    ) throws {
        let place = Mercator.world(Coordinate(latitude: latitude, longitude: longitude))
        for zoom in [2, 4, 6] {
            let tile = TileID(zoom: zoom, containing: place)
            guard case .bitmap(.encoded(let bytes)) = try archive.tile(tile) else { return }
            let found = try drawing("night").tile(tile, from: bytes).features(at: place, zoom: zoom, reach: 0)
            let metres = found.filter { $0.layer == layer }.compactMap { feature in
                feature.attributes.first { $0.name == "metres" }.flatMap { Int($0.value) }
            }
            #expect((metres.max() ?? 0) >= least, "zoom \(zoom)")
        }
    }

    @Test(arguments: [(46.95, 7.45, true), (34.53, 69.17, true), (41.88, -87.65, true), (46.6, 7.9, false)])
    func `large towns are built up near by, in Natural Earth or not`(
        latitude: Double, longitude: Double, isUrban: Bool
    ) throws {
        #expect(try covers("urban", latitude, longitude, zoom: 7) == isUrban)
    }

    /// Returns true if an area of a layer without attributes covers a place.
    private func covers(
        _ name: String, _ latitude: Double, _ longitude: Double, zoom: Int
    ) throws -> Bool {
        let place = Mercator.world(Coordinate(latitude: latitude, longitude: longitude))
        let tile = TileID(zoom: zoom, containing: place)
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(tile),
            let layer = try VectorTile(bytes).layer(named: name)
        else { return false }
        let side = Double(1 << zoom)
        let point = SIMD2(place.x * side - Double(tile.x), place.y * side - Double(tile.y))
        var reader = GeometryReader()
        return layer.features.contains {
            reader.read($0, of: layer) && reader.geometry.contains(point * Double(layer.extent))
        }
    }

    @Test(
        arguments: [
            (25, 5, ["dry", "desert"]), (-25, 133, ["dry"]), (42, 105, ["dry", "desert"]),
            (-23.5, -69, ["dry", "desert"]),
            (23, 45, ["dry", "desert"]), (-5, -62, ["wooded", "woods"]), (0, 22, ["wooded", "woods"]),
            (61, 98, ["wooded", "woods"]), (48.6, 1.8, []), (71, 95, []), (47, -100, []),
        ] as [(Double, Double, [String])])
    func `deserts and woods are tinted, and neither fields nor tundra`(
        latitude: Double, longitude: Double, names: [String]
    ) throws {
        for zoom in [2, 4, 6] {
            let found = try ["dry", "desert", "wooded", "woods"].filter {
                try covers($0, latitude, longitude, zoom: zoom)
            }
            #expect(found == names, "zoom \(zoom)")
        }
    }

    /// Bern, which Natural Earth lacks.
    @Test func `a town drawn as a disc is round`() throws {
        let bern = Mercator.world(Coordinate(latitude: 46.95, longitude: 7.45))
        let tile = TileID(zoom: 7, containing: bern), side = Double(1 << 7)
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(tile) else { return }
        let layer = try #require(try VectorTile(bytes).layer(named: "urban"))
        let point =
            SIMD2(bern.x * side - Double(tile.x), bern.y * side - Double(tile.y)) * Double(layer.extent)
        var reader = GeometryReader(), corners = 0
        for feature in layer.features where reader.read(feature, of: layer) {
            let points = reader.geometry.points.map { SIMD2(Double($0.x), Double($0.y)) }
            for part in 0..<reader.geometry.partCount {
                let ring = points[reader.geometry.part(part)],
                    middle = ring.reduce(.zero, +) / Double(ring.count)
                let offset = middle - point
                if (offset * offset).sum().squareRoot() < 40 { corners = max(corners, ring.count) }
            }
        }
        #expect(corners >= 14)
    }

    /// Columns of the heights lie close together near the poles, where their errors were stripes.
    @Test(arguments: [(79.0, 13.0), (81.0, -80.0), (82.0, -40.0)])
    func `the relief of the far north has no stripes`(latitude: Double, longitude: Double) throws {
        let relief = try PMTilesArchive(TestFiles.path("Assets/relief.pmtiles"))
        let tile = TileID(
            zoom: 5, containing: Mercator.world(Coordinate(latitude: latitude, longitude: longitude)))
        guard case .bitmap(.encoded(let bytes)) = try relief.tile(tile) else {
            Issue.record("no relief")
            return
        }
        let picture = try SniffingDecoder().decode(bytes, limits: .tile)
        var across = 0, down = 0
        for y in 1..<picture.height {
            for x in 1..<picture.width {
                func grey(_ x: Int, _ y: Int) -> Int { Int(picture.pixels[(y * picture.width + x) * 4]) }
                across += abs(grey(x, y) - grey(x - 1, y))
                down += abs(grey(x, y) - grey(x, y - 1))
            }
        }
        #expect(Double(across) < 1.6 * Double(down), "\(across) \(down)")
    }

    @Test(arguments: 1...6) func `there is no gap at the antimeridian and no hole at the poles`(
        zoom: Int
    ) throws {
        let drawing = try drawing("night", bands: false), last = (1 << zoom) - 1
        let chukotka = TileID(
            zoom: zoom, containing: Mercator.world(Coordinate(latitude: 68, longitude: 179.9)))
        let east = try picture(chukotka, drawing)
        let west = try picture(try #require(TileID(zoom: zoom, x: 0, y: chukotka.y)), drawing)
        let y = Mercator.world(Coordinate(latitude: 68, longitude: 0)).y * Double(last + 1)
        let row = Int((y - Double(chukotka.y)) * 512)
        #expect(east.colour(511, row) == Self.land && west.colour(0, row) == Self.land)
        for x in [0, last / 2, last] {
            let north = try picture(try #require(TileID(zoom: zoom, x: x, y: 0)), drawing)
            let south = try picture(try #require(TileID(zoom: zoom, x: x, y: last)), drawing)
            #expect(
                (0..<512).allSatisfy { north.colour($0, 0) == Self.sea && south.colour($0, 511) == Self.ice })
        }
    }

    @Test(
        arguments: [
            (
                0,
                [
                    "borders", "depths", "desert", "dry", "heights", "ice", "lakes", "ocean", "wooded",
                    "woods",
                ]
            ),
            (
                2,
                [
                    "borders", "depths", "desert", "dry", "heights", "ice", "lakes", "ocean", "rivers",
                    "wooded", "woods",
                ]
            ),
            (5, ["borders", "heights", "lakes", "ocean", "rivers", "urban", "wooded"]),
            (7, ["borders", "lakes", "rivers", "urban"]),
        ] as [(Int, [String])])
    func `layers appear and disappear with the zoom over the Rhine`(zoom: Int, names: [String]) throws {
        let rhine = TileID(zoom: zoom, containing: Mercator.world(Coordinate(latitude: 51.4, longitude: 7)))
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(rhine) else { return }
        #expect(try VectorTile(bytes).layerNames.sorted() == names)
    }

    /// Points on borders of states, among them those that are also borders of statistical regions.
    @Test(arguments: [
        (46.5, -104.045), (39.0, -102.05), (39.72, -77.0), (41.0, -80.52), (34.0, -103.04), (40.5, -120.0),
        (39.0, -109.05), (60.0, -130.0), (49.5, -110.0), (36.426, 88.503), (-29.0, 145.0),
    ])
    func `borders of states are drawn wherever they run`(latitude: Double, longitude: Double) throws {
        try expectBorder(latitude, longitude, from: 4)
    }

    @Test(arguments: [(55.22, -2.62), (52.33, -3.1), (55.05, -2.97)])
    func `the borders of England with Scotland and Wales are drawn`(
        latitude: Double, longitude: Double
    ) throws {
        try expectBorder(latitude, longitude, from: 5)
    }

    private func expectBorder(_ latitude: Double, _ longitude: Double, from lowest: Int) throws {
        let place = Mercator.world(Coordinate(latitude: latitude, longitude: longitude))
        for zoom in lowest...7 {
            let tile = TileID(zoom: zoom, containing: place)
            guard case .bitmap(.encoded(let bytes)) = try archive.tile(tile),
                let layer = try VectorTile(bytes).layer(named: "borders")
            else {
                Issue.record("\(tile) has no borders")
                return
            }
            let scale = Double(1 << zoom), extent = Double(layer.extent)
            let wanted = SIMD2(
                (place.x * scale - Double(tile.x)) * extent, (place.y * scale - Double(tile.y)) * extent)
            var shapes = GeometryReader(), nearest = Double.infinity
            for feature in layer.features where shapes.read(feature, of: layer) {
                let points = shapes.geometry.points.map { SIMD2(Double($0.x), Double($0.y)) }
                for part in 0..<shapes.geometry.partCount {
                    let line = points[shapes.geometry.part(part)]
                    for (start, end) in zip(line, line.dropFirst()) {
                        nearest = min(nearest, Self.distance(from: wanted, to: start, end))
                    }
                }
            }
            #expect(nearest < extent / 64, "\(tile)")
        }
    }

    private static func distance(
        from point: SIMD2<Double>, to start: SIMD2<Double>, _ end: SIMD2<Double>
    ) -> Double {
        let along = end - start, length = (along * along).sum(), offset = point - start
        let share = length > 0 ? min(max((offset * along).sum() / length, 0), 1) : 0
        let rest = offset - along * share
        return (rest * rest).sum().squareRoot()
    }

    @Test(arguments: ["day", "night"])
    func `only bands, land cover, glaciers and urban areas, which are coarse, disappear at deeper zooms`(
        theme: String
    ) throws {
        let shown = try style(theme).layers.filter {
            $0.source == Self.schema.rawValue
                && !Self.tints.union(["urban"]).contains($0.sourceLayer ?? "") && $0.id != "world-glacier"
        }
        let counts = [0.0, 3, 7, 9].map { zoom in shown.count { $0.isShown(at: zoom) } }
        #expect(counts == counts.sorted() && counts.last == shown.count)
    }
}
