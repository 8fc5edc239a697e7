internal import RhumbCore
internal import RhumbEngine

/// The text of the outline of packages.
extension PackagesPanel {
    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard let list = browser.stored.packages.list else {
            return PanelText(title: "Packages", lines: [.init(text: "Reading the catalogues …")])
        }
        let rows = rows(browser), row = row(rows)
        var lines = rows.map { line($0, browser) }
        if rows.indices.contains(row) {
            lines[row].style = .reverse
            lines.insert(contentsOf: details(rows[row], browser), at: row + 1)
        }
        if rows.isEmpty { lines = outline.filter.isEmpty ? empty(list, browser) : [] }
        if browser.stored.packages.progress != nil { lines += browser.silenceLines() }
        lines += list.problems.flatMap { browser.wrapped($0) }
        return PanelText(title: "Packages", lines: lines)
    }

    private func line(_ item: PackageItem, _ browser: Browser) -> PanelText.Line {
        let isUnicode = browser.map.settings.isUnicode
        let fold =
            !item.hasChildren ? " " : outline.isOpen(item) ? (isUnicode ? "▾" : "-") : (isUnicode ? "▸" : "+")
        let mark = marked.contains(item.key) ? (isUnicode ? "✓ " : "> ") : ""
        let left =
            String(repeating: "  ", count: item.depth)
            + "\(fold) \(item.sign(isUnicode)) \(mark)\(item.title)"
        return .row(left, right: amount(item, browser), isSelected: false)
    }

    /// True for the package in progress, and for a closed group that contains it.
    private func isRunning(_ item: PackageItem, _ browser: Browser) -> Bool {
        guard let key = browser.stored.packages.progress?.key,
            let items = browser.stored.packages.list?.items,
            let at = items.firstIndex(where: { $0.key == item.key })
        else { return false }
        let inside = items[(at + 1)...].prefix { $0.depth > item.depth }
        return key == item.key || !outline.isOpen(item) && inside.contains { $0.key == key }
    }

    private func amount(_ item: PackageItem, _ browser: Browser) -> String {
        if let progress = browser.stored.packages.progress, isRunning(item, browser) {
            // The percentage is that of one package in a group.
            return progress.key == item.key ? "\(progress.percent) %" : progress.name
        }
        if item.isBrokenOff { return "interrupted" }
        return item.newer > 0
            ? "\(AmountText.count(item.newer)) newer" : item.size(isUnicode: browser.map.settings.isUnicode)
    }

    /// Returns the lines below the selected row.
    private func details(_ item: PackageItem, _ browser: Browser) -> [PanelText.Line] {
        let indent = String(repeating: " ", count: 2 * item.depth + 4)
        let status =
            switch item.status {
            case _ where isRunning(item, browser): "in progress"
            case .none: "not installed"
            case .partial: "partly installed"
            case .installed: "installed"
            }
        let isSizeBeside = item.newer == 0 && !item.isBrokenOff
        let known = [status, isSizeBeside ? "" : item.fullSize, item.edition].filter { !$0.isEmpty }.joined(
            separator: browser.map.settings.isUnicode ? " · " : ", ")
        let hint = item.isBrokenOff ? ["Enter: resume"] : item.newer > 0 ? ["U: update"] : []
        return ([known] + hint).flatMap { browser.wrapped($0, indent: indent.count) }.map {
            .init(text: indent + $0.text, style: .dim)
        }
    }

    private func empty(_ list: PackageList, _ browser: Browser) -> [PanelText.Line] {
        guard list.problems.isEmpty else { return [] }
        return browser.wrapped(
            "No packages: no catalogue is configured, and this map can't be downloaded. Press m to open a map that "
                + "allows downloads.")
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        let rows = rows(browser)
        guard !rows.isEmpty else { return [] }
        let item = rows[row(rows)]
        let always = [PanelKey("U", "update"), .init("g", "go there")]
        if let progress = browser.stored.packages.progress {
            return [.init("P", progress.isPaused ? "resume" : "pause"), .init("C", "stop")] + always
        }
        if item.isBrokenOff { return [.init("Enter", "resume"), .remove] + always }
        let isThere = item.status == .installed && marked.isEmpty
        if isThere { return [.init("Enter", "open"), .remove] + always }
        return [.init("Enter", "install"), .init("Space", "mark")] + always
    }
}

extension PackageItem {
    /// Returns the size, such as "172 kB" if it was measured, or "≤ 175 kB" otherwise.
    fileprivate func size(isUnicode: Bool) -> String {
        if isMeasured { return AmountText.bytes(bytes) }
        return bytes == 0 ? "" : "\(isUnicode ? "≤" : "<") \(AmountText.bytes(bytes))"
    }

    fileprivate var fullSize: String {
        isMeasured ? AmountText.bytes(bytes) : bytes == 0 ? "" : "up to \(AmountText.bytes(bytes))"
    }

    /// Returns the sign: ● installed, ◐ partial, ○ not installed.
    fileprivate func sign(_ isUnicode: Bool) -> String {
        switch status {
        case .installed: isUnicode ? "●" : "*"
        case .partial: isUnicode ? "◐" : "~"
        case .none: isUnicode ? "○" : "o"
        }
    }
}
