public import RhumbCore
public import RhumbEngine

extension Browser {
    /// Returns the lines and tints that are drawn in the pixels of the map: the coordinate grid, measured
    /// lines, outlines of panels, the circle of the position, the states of tiles, and failed areas.
    /// - Parameter cell: The size of a cell in pixels.
    public func pixelShapes(_ scene: Scene, cell: PixelSize) -> PixelShapes {
        var shapes = PixelShapes()
        let wide = PixelPainter.widened(map.viewport, cell: cell)
        shapes.tints = failedAreas(scene) + heatTints(wide) + tileTints(wide) + positionTint
        shapes.lines = gridLines(wide) + outlineLines + tileLines(scene)
        shapes.endsBesideView =
            map.settings.grid != nil || tiles.view == .borders || shapes.tints.contains { $0.shape == .box }
        return shapes
    }

    /// The colour of the edges of lines, which set them off from any map.
    private var edge: RGB { RGB(theme == .day ? 0xFFFFFF : 0x101418) }

    // MARK: Lines

    private func gridLines(_ wide: Viewport) -> [PixelShapes.Line] {
        guard let kind = map.settings.grid else { return [] }
        let grid = CoordinateGrid(kind, over: wide.box, columns: wide.columns, rows: wide.rows)
        let ordered = grid.lines.sorted { $0.weight < $1.weight }
        return ordered.map { line in
            PixelShapes.Line(
                points: line.points.map { SIMD2($0.x, $0.y) }, colour: CoordinateGridPainter.ink(theme),
                width: line.weight == .minor ? 1 : line.weight == .main ? 2 : 3, edge: edge)
        }
    }

    private var outlineLines: [PixelShapes.Line] {
        let circle = circleStyle.map { $0.rim ?? $0.fill } ?? OutlinePainter.colour(theme)
        let outlines = ([way] + (panels.top?.rings(self) ?? [])).map { ($0, OutlinePainter.colour(theme)) }
        return (outlines + [(positionCircle, circle)]).filter { !$0.0.isEmpty }.map { ring, colour in
            let points = OutlinePainter.points(ring, near: map.viewport.camera.center.x)
            return PixelShapes.Line(points: points + points.prefix(1), colour: colour, edge: edge)
        }
    }

    private func tileLines(_ scene: Scene) -> [PixelShapes.Line] {
        guard tiles.view == .borders, let layer = bordered(scene) else { return [] }
        return TileBorders.marks(layer).map { area, mark in
            let box = area.box
            let points = [
                SIMD2(box.minX, box.maxY), SIMD2(box.minX, box.minY), SIMD2(box.maxX, box.minY),
            ]
            return PixelShapes.Line(
                points: points, colour: Palette16.colour(mark.rawValue), width: 1, edge: edge)
        }
    }

    // MARK: Tints

    private func failedAreas(_ scene: Scene) -> [PixelShapes.Tint] {
        scene.layers.flatMap(\.failedAreas).map {
            PixelShapes.Tint(box: $0.box, colour: Palette16.colour(9), shape: .hatch)
        }
    }

    private func heatTints(_ wide: Viewport) -> [PixelShapes.Tint] {
        guard let (heat, onlyPinned) = shownHeat else { return [] }
        return tints(wide, heat.zoom) { tile in
            heat.states[tile].flatMap { state in
                state == .pinned || !onlyPinned
                    ? (HeatPainter.colour(state), HeatPainter.weight) : nil
            }
        }
    }

    private func tileTints(_ wide: Viewport) -> [PixelShapes.Tint] {
        guard let (shade, zoom) = tileShades else { return [] }
        return tints(wide, zoom) { tile in
            shade(tile).map { ($0.colour, $0.isHatched ? $0.weight / 3 : $0.weight) }
        }
    }

    private func tints(
        _ wide: Viewport, _ zoom: Int, _ tint: (TileID) -> (colour: RGB, share: Double)?
    ) -> [PixelShapes.Tint] {
        guard hasPixelTints(zoom) else { return [] }
        let side = Double(1 << zoom), box = wide.box
        func range(_ low: Double, _ high: Double) -> Range<Int> {
            Int((low * side).rounded(.down))..<Int((high * side).rounded(.up))
        }
        return range(box.minY, box.maxY).flatMap { y in
            range(box.minX, box.maxX).compactMap { x in
                TileID(zoom: zoom, wrappingX: x, y: y).flatMap(tint).map { colour, share in
                    PixelShapes.Tint(
                        box: WorldBox(
                            minX: Double(x) / side, minY: Double(y) / side, maxX: Double(x + 1) / side,
                            maxY: Double(y + 1) / side), colour: colour, share: share)
                }
            }
        }
    }

    /// True if tiles of a zoom are large enough to be tinted one by one. The cells of others are tinted.
    func hasPixelTints(_ zoom: Int) -> Bool {
        map.viewport.camera.worldPixels / Double(1 << zoom) >= 2 * Viewport.pixelsPerColumn
    }

    private var positionTint: [PixelShapes.Tint] {
        guard let circle = circleStyle, circle.opacity > 0, let place = position.fix?.place,
            let columns = positionRadius
        else { return [] }
        let radius = columns * Viewport.pixelsPerColumn / map.viewport.camera.worldPixels
        let middle = Mercator.world(place), center = map.viewport.camera.center.x
        let x = middle.x + (center - middle.x).rounded()
        return [
            PixelShapes.Tint(
                box: WorldBox(
                    minX: x - radius, minY: middle.y - radius, maxX: x + radius, maxY: middle.y + radius),
                colour: circle.fill, share: circle.opacity, shape: .circle)
        ]
    }
}
