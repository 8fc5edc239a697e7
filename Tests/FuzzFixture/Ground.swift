import Rhumb
import RhumbTestSupport

/// Targets for heights and roads.
extension FuzzTarget {
    static let groundTargets = [
        FuzzTarget("terrain", [slopes], hasDigits: false) { bytes in
            guard let width = bytes.first.map({ Int($0 % 40) + 1 }) else { return }
            let height = (bytes.count - 1) / 4 / width
            guard height > 0,
                let picture = Raster(
                    width: width, height: height, pixels: Array(bytes[1..<1 + width * height * 4]))
            else { return }
            for encoding in [ElevationEncoding.mapbox, .terrarium] {
                let grid = ElevationGrid(picture, encoding)
                for spacing in [ContourSpacing(500), ContourSpacing(2000, isInFeet: true)] {
                    let step = SIMD2(1 / Double(width), 1 / Double(height))
                    let lines = spacing.tile(grid, zoom: 12, origin: step / 2, step: step)
                    precondition(lines.isEmpty || (try? VectorTile(lines)) != nil)
                    draw(lines, by: contours)
                }
                _ = Hillshade().picture(of: Self.tile, from: Self.tile, grid, side: 16)
            }
            _ = ReliefTile(picture).shading(picture, of: Self.tile, from: Self.tile, shades)
        },
        FuzzTarget("roads", [roads("transportation", "class"), roads("streets", "kind"), packedRoads]) {
            bytes in
            var found = (try? VectorTile(bytes)).map { TileRoads($0) } ?? TileRoads()
            if found.isEmpty, !found.add(packed: bytes) { return }
            for isMain in [true, false] {
                var copy = TileRoads()
                precondition(copy.add(packed: found.packed(isMain: isMain)))
            }
            let roads = found
            let router = RoadRouter(zoom: Self.tile.zoom) { tile, _ in
                abs(tile.x - Self.tile.x) < 2 && tile.y == Self.tile.y ? roads : TileRoads()
            }
            for mode in [RouteMode.car, .bicycle] {
                var request = RouteRequest(from: place(100, 100), to: place(4000, 3000))
                request.mode = mode
                request.alternatives = 1
                for route in (try? router.routes(request)) ?? [] {
                    precondition(route.steps.allSatisfy { route.line.indices.contains($0.corner) })
                    _ = route.lines
                }
            }
        },
        FuzzTarget("traffic", vectorTiles) { bytes in
            guard let tile = try? VectorTile(bytes) else { return }
            for kind in [TrafficKind.flow, .incidents] { _ = TrafficTileContent(tile, at: .world, kind) }
        },
    ]

    private static let tile = TileID(
        zoom: 14, containing: Mercator.world(Coordinate(latitude: 43.73, longitude: 7.42)))
    private static let shades = ReliefShades(shadow: 0.5, light: 0.5).table(strength: 1)
    private static let contours: VectorPainter? = (try? Style.contours(.day, .truecolor)).map {
        VectorPainter($0, source: Style.contourSource, drawsBackground: false)
    }

    /// Returns the coordinate of a point of the tile, in its units.
    private static func place(_ x: Int, _ y: Int) -> Coordinate {
        let side = 4096.0 * Double(1 << tile.zoom)
        return Mercator.coordinate(
            WorldPoint(x: Double(tile.x * 4096 + x) / side, y: Double(tile.y * 4096 + y) / side))
    }

    /// A picture of a cone in Terrain-RGB, with a transparent pixel.
    private static let slopes: [UInt8] = {
        let heights = (0..<256).map { abs($0 % 16 - 8) * 500 + abs($0 / 16 - 8) * 700 + 100_000 }
        return [15]
            + heights.flatMap { height -> [UInt8] in
                [
                    UInt8(height >> 16), UInt8(height >> 8 & 255), UInt8(height & 255),
                    height == 100_000 ? 0 : 255,
                ]
            }
    }()

    private static func roads(_ layer: String, _ key: String) -> [UInt8] {
        let lines: [VectorTileFixture.Feature] = [
            .init(
                .line, through: [(-50, 100), (2000, 100), (2000, 3000), (4200, 3000)],
                [(key, .string("primary")), ("oneway", .number(1)), ("name", .string("A"))]),
            .init(.line, through: [(100, 0), (100, 3000), (4000, 3000)], [(key, .string("residential"))]),
            .init(
                .line, through: [(2000, 1000), (2100, 1000), (2100, 1100), (2000, 1100), (2000, 1000)],
                [(key, .string("path")), ("bridge", .number(1)), ("layer", .number(-1))]),
        ]
        return VectorTileFixture([(layer, lines)]).bytes
    }

    private static let packedRoads: [UInt8] =
        (try? VectorTile(roads("streets", "kind"))).map { TileRoads($0).packed(isMain: true) } ?? []
}
