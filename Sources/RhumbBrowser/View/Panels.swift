internal import RhumbCore
internal import RhumbEngine

/// What each panel says.
extension Browser {
    func panelText(_ panel: Panel, _ scene: Scene) -> PanelText {
        switch panel {
        case .help(let top):
            PanelText(
                title: "Keys", lines: helpLines, footer: "j k scroll · Esc close", top: top)
        case .messages(let top): messagesText(top: top)
        case .layers(let row): layersText(row: row)
        case .search(let panel): searchText(panel)
        case .sources(let row): sourcesText(row: row)
        case .here: hereText(scene)
        case .cache(let panel): cacheText(panel)
        case .download(let panel): downloadText(panel)
        case .regions(let panel): regionsText(panel)
        }
    }

    /// The help, from the live key table and the command table.
    var helpLines: [PanelText.Line] {
        var lines: [PanelText.Line] = []
        for section in Keymap.Section.allCases {
            if !lines.isEmpty { lines.append(.init(text: "")) }
            lines.append(.init(text: section.rawValue, style: .bold))
            for binding in keymap.bindings where binding.section == section && !binding.label.isEmpty {
                lines.append(.init(text: helpRow(binding.label, binding.help)))
            }
        }
        lines.append(.init(text: helpRow("mouse", "drag moves, wheel zooms there")))
        lines += [.init(text: ""), .init(text: "After :", style: .bold)]
        for command in TypedCommand.all {
            let words = command.arguments.isEmpty ? command.name : "\(command.name) \(command.arguments)"
            lines.append(.init(text: helpRow(words, command.help, column: 18)))
        }
        return lines
    }

    private func helpRow(_ left: String, _ right: String, column: Int = 8) -> String {
        let shown = settings.isUnicode ? left : left.asciiKeys
        let gap = String(repeating: " ", count: max(column - shown.width, 1))
        return shown + gap + right
    }

    private func messagesText(top: Int) -> PanelText {
        let lines = notices.all.reversed().map { notice in
            let ago = Int((now - notice.time) / Duration.seconds(1))
            return PanelText.Line(
                text: notice.text, right: "\(ago) s", style: notice.isProblem ? .bold : [])
        }
        let none = [PanelText.Line(text: "nothing was said yet")]
        return PanelText(
            title: "Messages", lines: lines.isEmpty ? none : lines,
            footer: "j k scroll · Esc close", top: top)
    }

    private func layersText(row: Int) -> PanelText {
        var lines: [PanelText.Line] = []
        for (at, layer) in listedLayers.enumerated() {
            let mark = layer.isVisible ? (settings.isUnicode ? "●" : "*") : (settings.isUnicode ? "○" : "o")
            let share = "\(Int((layer.opacity * 100).rounded())) %"
            lines.append(
                .init(
                    text: "\(mark) \(layer.info.name)", right: share,
                    style: at == row ? .reverse : []))
            let zooms = "z\(layer.info.zooms.lowerBound)–\(layer.info.zooms.upperBound)"
            lines.append(.init(text: "    \(zooms)  \(layer.tileSize.rawValue) px  \(layer.info.attribution)"))
        }
        lines += [.init(text: ""), .init(text: "Tab lists the sources there are")]
        lines += [.init(text: ":open FILE shows another map"), .init(text: ":over FILE lays one over this")]
        lines += [.init(text: "")] + featureLines
        return PanelText(
            title: "Maps and layers", lines: lines,
            footer: settings.isUnicode
                ? "Space · ←→ opacity · <> order · x off · Tab" : "Space show, <> order, x off, Tab")
    }
}

extension Browser {
    /// The three lists of features; `:features`, `:prefetch` and `:pass-through` set them.
    private var featureLines: [PanelText.Line] {
        let lists = [
            ("enabled", configuration.enabledFeatures), ("fetched ahead", configuration.implicitlyPrefetchedFeatures),
            ("pass through offline", configuration.passThroughFeatures),
        ]
        return lists.flatMap { title, features in
            let names = features.sorted().map(\.name).joined(separator: ", ")
            return [PanelText.Line(text: title, style: .bold)] + wrapped(names.isEmpty ? "none" : names, width: panelFrame.columns - 6)
        }
    }

    /// The sources there are, the chosen one marked and told about.
    private func sourcesText(row: Int) -> PanelText {
        let row = min(row, max(sources.count - 1, 0))
        var lines = sources.enumerated().map { at, choice in
            PanelText.Line(
                text: "\(mark(choice)) \(choice.name)", right: choice.words == choice.name ? "" : choice.words,
                style: at == row ? .reverse : [])
        }
        if sources.indices.contains(row) {
            let choice = sources[row]
            let note = choice.missingKey.map { "needs a key: \($0)" } ?? choice.note
            lines.insert(.init(text: "    \(note)"), at: row + 1)
        } else {
            lines = [.init(text: "no sources are known")]
        }
        let room = max(panelFrame.rows - 2, 1)
        return PanelText(
            title: "Sources", lines: lines,
            footer: settings.isUnicode
                ? "Enter open · a over · Tab layers" : "Enter open, a over, Tab layers",
            top: max(min(row + 2 - room, lines.count - room), 0))
    }

    /// Whether a source is on the map, or can't be for want of a key.
    private func mark(_ choice: SourceChoice) -> String {
        if choice.missingKey != nil { return settings.isUnicode ? "–" : "-" }
        let isShown = layers.contains { $0.words == choice.words || $0.id.hasPrefix("\(choice.words).") }
        return isShown ? (settings.isUnicode ? "●" : "*") : " "
    }
}

extension String {
    /// Key labels without arrows and other signs.
    var asciiKeys: String {
        var text = ""
        for character in self {
            switch character {
            case "←": text += "left"
            case "→": text += "right"
            case "↑": text += "up"
            case "↓": text += "down"
            case "⇧": text += "shift-"
            default: text.append(character)
            }
        }
        return text
    }
}
