internal import RhumbCore
internal import RhumbEngine

/// The text of the inspector.
extension CachePanel {
    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard let overview = browser.stored.cache.overview.answer ?? nil else {
            return PanelText(title: "Cache", lines: [.init(text: "No cache: nothing is stored")])
        }
        let title =
            "Cache: " + CacheTab.allCases.map { $0 == tab ? "[\($0.word)]" : $0.word }.joined(separator: " ")
        switch tab {
        case .overview:
            return PanelText(title: title, lines: overviewLines(overview, browser))
        case .sources:
            return PanelText(title: title, lines: sourceLines(browser))
        case .tiles:
            let hasDetail = showsDetail && listed.indices.contains(row)
            return hasDetail ? detailText(title, listed[row], browser) : tilesText(title, browser)
        case .heat: return PanelText(title: title, lines: heatLines(browser))
        }
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        let care = [PanelKey("g", "go there"), .init("R", "refresh"), .init("I", "invalidate"), .remove]
        switch tab {
        case .overview: return [.pages]
        case .sources: return [.init("Enter", "tiles"), .remove, .move, .pages]
        case .tiles where showsDetail: return [.init("Enter", "back")] + care
        case .tiles:
            return [.init("Enter", "details"), .filter, .init("< >", "sort"), .init("Space", "mark")] + care
                + [.pages]
        case .heat: return [.init("[ ]", "zoom"), .pages]
        }
    }

    private func overviewLines(_ overview: CacheOverview, _ browser: Browser) -> [PanelText.Line] {
        let share = overview.quota > 0 ? Double(overview.usedBytes) / Double(overview.quota) : 0
        var lines: [PanelText.Line] = [
            .init(
                text: "\(AmountText.bytes(overview.usedBytes)) of \(AmountText.bytes(overview.quota))",
                right: AmountText.percent(share), style: .bold),
            .init(text: "", cells: gauge(share, browser)),
            .fact("on disk", AmountText.bytes(overview.fileBytes)),
        ]
        lines += total("entries", overview) { $0.entries }
        lines += total("fresh", overview) { $0.fresh }
        lines += total("stale", overview) { $0.stale }
        lines += total("absent", overview) { $0.absent }
        if let oldest = overview.oldest { lines.append(.fact("oldest", oldest)) }
        for text in overview.counts { lines += [.init(text: "")] + browser.wrapped(text) }
        return lines + [.init(text: "")] + browser.wrapped(overview.path)
    }

    private func total(
        _ name: String, _ overview: CacheOverview, _ part: (CacheOverview.Row) -> Int?
    ) -> [PanelText.Line] {
        let parts = overview.rows.map(part)
        let sum = parts.contains(nil) ? "…" : AmountText.count(parts.reduce(0) { $0 + ($1 ?? 0) })
        return [.fact(name, sum)]
    }

    private func gauge(_ share: Double, _ browser: Browser) -> [Cell] {
        ShareBar(share: share, width: max(browser.panelFrame.columns - 4, 1))
            .cells(browser.face, isUnicode: browser.map.settings.isUnicode)
    }

    private func sourceLines(_ browser: Browser) -> [PanelText.Line] {
        let head = PanelText.Line(text: "source", right: "tiles     bytes  fresh", style: .dim)
        let rows = sourceRows(browser)
        if rows.isEmpty { return filter?.isEmpty == false ? [] : [.init(text: "Nothing cached")] }
        return [head]
            + rows.enumerated().map { at, row in
                let right =
                    AmountText.count(row.entries).leftPadded(to: 7)
                    + AmountText.bytes(row.bytes).leftPadded(to: 10)
                    + row.freshText.leftPadded(to: 7)
                let style: Cell.Style = row.zoom == nil ? .bold : []
                return PanelText.Line.row(row.title, right: right, isSelected: at == self.row, style: style)
            }
    }

    // MARK: Tiles

    private func detailText(_ title: String, _ item: CacheItem, _ browser: Browser) -> PanelText {
        PanelText(title: title, lines: item.explanation.flatMap { browser.wrapped($0) })
    }

    private func tilesText(_ title: String, _ browser: Browser) -> PanelText {
        let text = selection.text
        var lines = [
            PanelText.Line(
                text: text.isEmpty ? "everything" : text, right: "by \(selection.order.rawValue)",
                style: .dim)
        ]
        lines += listed.enumerated().map { at, item in
            let mark = marked.contains(item.key) ? "*" : " "
            let right = sign(item.state, browser) + item.age.leftPadded(to: 8) + item.size.leftPadded(to: 10)
            let title =
                item.tile.map { selection.source == nil ? "\($0) \(item.name)" : "\($0)" } ?? item.name
            return PanelText.Line.row(mark + title, right: right, isSelected: at == row)
        }
        if listed.isEmpty { lines.append(.init(text: "Nothing cached")) }
        return PanelText(title: title, lines: lines)
    }

    private func sign(_ state: String, _ browser: Browser) -> String {
        let isUnicode = browser.map.settings.isUnicode
        let signs = isUnicode ? ["fresh": "●", "stale": "◐"] : ["fresh": "*", "stale": "~"]
        return signs[state] ?? (isUnicode ? "○" : "-")
    }

    // MARK: Heat

    private func heatLines(_ browser: Browser) -> [PanelText.Line] {
        guard let base = browser.base else { return [] }
        let zoom = browser.heatZoom(of: base, offset: heatOffset), box = browser.map.viewport.box
        let heat = browser.stored.cache.heat.answer.flatMap {
            $0.layer == base.id && $0.zoom == zoom ? $0 : nil
        }
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

extension CacheTab {
    fileprivate var word: String {
        switch self {
        case .overview: "state"
        case .sources: "sources"
        case .tiles: "tiles"
        case .heat: "map"
        }
    }
}

/// The texts of questions and notices of the cache panel.
enum CacheText {
    static func removal(of source: String) -> String { "Delete everything cached from \(source)?" }

    static let noPlace = "A document has no place on the map"
    static let invalidation = "Mark as stale:"

    static func outOfRange(_ zoom: Int) -> String {
        "Zoom \(zoom) is out of range (0 to \(TileID.maximumZoom))"
    }
}
