public import RhumbCore
public import RhumbEngine

/// Draws the lines and areas of a live layer as tiles: lines with a casing that sets them off from any map.
/// Its points are marked in cells, where glyphs and names are.
public struct OverlayDrawing: TileDrawing {
    /// Whatever is drawn has its own data.
    public let dataZooms = 0...TileSize.pixels256.maximumZoom
    /// It tells what lies at a place.
    public let isDescribed = true
    private let live: LiveLayer

    /// A drawing of a live layer.
    public init(_ live: LiveLayer) { self.live = live }

    /// The live layer as a layer of a map, over the maps and the traffic unless told otherwise.
    public static func layer(_ live: LiveLayer, role: LayerRole = .overlays) -> TileLayer {
        let info = TileSourceInfo(name: live.name, zooms: 0...TileSize.pixels256.maximumZoom, isOverlay: true)
        var layer = TileLayer(id: live.id, source: LiveTileSource(live), info: info)
        layer.drawing = OverlayDrawing(live)
        layer.role = role
        // Two pixels for each of the map's: finer than cells are divided.
        layer.detail = 1
        return layer
    }

    /// What is drawn now, whatever the bytes.
    public func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile { now }

    /// What is drawn now.
    public func keptTile(_ data: TileID) -> (any DrawnTile)? { now }

    private var now: OverlayTile {
        let index = live.index
        return OverlayTile(
            name: live.name, index: index, drawn: live.drawn ?? index, palette: live.palette,
            dress: live.dress)
    }
}

/// The lines and areas of a live layer at one moment.
struct OverlayTile: DrawnTile {
    let name: String
    let index: OverlayIndex
    let drawn: OverlayIndex
    let palette: OverlayPalette
    let dress: LiveLayer.Dress

    /// A picture of nothing, one for all tiles without anything.
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
            var pen = OverlayPen(tile, side: side, ratio: ratio(side), palette: palette, dress: dress)
            for run in runs(found) where run.isArea { pen.fill(run.shapes, run.look, on: canvas) }
            for run in runs(found) { pen.stroke(run.shapes, run.look, isArea: run.isArea, on: canvas) }
        }
        guard let raster else {
            throw TileFailure(.sourceFailed, "\(name) \(tile): out of memory while drawing")
        }
        return raster
    }

    /// Picture pixels for each of the map's.
    private func ratio(_ side: Int) -> Double { Double(side) / 128 * (dress.isFine ? 2 : 1) }

    private struct Run {
        let look: OverlayLook?
        let isArea: Bool
        var shapes: [(paths: [OverlayPath], turns: Double)]
    }

    /// Features that follow each other and look the same are drawn together.
    private func runs(_ found: [(slot: Int, turns: Double)]) -> [Run] {
        var runs: [Run] = []
        for (slot, turns) in found {
            let feature = drawn.features[slot], isArea = feature.kind == .polygon
            if let last = runs.last, last.look === feature.look, last.isArea == isArea {
                runs[runs.count - 1].shapes.append((feature.paths, turns))
            } else {
                runs.append(Run(look: feature.look, isArea: isArea, shapes: [(feature.paths, turns)]))
            }
        }
        return runs
    }

    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] {
        index.features(at: place, reach: reach).map { index.features[$0].described(in: name) }
    }
}

extension OverlayFeature {
    /// What is told of it.
    /// - Parameter layer: what it is a part of.
    public func described(in layer: String) -> MapFeature {
        var attributes = name.isEmpty ? [] : [MapFeature.Attribute("name", name)]
        attributes += self.attributes.pairs.filter { $0.value != name }.prefix(40).map {
            MapFeature.Attribute($0.name, $0.value)
        }
        if case .line(let paths) = shape { attributes += TrackStatistics(paths).attributes }
        return MapFeature(layer: layer, kind: kind, attributes: attributes)
    }
}
