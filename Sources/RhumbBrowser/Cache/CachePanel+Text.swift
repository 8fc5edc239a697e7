internal import RhumbCore
internal import RhumbEngine

/// What the inspector says.
extension Browser {
    func cacheText(_ panel: CachePanel) -> PanelText {
        guard let overview = cache.overview else {
            return PanelText(title: "Cache", lines: [.init(text: "there is none: nothing is kept")], footer: "Esc close")
        }
        let tabs = CachePanel.Tab.allCases.map { $0 == panel.tab ? "[\($0.rawValue) \($0.word)]" : "\($0.rawValue) \($0.word)" }
        let title = tabs.joined(separator: " ")
        switch panel.tab {
        case .overview:
            return PanelText(title: title, lines: overviewLines(overview), footer: "1–4 pages · Esc close")
        case .sources:
            return list(title, sourceLines(overview, panel), row: panel.row + 1, "Enter its tiles · j k · 1–4 · Esc")
        case .tiles: return tilesText(title, panel)
        case .heat: return PanelText(title: title, lines: heatLines(panel), footer: "[ ] zoom · 1–4 pages · Esc close")
        }
    }

    /// A list that scrolls with its chosen line.
    private func list(_ title: String, _ lines: [PanelText.Line], row: Int, _ footer: String) -> PanelText {
        let room = max(panelFrame.rows - 2, 1)
        return PanelText(title: title, lines: lines, footer: footer, top: max(0, min(row - room + 2, lines.count - room)))
    }

    private func overviewLines(_ overview: CacheOverview) -> [PanelText.Line] {
        let share = overview.quota > 0 ? Double(overview.usedBytes) / Double(overview.quota) : 0
        var lines: [PanelText.Line] = [
            .init(
                text: "\(AmountText.bytes(overview.usedBytes)) of \(AmountText.bytes(overview.quota))",
                right: AmountText.percent(share), style: .bold),
            .init(text: gauge(share)),
            .init(text: "on disk", right: AmountText.bytes(overview.fileBytes)),
        ]
        lines += total("entries", overview) { $0.entries }
        lines += total("fresh", overview) { $0.fresh }
        lines += total("stale", overview) { $0.stale }
        lines += total("absent", overview) { $0.absent }
        if let oldest = overview.oldest { lines.append(.init(text: "oldest", right: oldest)) }
        for text in overview.counts { lines += [.init(text: "")] + wrapped(text, width: panelFrame.columns - 4) }
        return lines + [.init(text: "")] + wrapped(overview.path, width: panelFrame.columns - 4)
    }

    private func total(
        _ name: String, _ overview: CacheOverview, _ part: (CacheOverview.Row) -> Int?
    ) -> [PanelText.Line] {
        let parts = overview.rows.map(part)
        let sum = parts.contains(nil) ? "…" : AmountText.count(parts.reduce(0) { $0 + ($1 ?? 0) })
        return [.init(text: name, right: sum)]
    }

    private func gauge(_ share: Double) -> String {
        let width = max(panelFrame.columns - 4, 1)
        let full = min(max(Int((share * Double(width)).rounded()), 0), width)
        let pen = settings.isUnicode ? ("█", "░") : ("#", ".")
        return String(repeating: pen.0, count: full) + String(repeating: pen.1, count: width - full)
    }

    private func sourceLines(_ overview: CacheOverview, _ panel: CachePanel) -> [PanelText.Line] {
        let head = PanelText.Line(text: "source · zoom", right: "tiles     bytes  fresh", style: .dim)
        return [head] + overview.rows.enumerated().map { at, row in
            let name = row.zoom < 0 ? row.name : "\(row.name) z\(row.zoom)"
            let present = row.entries - row.absent
            let fresh = row.fresh.map { present > 0 ? "\(100 * $0 / present) %" : "–" } ?? "…"
            let right = pad(AmountText.count(row.entries), 7) + pad(AmountText.bytes(row.bytes), 10) + pad(fresh, 7)
            return PanelText.Line(text: name, right: right, style: at == panel.row ? .reverse : [])
        }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.width, 0)) + text
    }

    // MARK: Tiles

    private func tilesText(_ title: String, _ panel: CachePanel) -> PanelText {
        if panel.showsDetail, cache.items.indices.contains(panel.row) {
            let lines = cache.items[panel.row].explanation.flatMap { wrapped($0, width: panelFrame.columns - 4) }
            return PanelText(title: title, lines: lines, footer: "g go there · R refresh · I x · Enter")
        }
        let words = panel.selection.words
        var lines = [PanelText.Line(
            text: words.isEmpty ? "everything" : words, right: "by \(panel.selection.order.rawValue)", style: .dim)]
        lines += cache.items.enumerated().map { at, item in
            let mark = panel.marked.contains(item.key) ? "*" : " "
            let right = sign(item.state) + pad(item.age, 8) + pad(item.size, 10)
            let place = item.tile.map { panel.selection.source == nil ? "\($0) \(item.name)" : "\($0)" } ?? item.name
            return PanelText.Line(text: mark + place, right: right, style: at == panel.row ? .reverse : [])
        }
        if cache.items.isEmpty { lines.append(.init(text: "nothing is kept of that")) }
        return list(title, lines, row: panel.row + 1, tilesFooter(panel))
    }

    private func sign(_ state: String) -> String {
        let signs = settings.isUnicode ? ["fresh": "●", "stale": "◐"] : ["fresh": "*", "stale": "~"]
        return signs[state] ?? (settings.isUnicode ? "○" : "-")
    }

    private func tilesFooter(_ panel: CachePanel) -> String {
        guard let question = panel.question else { return "/ filter · <> sort · Space mark · R I x" }
        let count = max(panel.marked.count, 1)
        return "\(question == .delete ? "delete" : "invalidate") \(count == 1 ? "it" : "these \(count)")? y/N"
    }

    // MARK: Heat

    private func heatLines(_ panel: CachePanel) -> [PanelText.Line] {
        guard let base else { return [] }
        let zoom = heatZoom(of: base), box = viewport.box
        let heat = cache.heat.flatMap { $0.layer == base.id && $0.zoom == zoom ? $0 : nil }
        let side = Double(1 << zoom)
        let columns = Int((box.maxX * side).rounded(.up)) - Int((box.minX * side).rounded(.down))
        let rows = Int((min(box.maxY, 1) * side).rounded(.up)) - Int((max(box.minY, 0) * side).rounded(.down))
        let all = max(columns, 0) * max(rows, 0)
        var lines = [
            PanelText.Line(text: base.info.name, right: "zoom \(zoom)", style: .bold),
            PanelText.Line(text: "tiles in view", right: AmountText.count(all)),
        ]
        guard let heat else { return lines + [.init(text: "…")] }
        for state in [HeatMap.State.fresh, .stale, .absent, .pinned] {
            let count = heat.states.values.count { $0 == state }
            lines.append(.init(text: "\(HeatPainter.sign(state)) \(state)", right: AmountText.count(count)))
        }
        lines.append(.init(text: "  missing", right: AmountText.count(max(all - heat.states.count, 0))))
        return lines
    }
}

extension CachePanel.Tab {
    fileprivate var word: String {
        switch self {
        case .overview: "state"
        case .sources: "sources"
        case .tiles: "tiles"
        case .heat: "map"
        }
    }
}
