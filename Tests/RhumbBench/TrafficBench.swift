internal import Rhumb
internal import RhumbBrowser
internal import RhumbDemo
internal import RhumbTerminal

/// Measures the cost of traffic over the map.
enum TrafficBench {
    private static let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.27), zoom: 12), columns: 200,
        rows: 60)

    static func rows() -> [BenchRow] {
        let island = island
        let base = part { _ in island }
        let provider = DemoTraffic { 1_800_000_000 }
        let flow = part { tile in
            let target = "/traffic/map/4/tile/flow/relative/\(tile).png?key=k"
            let body = provider.answer(DemoRequest(target: target)).body
            return try? SniffingDecoder().decode(body, limits: .tile)
        }
        guard let bare = frame([base]), let laden = frame([base, flow]) else { return [] }
        let share = (laden.best / bare.best - 1) * 100
        return [
            BenchRow(
                name: "pan frame 200x60 with flow over it, to bytes: p95", value: laden.p95, unit: "ms",
                anchor: "\(Int(share.rounded())) % more than without; goal 30 %"),
            recolour(flow),
        ]
    }

    /// Pans by a cell, paints and encodes.
    private static func frame(_ layers: [LayerScene]) -> Timing? {
        guard let capabilities = Capabilities.load("xterm-256color", depth: .truecolor) else { return nil }
        var map = MapPainter()
        var screen = Painter(
            capabilities, depth: .truecolor, isUTF8: true, columns: view.columns, rows: view.rows)
        let scene = Scene(layers: layers)
        var step = 0
        return Timing(runs: 100) {
            step = (step + 1) % 8
            let panned = view.panned(columns: step, rows: 0)
            _ = screen.frame(map.paint(scene, viewport: panned, settings: Settings(), theme: .night))
        }
    }

    private static func recolour(_ flow: LayerScene) -> BenchRow {
        let colours = FlowColours(.relative)
        let timing = Timing(runs: 100) {
            for picture in flow.pictures.prefix(1) { _ = colours.recoloured(picture.raster, with: .standard) }
        }
        return BenchRow(
            name: "flow tile of 256 px in Rhumb's colours: p95", value: timing.p95, unit: "ms", anchor: "")
    }

    private static func part(_ raster: (TileID) -> Raster?) -> LayerScene {
        var layer = TileLayer(id: "bench", source: NoSource(), info: TileSourceInfo(name: "bench"))
        layer.isTransparent = true
        var part = LayerScene(layer: layer, tileZoom: 12)
        part.pictures = layer.cover(of: view).compactMap { placed in
            raster(placed.tile).map { LayerScene.Picture(raster: $0, tile: placed, area: placed) }
        }
        return part
    }

    /// A tile with sea, land with a shaded coast, and a net of thin roads.
    private static var island: Raster? {
        let colours: [UInt32] = [0x10202E, 0x18262F, 0x232C33, 0x22382B]
        let pixels = (0..<(256 * 256)).flatMap { at -> [UInt8] in
            let x = at % 256, y = at / 256
            let height = ((x * 7 + y * 13) % 211) / 40 + (x / 30 + y / 17) % 7 - 5
            let isRoad = (x + y / 3) % 37 == 0 || (y + x / 4) % 53 == 0
            let colour = RGB(isRoad ? 0xA8894A : colours[min(max(height, 0), 3)])
            return [colour.red, colour.green, colour.blue, 255]
        }
        return Raster(width: 256, height: 256, pixels: pixels)
    }

    private struct NoSource: TileLayerDataSource {}
}
