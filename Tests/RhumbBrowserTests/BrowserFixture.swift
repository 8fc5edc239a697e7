import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport

/// A source without tiles.
struct BlankSource: TileLayerDataSource {
    func hasTile(_ tile: TileID) -> Bool { false }
}

extension Browser {
    static func test(
        columns: Int = 80, rows: Int = 24, layers: [TileLayer] = [.test(BlankSource())],
        camera: Camera? = nil
    ) -> Browser {
        Browser(columns: columns, rows: rows, layers: layers, camera: camera)
    }

    mutating func press(_ key: Key) -> [Effect] { send(.key(key)) }

    /// Handles an event, and returns its effects. Label layouts are computed immediately.
    mutating func send(_ event: Event) -> [Effect] {
        update(event, at: map.now).filter { effect in
            guard let task = effect.query(LabelLayoutTask.self) else { return true }
            _ = update(.laidOut(task), at: map.now)
            return false
        }
    }

    /// Presses `P`, and answers the query for the track.
    mutating func openProfile() -> [Effect] {
        let effects = press(.character("P"))
        return effects.queries(TrackQuery.self).reduce(effects) { effects, query in
            effects + send(.response(query.track(in: map.layers), to: query))
        }
    }

    mutating func type(_ text: String) {
        for character in text { _ = press(.character(character)) }
    }

    /// The screen over a map without tiles.
    var screen: CellGrid {
        let scene = TileBoard().scene(of: map.viewport, layers: map.layers)
        return view(scene, map: CellGrid(columns: map.viewport.columns, rows: map.viewport.rows))
    }

    func shows(_ text: String) -> Bool { screen.lines.contains { $0.contains(text) } }
}

extension CellGrid {
    /// The indices of cells with dotted lines over the map: braille, or ASCII strokes in the colour of lines.
    var dotted: [Int] {
        cells.indices.filter { at in
            let cell = cells[at],
                inks: [CellColor] = [.rgb(RGB(0x8FC1FF)), .rgb(RGB(0x1D3FD0)), .indexed(12)]
            let isStroke = "-|/\\+.".unicodeScalars.contains(cell.glyph) && inks.contains(cell.ink)
            return (0x2801...0x28FF).contains(cell.glyph.value) || isStroke
        }
    }
}
