internal import RhumbBrowser
internal import RhumbCore
internal import RhumbEngine

/// Measures the path from tiles in memory to cells: compositing, resampling and choosing glyphs.
enum FrameBench {
    static func rows() -> [BenchRow] {
        var rows: [BenchRow] = []
        for (columns, lines) in [(80, 24), (200, 60), (240, 67)] {
            for symbols in [Symbols.half, [.quadrant, .half], [.sextant, .quadrant, .half]] {
                rows.append(paint(columns, lines, symbols))
            }
        }
        rows.append(cover())
        return rows
    }

    private static func paint(_ columns: Int, _ lines: Int, _ symbols: Symbols) -> BenchRow {
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.53, y: 0.37), zoom: 6.3), columns: columns,
            rows: lines)
        let layer = TileLayer(
            id: "bench", source: NoSource(), info: TileSourceInfo(name: "bench"))
        let tiles = TileCover.tiles(in: view, zoom: 6)
        let raster = speckled
        let pictures = tiles.map { LayerScene.Picture(raster: raster, tile: $0, area: $0) }
        var part = LayerScene(layer: layer, tileZoom: 6)
        part.pictures = pictures
        let scene = Scene(layers: [part])
        var settings = Settings()
        settings.symbols = symbols
        var painter = MapPainter()
        // The painter returns its last picture for an unchanged scene, so each run moves the map by a cell.
        var moved = view
        moved.camera = Camera(
            center: WorldPoint(x: 0.53 + (view.box.maxX - view.box.minX) / Double(columns), y: 0.37),
            zoom: 6.3)
        var run = 0
        let timing = Timing(runs: 60) {
            run += 1
            _ = painter.paint(
                scene, viewport: run.isMultiple(of: 2) ? view : moved, settings: settings, theme: .night)
        }
        return BenchRow(
            name: "paint \(columns)x\(lines) \(symbols.text), busy map: p95", value: timing.p95,
            unit: "ms", anchor: "best \((timing.best * 100).rounded() / 100) ms")
    }

    private static func cover() -> BenchRow {
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.53, y: 0.37), zoom: 12.5), columns: 240, rows: 67)
        let timing = Timing(runs: 200) { _ = TileCover.tiles(in: view, zoom: 13) }
        return BenchRow(
            name: "cover of a 240x67 view: p95", value: timing.p95 * 1000, unit: "µs", anchor: "")
    }

    /// A raster with blocks of many colours and fine lines, which is harder than most maps.
    private static var speckled: Raster {
        var pixels: [UInt8] = []
        var state: UInt32 = 1
        for at in 0..<(256 * 256) {
            if at % 3 == 0 { state = state &* 1_664_525 &+ 1_013_904_223 }
            pixels += [UInt8(state >> 24), UInt8(state >> 16 & 255), UInt8(at / 256), 255]
        }
        return Raster(width: 256, height: 256, pixels: pixels)
            ?? Raster(width: 256, height: 256, filledWith: RGB(0))
    }

    private struct NoSource: TileLayerDataSource {}
}
