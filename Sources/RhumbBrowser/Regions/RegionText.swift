internal import RhumbCore
internal import RhumbEngine

/// What the panels of regions say.
extension Browser {
    func downloadText(_ panel: DownloadPanel) -> PanelText {
        let draft = panel.draft
        let name = panel.name.map { $0.string + "_" } ?? draft.name
        var lines: [PanelText.Line] = [
            .init(text: "name", right: name.clipped(to: panelFrame.columns - 12), style: panel.name == nil ? [] : .bold),
            .init(text: "source", right: layers.filter { draft.layers.contains($0.id) }.map(\.info.name).joined(separator: " + ")),
            .init(text: "zooms", right: zoomText(draft.zooms), style: .bold),
            .init(text: "packs", right: draft.isExact ? "only the tiles touched" : "whole"), .init(text: ""),
        ]
        if let plan = panel.plan { lines += planLines(plan) }
        if let problem = panel.problem { lines += wrapped(problem, width: panelFrame.columns - 4) }
        if panel.plan == nil && panel.problem == nil { lines.append(.init(text: "counting…")) }
        return PanelText(title: "Download this view", lines: lines, footer: downloadFooter(panel))
    }

    private func zoomText(_ zooms: ClosedRange<Int>) -> String {
        let arrows = settings.isUnicode ? ("◂", "▸") : ("<", ">")
        return "\(arrows.0) \(zooms.lowerBound) – \(zooms.upperBound) \(arrows.1)"
    }

    private func planLines(_ plan: RegionPlan) -> [PanelText.Line] {
        var lines = [PanelText.Line(text: "zoom", right: "tiles   here  to fetch", style: .dim)]
        let zooms = Set(plan.rows.map(\.zoom)).sorted()
        for zoom in zooms {
            let rows = plan.rows.filter { $0.zoom == zoom }
            lines.append(.init(text: "\(zoom)", right: amounts(rows.reduce(0) { $0 + $1.tiles }, rows.reduce(0) { $0 + $1.stored })))
        }
        lines.append(.init(text: "total", right: amounts(plan.tiles, plan.stored), style: .bold))
        lines.append(.init(text: "≈ " + plan.size.text))
        if let seconds = plan.seconds, seconds >= 1 { lines.append(.init(text: "at least \(AmountText.seconds(seconds))")) }
        if let free = plan.freeDisk { lines.append(.init(text: "\(AmountText.bytes(free)) free on the disk")) }
        for packs in plan.sources.compactMap(\.packs) {
            lines.append(.init(text: "packs \(AmountText.count(packs.added.total)), \(AmountText.count(packs.used)) of \(AmountText.count(packs.limit)) used"))
        }
        if plan.verdict != .allowed {
            lines.append(.init(text: ""))
            for text in plan.verdict.lines { lines += wrapped(text, width: panelFrame.columns - 4) }
        }
        return lines
    }

    private func amounts(_ tiles: Int, _ stored: Int) -> String {
        func pad(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(width - text.width, 0)) + text }
        return pad(AmountText.count(tiles), 9) + pad(AmountText.count(stored), 7) + pad(AmountText.count(tiles - stored), 10)
    }

    private func downloadFooter(_ panel: DownloadPanel) -> String {
        if panel.name != nil { return "Enter done · Esc as it was" }
        if case .ask? = panel.plan?.verdict { return "y it is allowed to me · Esc close" }
        return settings.isUnicode ? "Enter start · ←→ < > zooms · w · Tab name" : "Enter start, < > zooms, w, Tab name"
    }

    func regionsText(_ panel: RegionsPanel) -> PanelText {
        guard !regions.isEmpty else {
            let hint = wrapped("there are no regions yet: d downloads what is seen", width: panelFrame.columns - 4)
            return PanelText(title: "Regions", lines: hint, footer: "Esc close")
        }
        var lines: [PanelText.Line] = []
        for (at, item) in regions.enumerated() {
            let isChosen = at == panel.row
            lines.append(.init(text: item.name, right: AmountText.bytes(item.bytes), style: isChosen ? .reverse : .bold))
            lines.append(.init(text: "  \(stateText(item))", right: item.pace.isEmpty ? item.age : item.pace))
            guard isChosen else { continue }
            let counts = "  \(AmountText.count(item.tiles)) of \(AmountText.count(item.planned)) tiles"
                + (item.absent > 0 ? ", \(AmountText.count(item.absent)) absent" : "")
            lines.append(.init(text: counts, right: item.zooms.map { "z\($0.lowerBound)–\($0.upperBound)" } ?? ""))
            if item.failed > 0 { lines.append(.init(text: "  \(AmountText.count(item.failed)) gaps: t tries them again")) }
            if !item.expiry.isEmpty { lines.append(.init(text: "  \(item.expiry)", right: item.id)) }
            if !item.reason.isEmpty { lines += wrapped(item.reason, width: panelFrame.columns - 6) }
        }
        let room = max(panelFrame.rows - 2, 1)
        return PanelText(
            title: "Regions", lines: lines, footer: regionsFooter(panel),
            top: max(0, min(panel.row * 2 - room + 8, lines.count - room)))
    }

    private func stateText(_ item: RegionItem) -> String {
        item.settled < item.planned ? "\(item.state) \(item.percent) %" : item.state
    }

    private func regionsFooter(_ panel: RegionsPanel) -> String {
        if let question = panel.question {
            return question == .remove ? "remove it and its tiles? y/N" : "stop the download? y/N"
        }
        return "Enter go · R t p e n x C · Esc"
    }

    /// "⇣ Turku 61 % 676/1,109 12 tiles/s"; nothing when no region is under way.
    var downloadState: String {
        guard let item = regions.first(where: \.isUnderWay) else { return "" }
        let others = regions.count { $0.isUnderWay } - 1
        let arrow = settings.isUnicode ? "⇣" : "v"
        let more = others > 0 ? " +\(others)" : ""
        let state = item.state == "running" ? "" : " \(item.state)"
        return "\(arrow) \(item.name.clipped(to: 20)) \(item.percent) %\(state) \(item.pace)\(more)"
    }
}
