internal import RhumbCore
public import RhumbEngine

/// The parts of the last frame that affect names on the map.
public struct FrameLayout: Equatable, Sendable {
    /// The cells below panels and legends.
    var covered: [CellBox] = []
    /// The drawn panel; nil for none.
    var panel: DrawnPanel?
    /// The area where another map is visible in the base map's gaps; nil for none.
    var open: UncoveredCells?

    init() {}
}

/// The position, lines and keys of a panel on the screen.
struct DrawnPanel: Equatable, Sendable {
    /// Identifies the panel in its stack.
    let id: Int
    let frame: PanelFrame
    let position: ScrollPosition
    /// The first line shown.
    let top: Int
    let keys: [[PanelKey]]
}

/// The visible area where the base map is empty.
struct UncoveredCells: Equatable, Sendable {
    /// The box outside which the base map is empty; nil for a map of the whole world.
    let bounds: Bounds?
    /// The empty tiles within the view.
    let tiles: [TileID]
    /// True if the base map is empty everywhere.
    let isEverywhere: Bool

    func contains(_ place: Coordinate) -> Bool {
        if isEverywhere || bounds?.contains(place) == false { return true }
        let point = Mercator.world(place)
        return tiles.contains { TileID(zoom: $0.zoom, containing: point) == $0 }
    }
}

extension Browser {
    /// Returns the parts of the screen that a frame of the scene uses.
    /// - Parameter hasBackdrop: True if another map is drawn in the base map's gaps.
    public func use(of scene: Scene, hasBackdrop: Bool) -> FrameLayout {
        var use = FrameLayout()
        use.panel = drawnPanel(scene)
        use.covered =
            [use.panel?.frame.box, legendBox, overlayLegendBox].compactMap(\.self)
            + coordinateGridEdges
        use.open =
            hasBackdrop
            ? scene.layers.first { $0.layer.id == base?.id }?.openGround(at: map.viewport.camera.zoom) : nil
        return use
    }

    mutating func receive(_ use: FrameLayout) -> [Effect] {
        if use.open != map.screenUse.open { labels.isStale = true }
        map.screenUse = use
        return []
    }

    /// Returns the open panel as drawn with a scene; nil if none is open.
    func drawnPanel(_ scene: Scene) -> DrawnPanel? {
        panelLayout(scene).map {
            DrawnPanel(id: panels.topID, frame: $0.frame, position: $0.position, top: $0.top, keys: $0.keys)
        }
    }
}

extension PanelFrame {
    /// The cells of the panel.
    var box: CellBox { CellBox(columns: column..<(column + columns), rows: row..<(row + rows)) }
}

extension LayerScene {
    /// Returns the area where the layer has no content and loads none.
    fileprivate func openGround(at zoom: Double) -> UncoveredCells {
        let open = gaps.filter { !$0.isCovered && $0.reason != .loading }.map(\.area.tile)
        return UncoveredCells(
            bounds: layer.boundingBox, tiles: open, isEverywhere: layer.isTooFarOut(at: zoom))
    }
}
