internal import RhumbCore
public import RhumbEngine

extension Browser {
    /// The frame of the open panel, with room for only one line of its keys.
    var panelFrame: PanelFrame {
        let whole = wholePanelFrame
        return PanelFrame(
            row: whole.row, column: whole.column, rows: max(whole.rows - max(panelKeyLines.count - 1, 0), 3),
            columns: whole.columns)
    }

    /// True if panels are drawn beside the map, and not over its lower part.
    var hasDrawer: Bool { map.columns >= 100 && panels.top?.spansScreen != true }

    var wholePanelFrame: PanelFrame {
        if hasDrawer {
            let width = max(min(max(map.columns / 3, 38), 46), min(map.columns / 4, 64))
            return PanelFrame(row: 0, column: map.columns - width, rows: map.viewport.rows, columns: width)
        }
        // The point that a panel describes stays in view above it, unless the panel would have no line then.
        let rows = map.viewport.rows
        let most = panels.top?.marksPoint == true ? max(rows - rows / 2 - 1, min(rows, 4)) : rows
        let height = min(max(map.viewport.rows / 2, panels.top is HelpPanel ? HelpPanel.firstRows : 8), most)
        return PanelFrame(row: map.viewport.rows - height, column: 0, rows: height, columns: map.columns)
    }

    func isOverPanel(column: Int, row: Int) -> Bool {
        guard !panels.isEmpty, let frame = (map.screenUse.panel ?? drawnPanel(Scene(layers: [])))?.frame
        else {
            return false
        }
        return column >= frame.column && row >= frame.row
            && row < frame.row + frame.rows && column < frame.column + frame.columns
    }

    /// Returns a text wrapped to the width of the panel, less an indent in columns.
    func wrapped(_ text: String, indent: Int = 0) -> [PanelText.Line] {
        wrapped(text, to: wholePanelFrame.columns - 4 - indent)
    }

    /// Returns a text wrapped to a width in columns.
    func wrapped(_ text: String, to width: Int) -> [PanelText.Line] {
        (map.settings.isSpoken ? [text] : text.wrappedLines(width)).map { .init(text: $0) }
    }
}

extension String {
    /// Returns the text in parts of at most the given number of columns. A path is divided behind a slash.
    fileprivate func pieces(of columns: Int) -> [String] {
        guard width > columns else { return [self] }
        return reduce(into: [""]) { parts, character in
            let last = parts[parts.count - 1]
            if last.width + String(character).width > columns {
                let name = last.lastIndex(of: "/").map { last[$0...].dropFirst() } ?? ""
                let rest = name.count * 2 <= last.count ? name : ""
                parts[parts.count - 1] = String(last.dropLast(rest.count))
                parts.append(String(rest))
            }
            parts[parts.count - 1].append(character)
        }
    }

    /// Returns the words in lines of at most the given width, at least one line. A longer word is divided.
    func wrappedLines(_ columns: Int) -> [String] {
        split(separator: " ").flatMap { String($0).pieces(of: max(columns, 8)) }.lines(of: columns)
    }
}

/// The keys at the bottom of the open panel.
extension Browser {
    /// The keys of the open panel, followed by the keys that all panels share. While a prompt is open, Esc is
    /// the only shared key, because the others type text.
    var panelKeys: [PanelKey] {
        guard let top = panels.top else { return [] }
        var own = top.keys(self)
        if let tab = top.tab, input.prompt == nil { own.insert(tab.key, at: min(own.count, 1)) }
        if let prompt = input.prompt {
            own.removeAll(where: \.typesText)
            if let verb = prompt.enterVerb {
                own = own.filter { $0.key != "Enter" } + [PanelKey("Enter", verb)]
            }
            return own + [.close]
        }
        let shared = (top.filter == nil ? [] : [PanelKey.filter]) + [.copy]
        let help = own.first { $0.key == PanelKey.help.key } ?? .help
        return own.filter { $0 != help } + shared.filter { key in !own.contains { $0.key == key.key } } + [
            help, .close,
        ]
    }

    /// The keys in lines that fit into the panel. A panel over the map has a single line, which always
    /// includes help and Esc.
    var panelKeyLines: [[PanelKey]] {
        let keys = panelKeys.map { PanelKey(map.settings.isUnicode ? $0.key : $0.key.asciiKeys, $0.verb) }
        let room = wholePanelFrame.columns - 4
        guard hasDrawer else { return [PanelKey.line(of: keys, in: room)] }
        return keys.reduce(into: [[]]) { lines, key in
            let last = lines[lines.count - 1] + [key]
            if last.count == 1 || PanelKey.width(of: last) <= room {
                lines[lines.count - 1] = last
            } else {
                lines.append([key])
            }
        }
    }

    /// Returns the lines below a panel's text: a question if there is one, and the keys.
    func keyLines(under text: PanelText) -> [[PanelKey]] {
        let question = text.footer.isEmpty ? [] : wrapped(text.footer).map { [PanelKey("", $0.text)] }
        return question + panelKeyLines
    }

    /// Returns the parts of the screen that a frame of the scene uses.
    /// - Parameters:
    ///   - hasBackdrop: True if another map is drawn in the base map's gaps.
    ///   - isCut: True if a picture may lose a part of its first row and column, so that no label is there.
    public func use(of scene: Scene, hasBackdrop: Bool, isCut: Bool = false) -> FrameLayout {
        var use = FrameLayout()
        use.panel = drawnPanel(scene)
        use.covered =
            [use.panel?.frame.box, legendBox, overlayLegendBox].compactMap(\.self)
            + coordinateGridEdges + (isCut ? cutCells : [])
        use.open =
            hasBackdrop
            ? scene.layers.first { $0.layer.id == base?.id }?.openGround(at: map.viewport.camera.zoom) : nil
        return use
    }

    /// The first row and column. A picture of an exact size may lose a part of them.
    private var cutCells: [CellBox] {
        let columns = map.viewport.columns, rows = map.viewport.rows
        return [
            CellBox(columns: 0..<columns, rows: 0..<1), CellBox(columns: 0..<1, rows: 0..<rows),
        ]
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

extension LayerScene {
    /// Returns the area where the layer has no content and loads none.
    fileprivate func openGround(at zoom: Double) -> UncoveredCells {
        let open = gaps.filter { $0.reason != .loading }.flatMap(\.bare).map(\.tile)
        return UncoveredCells(
            bounds: layer.boundingBox, tiles: open, isEverywhere: layer.isTooFarOut(at: zoom))
    }
}
