import Glibc
@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// The embedded map of the world with the gazetteer's names, as shown by the program.
final class NamedWorld: Sendable {
    let archive: PMTilesArchive
    private let places: Gazetteer

    init() throws {
        archive = try PMTilesArchive(TestFiles.path("Assets/world.pmtiles"))
        places = try Gazetteer(file: TestFiles.path("Assets/places.db"))
    }

    /// Returns the world as drawn in a theme for the colours of a terminal.
    func layer(_ theme: MapTheme, _ depth: ColorDepth) throws -> TileLayer {
        let name =
            depth == .mono
            ? "mono" : theme.rawValue + [.indexed256: "-256", .indexed16: "-16"][depth, default: ""]
        let style = try Style(try #require(TestFiles.bytes("Assets/styles/\(name).json")))
        let drawing = VectorDrawing(
            archive.info, painters: [.other: VectorPainter(style, source: TileSchema.world.rawValue)])
        var layer = TileLayer(id: "world-\(name)", source: archive, info: archive.info).drawn(by: drawing)
        layer.role = .vectorBase
        layer.info.hasLabels = false
        layer.detail = 1
        return layer
    }

    /// Returns cameras over and around settled areas, at zooms 2 to 12.
    func cameras(_ count: Int, seed: UInt64) throws -> [Camera] {
        var random = SplitMix(seed: seed)
        let ground = try #require(Bounds(west: -180, south: -60, east: 180, north: 72))
        let towns = try places.places(in: ground, minimumImportance: 5, limit: 2000)
            .filter(\.kind.isSettlement)
        return (0..<count).map { _ in
            let town = towns[Int(random.next() % UInt64(towns.count))].coordinate
            let zoom = 2 + Double(random.next() % 101) / 10, spread = 40 / exp2(zoom)
            func aside() -> Double { (Double(random.next() % 2001) / 1000 - 1) * spread }
            return Camera(
                center: Coordinate(latitude: town.latitude + aside(), longitude: town.longitude + aside()),
                zoom: zoom)
        }
    }

    /// Returns the frame of a view.
    func frame(
        _ camera: Camera, _ theme: MapTheme, _ depth: ColorDepth, columns: Int = 80, rows: Int = 24,
        language: NameLanguage = .usual
    ) async throws -> NamedFrame {
        var settings = Settings()
        settings.show(in: depth)
        settings.themeRule = .always(theme)
        settings.nameLanguage = language
        settings.colourBits = 8
        let layer = try layer(theme, depth)
        var browser = Browser(
            columns: columns, rows: rows, layers: [layer], camera: camera, settings: settings)
        var effects = browser.update(.tick, at: .zero)
        for query in effects.queries(PlaceLabelQuery.self) {
            effects += browser.update(
                .response(
                    try places.places(
                        in: query.bounds, minimumImportance: query.minimumImportance, limit: query.limit),
                    to: query), at: .zero)
        }
        for task in effects.queries(LabelLayoutTask.self) {
            _ = browser.update(.laidOut(task), at: .zero)
        }
        let harness = EngineHarness()
        await harness.show(browser.map.viewport, [layer])
        let scene = harness.engine.board.scene(of: browser.map.viewport, layers: [layer])
        var painter = MapPainter()
        let map = painter.paint(scene, viewport: browser.map.viewport, settings: settings, theme: theme)
        return NamedFrame(browser: browser, map: map, named: browser.labelled(map))
    }
}

/// A view with its names.
struct NamedFrame {
    let browser: Browser
    let map: CellGrid
    let named: CellGrid

    private var view: CellBox {
        browser.labels.layout?.grid.box(of: browser.map.viewport) ?? CellBox(columns: 0..<0, rows: 0..<0)
    }

    /// The labels in view.
    var labels: [LabelLayout.Placed] { browser.labels.layout?.placed.filter { $0.isWithin(view) } ?? [] }

    /// The places in view that may be named at its zoom.
    var candidates: [NamedPlace] {
        guard let grid = browser.labels.layout?.grid else { return [] }
        let named = browser.labels.places.named(at: browser.map.viewport.camera.zoom, on: grid)
        return named.map(\.place).filter { place in
            let at = grid.position(of: Mercator.world(place.coordinate))
            return view.columns.contains(Int(at.x.rounded(.down)))
                && view.rows.contains(Int(at.y.rounded(.down)))
        }
    }

    /// The number of cells that two labels claim.
    var overlaps: Int {
        var taken: Set<SIMD2<Int>> = [], twice = 0
        for part in labels.flatMap(\.parts) {
            for column in part.columns where !taken.insert(SIMD2(part.row, column)).inserted { twice += 1 }
        }
        return twice
    }

    /// The lowest contrast of a letter to its background, as shown by xterm; nil without names.
    var leastContrast: (ratio: Double, text: String)? {
        labels.compactMap { label in
            let row = label.row - view.rows.lowerBound
            let ratios = label.columns.compactMap { column -> Double? in
                let cell = named[row, column - view.columns.lowerBound]
                guard cell.glyph != " ", let ink = cell.ink.rgb, let paper = cell.paper.rgb else {
                    return nil
                }
                return ink.contrast(with: paper)
            }
            return ratios.min().map { ($0, label.text) }
        }.min { $0.ratio < $1.ratio }
    }
}
