internal import RhumbCore
internal import RhumbEngine

/// A scene whose rasters have positions, as boxes in the cells of the whole map.
struct PlacedScene: Sendable {
    /// A layer, and its blending with the layers below.
    struct Layer: Sendable {
        let blending: Blending
        let pictures: [Picture]

        struct Blending: Equatable, Sendable {
            let adjustment: ImageAdjustment
            let opacity: Float
            let sharpness: Float
        }
    }

    /// A raster, and the box that it fills, in 65536ths of a cell from the map's upper left corner.
    struct Picture: Sendable, Equatable {
        let raster: Raster
        /// The part of the raster that is drawn.
        let part: FixedPointRect
        let box: FixedPointRect
        let strength: Float

        static func == (a: Picture, b: Picture) -> Bool {
            a.box == b.box && a.part == b.part && a.strength == b.strength
                && a.raster.isIdentical(to: b.raster)
        }
    }

    /// The layers, bottom to top.
    let layers: [Layer]
    /// The cells of the view, from its upper left corner.
    let view: CellBox
    private let left: Int, top: Int
    /// The areas whose tiles are loading, relative to the view's corner.
    private let loading: [FixedPointRect]

    /// - Parameters:
    ///   - sharpness: The emphasis of thin lines, unless a layer needs more.
    ///   - raster: Returns the raster to draw for a picture of a layer.
    init(
        _ scene: Scene, _ viewport: Viewport, sharpness: Double,
        raster: (LayerScene.Picture, TileLayer) -> Raster
    ) {
        self.init(
            scene, CellPlacement(viewport),
            view: CellBox(columns: 0..<viewport.columns, rows: 0..<viewport.rows), sharpness: sharpness,
            raster: raster)
    }

    /// - Parameters:
    ///   - placement: The positions of tiles on a lattice of cells.
    ///   - view: The cells of the view, from its upper left corner.
    init(
        _ scene: Scene, _ placement: CellPlacement, view: CellBox, sharpness: Double,
        raster: (LayerScene.Picture, TileLayer) -> Raster
    ) {
        self.view = view
        left = placement.left
        top = placement.top
        loading = scene.layers.flatMap(\.gaps).filter { $0.reason == .loading }.map {
            placement.box(of: $0.area)
        }
        layers = scene.layers.filter { $0.pictures.contains { !$0.raster.isClear } }.map { scene in
            let layer = scene.layer
            let blending = Layer.Blending(
                adjustment: layer.adjustment, opacity: Float(layer.opacity),
                sharpness: Float(max(layer.adjustment.sharpness, sharpness)))
            let pictures = scene.pictures.filter { !$0.raster.isClear }.compactMap { picture in
                placement.boxes(of: picture).map { box, part in
                    Picture(
                        raster: raster(picture, layer), part: part,
                        box: box.moved(x: placement.left, y: placement.top),
                        strength: Float(picture.strength))
                }
            }
            return Layer(blending: blending, pictures: pictures)
        }
    }

    /// Returns the box of a picture in a part of the view, in 65536ths of a cell from the part's corner.
    func box(of picture: Picture, in part: CellBox) -> FixedPointRect {
        picture.box.moved(
            x: -left - part.columns.lowerBound * FixedPointRect.one,
            y: -top - part.rows.lowerBound * FixedPointRect.one)
    }

    /// Returns the number of cells that the view has moved since an earlier one; nil if unknown, or if the
    /// layers look different.
    func move(since old: PlacedScene) -> (columns: Int, rows: Int)? {
        let x = left - old.left, y = top - old.top
        guard view == old.view, layers.map(\.blending) == old.layers.map(\.blending),
            x.isMultiple(of: FixedPointRect.one), y.isMultiple(of: FixedPointRect.one)
        else { return nil }
        return (x / FixedPointRect.one, y / FixedPointRect.one)
    }

    /// Returns the parts of the view that an earlier scene did not show, or showed differently.
    /// - Parameter move: The move of the view since then.
    func changes(since old: PlacedScene, movedBy move: (columns: Int, rows: Int)) -> [CellBox] {
        let reused = view.moved(columns: -move.columns, rows: -move.rows).common(with: view)
        guard reused.count > 0 else { return [view] }
        var changes = [
            CellBox(columns: 0..<reused.columns.lowerBound, rows: view.rows),
            CellBox(columns: reused.columns.upperBound..<view.columns.upperBound, rows: view.rows),
            CellBox(columns: view.columns, rows: 0..<reused.rows.lowerBound),
            CellBox(columns: view.columns, rows: reused.rows.upperBound..<view.rows.upperBound),
        ]
        for (new, old) in zip(layers, old.layers) {
            let others =
                new.pictures.filter { !old.pictures.contains($0) }
                + old.pictures.filter { !new.pictures.contains($0) }
            changes += others.map(cells)
        }
        changes = changes.filter { $0.count > 0 }
        let apart = changes.enumerated().filter { at, box in
            !changes.enumerated().contains { $0 != at && $1.contains(box) && ($1 != box || $0 < at) }
        }
        let count = apart.reduce(0) { $0 + $1.element.count }
        return count < view.count ? apart.map(\.element) : [view]
    }

    /// Returns true if tiles of a part of the view are loading.
    func isLoading(_ part: CellBox) -> Bool {
        let one = FixedPointRect.one
        return loading.contains {
            $0.x0 < part.columns.upperBound * one && $0.x1 > part.columns.lowerBound * one
                && $0.y0 < part.rows.upperBound * one && $0.y1 > part.rows.lowerBound * one
        }
    }

    /// Returns the parts of the layers that are drawn in a part of the view.
    func contents(of part: CellBox) -> [(blending: Layer.Blending, pictures: [Picture])] {
        layers.map { layer in
            (layer.blending, layer.pictures.filter { cells(of: $0).common(with: part).count > 0 })
        }.filter { !$0.1.isEmpty }
    }

    /// Returns the smallest box around the cells that a layer's pictures touch, within a part of the view.
    func cells(of layer: Layer, in part: CellBox) -> CellBox {
        let boxes = layer.pictures.map { cells(of: $0).common(with: part) }.filter { $0.count > 0 }
        guard let first = boxes.first else { return CellBox(columns: 0..<0, rows: 0..<0) }
        return boxes.dropFirst().reduce(first) { $0.joined(with: $1) }
    }

    /// Returns the cells of the view that a picture touches.
    func cells(of picture: Picture) -> CellBox {
        let box = box(of: picture, in: view)
        func range(_ low: Int, _ high: Int) -> Range<Int> {
            (low >> 16)..<max((high + FixedPointRect.one - 1) >> 16, low >> 16)
        }
        return CellBox(columns: range(box.x0, box.x1), rows: range(box.y0, box.y1)).common(with: view)
    }
}

extension FixedPointRect {
    fileprivate func moved(x: Int, y: Int) -> FixedPointRect {
        FixedPointRect(x0: x0 + x, y0: y0 + y, x1: x1 + x, y1: y1 + y)
    }
}

/// The positions of tiles on the screen, in 65536ths of a cell. All are integers relative to the map's
/// corner, so that a move by whole cells moves every tile exactly.
struct CellPlacement {
    /// The number of cells around the world and from its upper edge to the lower.
    private let across: Double, down: Double
    private let columns: Int, rows: Int
    private let center: WorldPoint
    /// The upper left corner of the view, relative to the map's.
    let left: Int, top: Int
    /// A tile is cut at the edge of the view if it extends farther outside than this.
    private static let reach = 8192 * FixedPointRect.one

    init(_ viewport: Viewport) {
        let lattice = CellLattice(viewport), corner = lattice.corner(of: viewport)
        self.init(
            across: lattice.across, down: lattice.down, left: corner.x, top: corner.y,
            columns: viewport.columns, rows: viewport.rows, center: viewport.camera.center)
    }

    /// The positions on a lattice of cells over the world, relative to a corner in 65536ths of a cell.
    init(
        across: Double, down: Double, left: Int, top: Int, columns: Int, rows: Int, center: WorldPoint
    ) {
        self.across = across
        self.down = down
        self.left = left
        self.top = top
        self.columns = columns
        self.rows = rows
        self.center = center
    }

    func box(of placed: PlacedTile) -> FixedPointRect {
        let box = placed.box
        return FixedPointRect(
            x0: CellLattice.fixed(box.minX * across) - left,
            y0: CellLattice.fixed(box.minY * down) - top,
            x1: CellLattice.fixed(box.maxX * across) - left,
            y1: CellLattice.fixed(box.maxY * down) - top)
    }

    /// Returns the whole cells within the view that a tile touches.
    func cells(of placed: PlacedTile) -> (columns: Range<Int>, rows: Range<Int>) {
        let box = box(of: placed)
        func range(_ low: Int, _ high: Int, _ count: Int) -> Range<Int> {
            let first = min(max(low >> 16, 0), count)
            return first..<max(first, min((high + FixedPointRect.one - 1) >> 16, count))
        }
        return (range(box.x0, box.x1, columns), range(box.y0, box.y1, rows))
    }

    /// Returns the indices of the view's cells that contain a place, one for each visible copy of the world.
    func cells(at place: WorldPoint) -> [Int] {
        let row = (CellLattice.fixed(place.y * down) - top) >> 16
        guard (0..<rows).contains(row) else { return [] }
        let turns = (center.x - place.x).rounded()
        return (-2...2).compactMap { turn in
            let column = (CellLattice.fixed((place.x + turns + Double(turn)) * across) - left) >> 16
            return (0..<columns).contains(column) ? row * columns + column : nil
        }
    }

    /// Returns the box of a picture, and the part of its raster in 65536ths of a pixel; nil if it is out of
    /// view.
    func boxes(of picture: LayerScene.Picture) -> (box: FixedPointRect, part: FixedPointRect)? {
        let box = box(of: picture.area)
        let levels = picture.area.tile.zoom - picture.tile.tile.zoom
        guard (0...30).contains(levels) else { return nil }
        let width = picture.raster.width << 16, height = picture.raster.height << 16
        let x = picture.area.tile.x - picture.tile.tile.x << levels
        let y = picture.area.tile.y - picture.tile.tile.y << levels
        let part = FixedPointRect(
            x0: x * width >> levels, y0: y * height >> levels,
            x1: max((x + 1) * width >> levels, (x * width >> levels) + 1),
            y1: max((y + 1) * height >> levels, (y * height >> levels) + 1))
        return cut(box, part)
    }

    /// Clips a box that extends far beyond the view, so that its numbers stay small.
    private func cut(
        _ box: FixedPointRect, _ part: FixedPointRect
    ) -> (box: FixedPointRect, part: FixedPointRect)? {
        let (x, partX) = cut(box.x0..<box.x1, part.x0..<part.x1, columns)
        let (y, partY) = cut(box.y0..<box.y1, part.y0..<part.y1, rows)
        guard let x, let y else { return nil }
        return (
            FixedPointRect(x0: x.lowerBound, y0: y.lowerBound, x1: x.upperBound, y1: y.upperBound),
            FixedPointRect(
                x0: partX.lowerBound, y0: partY.lowerBound, x1: partX.upperBound,
                y1: partY.upperBound)
        )
    }

    private func cut(
        _ box: Range<Int>, _ part: Range<Int>, _ cells: Int
    ) -> (box: Range<Int>?, part: Range<Int>) {
        let view = 0..<(cells * FixedPointRect.one)
        guard box.overlaps(view) else { return (nil, part) }
        guard box.lowerBound < -Self.reach || box.upperBound > Self.reach else { return (box, part) }
        let clamped = box.clamped(to: -FixedPointRect.one..<(view.upperBound + FixedPointRect.one))
        let scale = Double(part.count) / Double(box.count)
        let low = part.lowerBound + Int(Double(clamped.lowerBound - box.lowerBound) * scale)
        let high = part.lowerBound + Int(Double(clamped.upperBound - box.lowerBound) * scale)
        return (clamped, min(low, part.upperBound - 1)..<min(max(high, low + 1), part.upperBound))
    }
}
