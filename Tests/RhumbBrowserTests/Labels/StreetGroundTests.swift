@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the names of streets and sights over a city map.
@Suite(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"))
struct StreetGroundTests {
    /// Returns the map before and after its labels are drawn.
    private func frame(
        _ theme: MapTheme, zoom: Double, columns: Int = 120, rows: Int = 40
    ) async throws -> (map: CellGrid, named: CellGrid, labels: [LabelLayout.Placed], view: CellBox) {
        let archive = try PMTilesArchive(try #require(TestData.folder) + "/firenze-vector.pmtiles")
        let style = try Style(try #require(TestFiles.bytes("Assets/styles/\(theme.rawValue).json")))
        let drawing = VectorDrawing(
            archive.info, painters: [.protomaps: VectorPainter(style, source: TileSchema.protomaps.rawValue)])
        var layer = TileLayer(id: "city", source: archive, info: archive.info).drawn(by: drawing)
        layer.role = .vectorBase
        layer.info.hasLabels = false
        layer.detail = 1
        layer.prefersLastZoom = true
        var settings = Settings()
        settings.depth = .truecolor
        settings.themeRule = .always(theme)
        settings.colourBits = 8
        var browser = Browser(
            columns: columns, rows: rows, layers: [layer],
            camera: Camera(center: Coordinate(latitude: 43.77, longitude: 11.255), zoom: zoom),
            settings: settings)
        var waiting = browser.update(.tick, at: .zero)
        while !waiting.isEmpty {
            let effect = waiting.removeFirst()
            if effect.query(PlaceLabelQuery.self) != nil {
                waiting += browser.update(.placeLabels([]), at: .zero)
            }
            if let task = effect.query(LabelLayoutTask.self) {
                waiting += browser.update(.laidOut(task), at: .zero)
            }
            if let question = effect.query(LabelQuestion.self) {
                let labels = try question.tiles.map { tile in
                    guard case .bitmap(.encoded(let bytes)) = try archive.tile(tile) else {
                        return TileLabels([], on: tile)
                    }
                    return TileLabels(
                        try drawing.tile(tile, from: bytes).labels(at: question.zoom, in: .usual), on: tile)
                }
                waiting += browser.update(.labels(labels, to: question), at: .zero)
            }
        }
        let harness = EngineHarness()
        await harness.show(browser.map.viewport, [layer])
        let scene = harness.engine.board.scene(of: browser.map.viewport, layers: [layer])
        var painter = MapPainter()
        let map = painter.paint(scene, viewport: browser.map.viewport, settings: settings, theme: theme)
        let layout = try #require(browser.labels.layout), view = layout.grid.box(of: browser.map.viewport)
        return (
            map, browser.labelled(map), layout.placed.filter { $0.isWithin(view) && !$0.text.isEmpty }, view
        )
    }

    /// The largest imperceptible change in the lightness of the background of a name.
    private static let unseen: Float = 0.05

    @Test(arguments: [MapTheme.day, .night], [14.0, 15, 16])
    func `names are on the map's own background, with few cells lightened or darkened`(
        theme: MapTheme, zoom: Double
    ) async throws {
        let frame = try await frame(theme, zoom: zoom)
        var cells = 0, moved = 0, contrast = Double.infinity
        for label in frame.labels {
            let row = label.row - frame.view.rows.lowerBound
            for column in label.columns {
                let column = column - frame.view.columns.lowerBound
                let cell = frame.named[row, column], paper = try #require(cell.paper.rgb)
                if cell.glyph != " ", let ink = cell.ink.rgb {
                    contrast = min(contrast, ink.contrast(with: paper))
                }
                cells += 1
                if abs(paper.lightness - frame.map[row, column].mean.lightness) > Self.unseen { moved += 1 }
            }
        }
        print("moved", theme, zoom, moved, "of", cells, "labels", frame.labels.count, "contrast", contrast)
        #expect(cells > 100 && contrast >= 4.5)
        #expect(Double(moved) <= 0.1 * Double(cells))
    }
}

extension RGB {
    fileprivate var lightness: Float {
        OKLab(red: Float(red), green: Float(green), blue: Float(blue)).lightness
    }
}
