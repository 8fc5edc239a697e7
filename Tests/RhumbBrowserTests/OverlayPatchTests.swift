@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests that cells of live layers are reused while the map moves, without visible differences.
struct OverlayPatchTests: OverlayFixture {
    /// Returns points, crowded in some places, tracks and areas, most of them with names.
    private func features(_ random: inout SplitMix) -> [OverlayFeature] {
        func place(_ spread: Double) -> (Double, Double) {
            (
                60 + Double.random(in: -spread...spread, using: &random),
                22 + Double.random(in: -spread...spread, using: &random) * 2
            )
        }
        let points = (0..<300).map { at in
            let (latitude, longitude) = place(at % 3 == 0 ? 0.02 : 0.6)
            return point(latitude, longitude, at % 2 == 0 ? "point \(at)" : "")
        }
        let tracks = (0..<12).map { _ in
            var (latitude, longitude) = place(0.3)
            return track(
                (0..<400).map { _ in
                    latitude += Double.random(in: -0.002...0.002, using: &random)
                    longitude += Double.random(in: -0.002...0.005, using: &random)
                    return (latitude, longitude)
                })
        }
        return points + tracks
    }

    /// Compares the screens of a browser whose live layer has been drawn before and of one whose layer is
    /// new.
    private func expectSame(_ browser: Browser, _ live: LiveLayer, _ words: Comment) {
        var fresh = browser
        let other = self.live(live.index.features, depth: live.overlayTheme.depth)
        fresh.map.layers = self.browser([other]).map.layers
        fresh.map.layers[1].opacity = browser.map.layers[1].opacity
        #expect(browser.screen == fresh.screen, words)
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed16, .mono])
    func `a moved map shows the same as one opened there`(depth: ColorDepth) {
        var random = SplitMix(seed: 8)
        let live = live(features(&random), depth: depth)
        var browser = browser([live], columns: 100, rows: 30, zoom: 9, depth: depth)
        let moves = [(25, 0), (0, 7), (-3, 1), (-50, -14), (1, 0), (400, 0), (-400, 3), (0, 0)]
        for zoom in [9.0, 11.5, 6, 9] {
            browser.map.viewport = browser.map.viewport.with(browser.map.viewport.camera.zoomed(to: zoom))
            for (columns, rows) in moves {
                browser.map.viewport = browser.map.viewport.panned(columns: columns, rows: rows)
                expectSame(browser, live, "zoom \(zoom), after \(columns), \(rows)")
            }
        }
    }

    @Test func `features that are replaced, removed or restyled are shown immediately`() {
        var random = SplitMix(seed: 9), features = features(&random)
        let live = live(features)
        var browser = browser([live], columns: 100, rows: 30, zoom: 9)
        let before = browser.screen
        features.shuffle(using: &random)
        features.removeLast(100)
        for at in features.indices.prefix(40) { features[at].style = OverlayStyle(symbol: "★") }
        live.index = OverlayIndex(features)
        #expect(browser.screen != before)
        expectSame(browser, live, "renewed")
        browser.map.layers[1].opacity = 0.3
        expectSame(browser, live, "faint")
        browser.map.settings.isUnicode = false
        let text = browser.screen.lines.joined()
        #expect(!text.contains("★") && !text.contains("→"))
        live.index = OverlayIndex([])
        #expect(!browser.shows("point"))
    }

    @Test func `no point is lost or counted twice where patches meet or at the antimeridian`() {
        var random = SplitMix(seed: 10)
        let many = (0..<3000).map { _ in
            point(Double.random(in: -40...40, using: &random), Double.random(in: -180..<180, using: &random))
        }
        let live = live(many)
        for longitude in [0.0, 179, -179] {
            let camera = Camera(center: Coordinate(latitude: 0, longitude: longitude), zoom: 1)
            let view = Viewport(
                camera: camera, columns: Int(camera.worldPixels / Viewport.pixelsPerColumn), rows: 120)
            let lattice = CellLattice(view), cells = lattice.box(of: view),
                patches = live.patches(of: lattice, in: cells).patches
            #expect(OverlayMarks(cells: cells).marks(of: patches).reduce(0) { $0 + $1.count } >= many.count)
            let own = patches.flatMap { $0.marks ?? [] }.filter {
                cells.contains(column: $0.column, row: $0.row)
            }
            #expect(own.reduce(0) { $0 + $1.count } == many.count)
        }
    }

    @Test func `nothing of replaced features remains, even if their patches were being drawn`() async {
        var random = SplitMix(seed: 12)
        let before = features(&random), after = features(&random), live = live(before)
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 60, longitude: 22), zoom: 9), columns: 200, rows: 60)
        let lattice = CellLattice(view), cells = lattice.box(of: view)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for step in 0..<50 {
                    _ = live.patches(of: lattice, in: cells.moved(columns: step * 32, rows: 0))
                }
            }
            group.addTask { for turn in 0..<20 { live.index = OverlayIndex(turn % 2 == 0 ? before : after) } }
        }
        let fresh = self.live(after)
        for step in 0..<50 {
            let cells = cells.moved(columns: step * 32, rows: 0)
            #expect(
                live.patches(of: lattice, in: cells).patches.map(\.blocks)
                    == fresh.patches(of: lattice, in: cells).patches.map(\.blocks))
        }
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed16, .mono])
    func `lines of a moved map equal those of a new painter`(depth: ColorDepth) throws {
        var random = SplitMix(seed: 11)
        let live = live(features(&random), depth: depth), layer = OverlayDrawing.layer(live)
        let browser = browser([live], columns: 100, rows: 30, zoom: 9, depth: depth)
        var rasters: [TileID: Raster] = [:], view = browser.map.viewport, painter = MapPainter()
        for (columns, rows) in [(0, 0), (25, 0), (0, 7), (-3, 1), (-50, -14), (0, 0), (400, 0), (-400, 0)] {
            view = view.panned(columns: columns, rows: rows)
            var scene = LayerScene(layer: layer, tileZoom: layer.tileZoom(at: view.camera.zoom))
            for placed in layer.cover(of: view) {
                let raster =
                    try rasters[placed.tile]
                    ?? (try #require(layer.drawing?.cachedTile(placed.tile)).picture(
                        of: placed.tile, side: 256))
                rasters[placed.tile] = raster
                scene.pictures.append(.init(raster: raster, tile: placed, area: placed))
            }
            var fresh = MapPainter()
            let along = painter.paint(
                Scene(layers: [scene]), viewport: view, settings: browser.map.settings, theme: .night)
            #expect(
                along
                    == fresh.paint(
                        Scene(layers: [scene]), viewport: view, settings: browser.map.settings, theme: .night),
                "after \(columns), \(rows)")
            if columns == 0 {
                #expect(
                    Set(along.cells).count > 10
                        || depth != .truecolor && along.cells.contains { $0.glyph.value > 0x2800 })
            }
            // A redraw of the cells must also be correct on a map that doesn't move.
            if rows == -14 { rasters = [:] }
        }
    }
}
