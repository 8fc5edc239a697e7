public import RhumbCore
public import RhumbEngine

/// Draws the lines and areas of a live layer as tiles. Lines have a casing that sets them off from any map.
/// Points are drawn in cells instead, with glyphs and names.
public struct OverlayDrawing: TileDrawing {
    /// All zooms, because features can be drawn at any zoom.
    public let dataZooms = 0...TileSize.pixels256.usualDepth
    /// True, because features can be queried.
    public let isDescribed = true
    private let live: LiveLayer

    /// Creates the drawing of a live layer.
    public init(_ live: LiveLayer) { self.live = live }

    /// Returns the live layer as a map layer above maps and traffic.
    public static func layer(_ live: LiveLayer) -> TileLayer {
        let info = TileSourceInfo(name: live.name, zooms: 0...TileSize.pixels256.usualDepth, isOverlay: true)
        var layer = TileLayer(id: live.id, source: LiveTileSource(live), info: info)
        layer.drawing = OverlayDrawing(live)
        layer.role = .overlays
        // Draws two pixels per map pixel, finer than the subdivision of cells.
        layer.detail = 1
        return layer
    }

    /// Returns the current tile, regardless of the bytes.
    public func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile { now }

    /// Returns the current tile.
    public func cachedTile(_ data: TileID) -> (any DrawnTile)? { now }

    private var now: OverlayTile {
        let index = live.index
        return OverlayTile(
            name: live.name, index: index, drawn: live.drawn ?? index, palette: live.palette,
            overlayTheme: live.overlayTheme)
    }
}

/// A snapshot of the lines and areas of a live layer.
struct OverlayTile: DrawnTile {
    let name: String
    let index: OverlayIndex
    let drawn: OverlayIndex
    let palette: OverlayPalette
    let overlayTheme: LiveLayer.OverlayTheme

    /// A transparent raster, shared by all empty tiles.
    private static let clear = Raster(
        width: 256, height: 256, pixels: [UInt8](repeating: 0, count: 256 * 256 * 4))

    func picture(of tile: TileID, side: Int) throws(TileFailure) -> Raster {
        let scale = Double(side) * Double(1 << tile.zoom), reach = OverlayPen.widest * ratio(side) / scale,
            box = tile.box
        let around = WorldBox(
            minX: box.minX - reach, minY: box.minY - reach, maxX: box.maxX + reach, maxY: box.maxY + reach)
        let found = drawn.hasShapes ? drawn.shapes(touching: around) : []
        if found.isEmpty, side == 256, let clear = Self.clear { return clear }
        let raster = Canvas.raster(side: side) { canvas in
            var pen = OverlayPen(
                tile, side: side, ratio: ratio(side), palette: palette, overlayTheme: overlayTheme)
            for run in runs(found) where run.isArea { pen.fill(run.shapes, run.style, on: canvas) }
            for run in runs(found) { pen.stroke(run.shapes, run.style, isArea: run.isArea, on: canvas) }
        }
        guard let raster else {
            throw TileFailure(.sourceFailed, "\(name) \(tile): out of memory while drawing")
        }
        return raster
    }

    /// Returns the number of raster pixels per map pixel.
    private func ratio(_ side: Int) -> Double { Double(side) / 128 * (overlayTheme.isFine ? 2 : 1) }

    private struct Run {
        let style: OverlayStyle?
        let isArea: Bool
        var shapes: [(paths: [OverlayPath], turns: Double)]
    }

    /// Groups consecutive features with the same style, which are drawn together.
    private func runs(_ found: [(slot: Int, turns: Double)]) -> [Run] {
        var runs: [Run] = []
        for (slot, turns) in found {
            let feature = drawn.features[slot], isArea = feature.kind == .polygon
            // Each polygon is filled by itself, because those of KML may overlap.
            let parts = if case .area(let areas) = feature.shape { areas } else { [feature.paths] }
            let shapes = parts.map { (paths: $0, turns: turns) }
            if let last = runs.last, last.style === feature.style, last.isArea == isArea {
                runs[runs.count - 1].shapes += shapes
            } else {
                runs.append(Run(style: feature.style, isArea: isArea, shapes: shapes))
            }
        }
        return runs
    }

    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] {
        index.features(at: place, reach: reach).map { index.features[$0].described(in: name) }
    }
}

extension OverlayFeature {
    /// Returns the feature's name, attributes and statistics.
    /// - Parameter layer: Name of the overlay.
    public func described(in layer: String) -> MapFeature {
        var attributes = name.isEmpty ? [] : [MapFeature.Attribute("name", name)]
        attributes += self.attributes.pairs.filter { $0.value != name }.prefix(40).map {
            MapFeature.Attribute($0.name, $0.value)
        }
        if !time.isNaN, self.attributes["age"] == nil {
            let age = UnixSeconds.now.seconds(since: UnixSeconds(Int64(clamping: time)))
            if age >= 0 { attributes.append(MapFeature.Attribute("age", AmountText.age(age))) }
        }
        if case .line(let paths) = shape { attributes += TrackStatistics(paths).attributes }
        return MapFeature(layer: layer, kind: kind, attributes: attributes)
    }
}
