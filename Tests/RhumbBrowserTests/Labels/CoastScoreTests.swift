@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Measures how much of the true coast the embedded world shows, in every number of colours.
struct CoastScoreTests {
    struct View: Sendable, CustomTestStringConvertible {
        let place: String
        let latitude: Double
        let longitude: Double
        let zoom: Double

        var camera: Camera {
            Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom)
        }
        var testDescription: String { "\(place), zoom \(zoom)" }
    }

    private static let views = [
        View(place: "world", latitude: 20, longitude: 0, zoom: 0),
        View(place: "Europe", latitude: 45, longitude: 20, zoom: 2),
        View(place: "Indonesia", latitude: -3, longitude: 118, zoom: 3),
        View(place: "North Sea", latitude: 55, longitude: 8, zoom: 4),
        View(place: "Japan", latitude: 36, longitude: 138, zoom: 5),
        View(place: "Great Lakes", latitude: 44.5, longitude: -81, zoom: 6),
        View(place: "Norway", latitude: 61, longitude: 5.5, zoom: 6),
        View(place: "Como", latitude: 45.95, longitude: 9.3, zoom: 7),
        View(place: "Saimaa", latitude: 61.6, longitude: 28.3, zoom: 8),
        View(place: "Turku", latitude: 60.25, longitude: 22.1, zoom: 9),
        View(place: "Athens", latitude: 37.8, longitude: 23.6, zoom: 9),
        View(place: "San Francisco", latitude: 37.75, longitude: -122.35, zoom: 10),
    ]
    /// The distance in OKLab from which an edge is visible. Towns by day are as light as water.
    private static let visible: Float = 0.07
    /// The difference in the share of inked dots from which an edge is visible without colours.
    private static let visibleShare = 0.25
    private static let (columns, rows) = (80, 24)
    private let world: NamedWorld

    init() throws { world = try NamedWorld() }

    @Test(arguments: views, [ColorDepth.truecolor, .indexed256, .indexed16, .mono])
    func `land and water differ within a cell of 95 % of the coast`(
        view: View, depth: ColorDepth
    ) async throws {
        for theme in depth == .mono ? [MapTheme.day] : [.day, .night] {
            let frame = try await world.frame(
                view.camera, theme, depth, columns: Self.columns, rows: Self.rows)
            let coast = try Coast(frame.browser.map.viewport, world.archive)
            let shown = coast.points.count { point in
                let near = (point.row - 1...point.row + 1).clamped(to: 0...frame.map.rows - 1).flatMap {
                    row in
                    (point.column - 1...point.column + 1).clamped(to: 0...frame.map.columns - 1).map {
                        frame.map[row, $0]
                    }
                }
                return depth == .mono
                    ? Self.differ(near.map(inkShare)) : Self.differ(near.flatMap(colours))
            }
            let share = Double(shown) / Double(max(coast.points.count, 1))
            print("coast:", view.testDescription, theme, depth, share, coast.points.count)
            #expect(share >= 0.95, "\(theme)")
        }
    }

    private static func differ(_ colours: [OKLab]) -> Bool {
        let land = colours.filter { !$0.isWater }, water = colours.filter(\.isWater)
        return water.contains { water in
            land.contains { $0.squaredDistance(to: water) >= visible * visible }
        }
    }

    private static func differ(_ shares: [Double]) -> Bool {
        (shares.max() ?? 0) - (shares.min() ?? 0) >= visibleShare
    }

    /// Returns the two colours of a cell.
    private func colours(of cell: Cell) -> [OKLab] {
        [isBlank(cell) ? nil : cell.ink.rgb, cell.paper.rgb].compactMap(\.self).map {
            OKLab(red: Float($0.red), green: Float($0.green), blue: Float($0.blue))
        }
    }

    private func isBlank(_ cell: Cell) -> Bool { cell.glyph == " " || cell.glyph == "\u{2800}" }

    /// Returns the share of a cell's dots that are inked; a half for glyphs without dots.
    private func inkShare(of cell: Cell) -> Double {
        guard !isBlank(cell) else { return 0 }
        let number = cell.glyph.value
        return 0x2800..<0x2900 ~= number ? Double((number & 0xFF).nonzeroBitCount) / 8 : 0.5
    }
}

extension OKLab {
    /// True for the blue and cyan colours of water. Land is never blue, and borders are purple.
    fileprivate var isWater: Bool { value.z < -0.02 && value.y < 0.03 }
}

/// The cells through which the shores of the sea and of lakes pass in a view.
private struct Coast {
    private(set) var points: [(row: Int, column: Int)] = []
    /// The area in cells of the smallest island or lake that can be shown as an area.
    private static let least = 2.0

    /// Reads the shores from the archive's tiles of the view's zoom.
    init(_ viewport: Viewport, _ archive: PMTilesArchive) throws {
        let zoom = min(Int(viewport.camera.zoom), archive.info.zooms.upperBound)
        for placed in TileCover.tiles(in: viewport, zoom: zoom) {
            guard case .bitmap(.encoded(let bytes)) = try archive.tile(placed.tile) else { continue }
            let tile = try VectorTile(bytes)
            var reader = GeometryReader()
            for name in ["ocean", "lakes"] {
                guard let layer = try tile.layer(named: name) else { continue }
                for feature in layer.features where reader.read(feature, of: layer) {
                    if isHidden(feature, of: layer, at: viewport.camera.zoom) { continue }
                    for part in 0..<reader.geometry.partCount {
                        let range = reader.geometry.part(part)
                        add(Array(reader.geometry.points[range]), Int32(layer.extent), placed, viewport)
                    }
                }
            }
        }
    }

    /// Returns true if a lake is too small for a zoom.
    private func isHidden(_ feature: VectorFeature, of layer: VectorLayer, at zoom: Double) -> Bool {
        guard case .integer(let first)? = layer.attributes(of: feature)?["from"] else { return false }
        return zoom < Double(first)
    }

    /// Returns the area of a ring.
    private func size(of ring: [SIMD2<Double>]) -> Double {
        guard var last = ring.last else { return 0 }
        var doubled = 0.0
        for point in ring {
            doubled += last.x * point.y - point.x * last.y
            last = point
        }
        return abs(doubled) / 2
    }

    /// Adds the cells along a ring, but for its sides on the edges of the tile.
    private mutating func add(
        _ ring: [SIMD2<Int32>], _ extent: Int32, _ placed: PlacedTile, _ viewport: Viewport
    ) {
        let side = Double(1 << placed.tile.zoom)
        func cell(_ point: SIMD2<Int32>) -> SIMD2<Double> {
            let place = viewport.cell(
                of: WorldPoint(
                    x: (Double(placed.tile.x) + Double(point.x) / Double(extent)) / side
                        + Double(placed.copy),
                    y: (Double(placed.tile.y) + Double(point.y) / Double(extent)) / side))
            return SIMD2(place.column, place.row)
        }
        func isInside(_ point: SIMD2<Int32>) -> Bool {
            point.x > 0 && point.x < extent && point.y > 0 && point.y < extent
        }
        guard let last = ring.last, size(of: ring.map(cell)) >= Self.least else { return }
        for (from, to) in zip([last] + ring, ring) where isInside(from) && isInside(to) {
            let a = cell(from)
            let b = cell(to)
            let steps = max(((b - a).max() - (b - a).min()).rounded(.up) * 2, 1)
            guard steps < 10_000 else { continue }
            for step in stride(from: 0.0, to: steps, by: 1) {
                let at = a + (b - a) * (step / steps)
                let row = Int(clamping: at.y.rounded(.down))
                let column = Int(clamping: at.x.rounded(.down))
                guard (0..<viewport.rows).contains(row), (0..<viewport.columns).contains(column) else {
                    continue
                }
                points.append((row, column))
            }
        }
    }
}
