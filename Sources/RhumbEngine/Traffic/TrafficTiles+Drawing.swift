public import RhumbCore

/// The drawing of vector tiles, and their other contents.
extension TrafficTiles {
    /// Draws vector tiles in a style that draws traffic, or in the default style, without requesting them
    /// again.
    /// - Parameter style: The user's style; nil for the default.
    public func setStyle(_ style: Style?) {
        change { state in
            guard style != nil || state.style != nil else { return [] }
            state.style = style
            for (number, record) in state.records {
                if let drawing = drawing(of: record.source, state) {
                    state.records[number]?.draw(by: drawing)
                }
            }
            show(state)
            return []
        }
    }

    /// Returns the drawing of a source's tiles; nil for images.
    func drawing(of source: TrafficSource, _ state: State) -> (any TileDrawing)? {
        source.isVector ? drawer?.drawing(of: source, in: state.style) : nil
    }

    /// Returns the marks of the incidents shown in a view.
    func signs(in viewport: Viewport, _ state: State) -> [TrafficSign] {
        let shown = state.schedule.shown(.incidents).flatMap { state.records[$0.number] }
        return shown?.signs(in: viewport) ?? []
    }

    func describe(_ status: inout TrafficStatus, _ state: State) {
        let marked = Set(
            state.viewport.map { view in
                signs(in: view, state).filter { view.shows($0.place) }.map(\.category)
            } ?? [])
        status.categories = TrafficIncident.Category.allCases.filter(marked.contains)
        if state.chosen[.flow]?.isVector == true, state.style?.source(ofTraffic: .flow) != nil {
            status.legend = nil
        }
        status.described = shownLayers(state).reversed().filter(\.isDescribed).map(\.id)
        // New sets count too, because they may never be shown.
        let sets = state.records.values
        status.leftOut = TrafficTiles.leftOut(
            tiles: sets.reduce(0) { $0 + $1.damaged.count }, things: sets.reduce(0) { $0 + $1.unknownCount })
    }

    private static func leftOut(tiles: Int, things: Int) -> String? {
        let parts = [
            tiles > 0 ? "\(tiles) \(tiles == 1 ? "tile" : "tiles") damaged" : nil,
            things > 0
                ? "\(things) \(things == 1 ? "feature" : "features") damaged, or without a level or kind"
                : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "traffic skipped: " + parts.joined(separator: ", ")
    }
}

extension Viewport {
    /// Returns true if a position is in view, in the copy of the world nearest to the centre.
    fileprivate func shows(_ place: WorldPoint) -> Bool {
        let box = box, x = place.x + (camera.center.x - place.x).rounded()
        return (box.minX...box.maxX).contains(x) && (box.minY...box.maxY).contains(place.y)
    }
}
