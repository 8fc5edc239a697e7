internal import RhumbCore
internal import RhumbEngine

/// The packages of the catalogues as an outline, to browse, install, update and uninstall them.
struct PackagesPanel: Panel {
    var entry: PanelEntry { .packages }
    var tab: OfflineTab? { .packages }
    var outline = PackageOutline()
    var marked: Set<PackageKey> = []
    /// The package that was last selected; nil for the default row.
    private var cursor: PackageKey?

    /// The filter as typed. The outline ignores case and accents.
    var filter: String? = "" {
        didSet {
            outline.filter = FoldedName.fold(filter ?? "")
            if !outline.filter.isEmpty { cursor = nil }
        }
    }

    func rows(_ browser: Browser) -> [PackageItem] { outline.rows(browser.stored.packages.list?.items ?? []) }

    /// Returns the selected row, which is at first that of the best match with the filter, or of an
    /// interrupted package.
    func row(_ rows: [PackageItem]) -> Int {
        rows.firstIndex { $0.key == cursor } ?? outline.bestMatch(in: rows)
            ?? rows.firstIndex(where: \.isBrokenOff) ?? 0
    }

    private func chosen(_ rows: [PackageItem]) -> PackageItem? { rows.isEmpty ? nil : rows[row(rows)] }

    func heat(_ browser: Browser) -> HeatOverlay? { HeatOverlay(onlyPinned: true) }

    func rings(_ browser: Browser) -> [[Position]] {
        chosen(rows(browser))?.area?.polygons.compactMap(\.first) ?? []
    }

    mutating func ask(_ browser: Browser) -> [Action] { [.heat()] }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        let rows = rows(browser)
        if key == .character("U") { return PackagePlanPanel.opening(.update, PackagesText.update, browser) }
        if browser.stored.packages.progress != nil, let actions = steer(key, browser) { return actions }
        guard let item = chosen(rows) else {
            let isMove = key.row(from: 0, of: 1, page: 8) != nil
            return browser.stored.packages.list == nil && isMove ? [] : nil
        }
        if move(key, rows) { return [] }
        switch key {
        case .arrow(.right, _), .character("l"): unfold(item, rows)
        case .arrow(.left, _), .character("h"): fold(item, rows)
        case .character(" "): mark(item, rows)
        case .character("g"):
            return flight(to: item, browser)
        default: return nil
        }
        return []
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        chosen(rows(browser)).map { enter($0, browser) }
    }

    mutating func remove(_ browser: Browser) -> [Action]? {
        let rows = rows(browser)
        return chosen(rows).map { uninstall($0, rows, browser) }
    }

    func copied(_ browser: Browser) -> String { chosen(rows(browser))?.key.id ?? "" }

    /// Moves the cursor.
    /// - Returns: True if the key moves the cursor.
    private mutating func move(_ key: Key, _ rows: [PackageItem]) -> Bool {
        guard let next = key.row(from: row(rows), of: rows.count, page: 8), rows.indices.contains(next) else {
            return false
        }
        cursor = rows[next].key
        return true
    }

    private mutating func unfold(_ item: PackageItem, _ rows: [PackageItem]) {
        guard item.hasChildren else { return }
        if outline.isOpen(item) { _ = move(.arrow(.down, shift: false), rows) } else { outline.turn(item) }
        cursor = cursor ?? item.key
    }

    /// Closes a package, or selects the package around it.
    private mutating func fold(_ item: PackageItem, _ rows: [PackageItem]) {
        cursor = item.key
        if item.hasChildren, outline.filter.isEmpty, outline.isOpen(item) { return outline.turn(item) }
        cursor = rows[..<row(rows)].last { $0.depth < item.depth }?.key ?? cursor
    }

    private mutating func mark(_ item: PackageItem, _ rows: [PackageItem]) {
        if marked.remove(item.key) == nil { marked.insert(item.key) }
        _ = move(.arrow(.down, shift: false), rows)
    }

    /// Returns the packages of an action: the marked ones, or the one under the cursor if none is marked.
    private func subjects(_ item: PackageItem, _ browser: Browser) -> [PackageItem] {
        marked.isEmpty ? [item] : browser.stored.packages.list?.items.filter { marked.contains($0.key) } ?? []
    }

    /// Installs a package, resumes an interrupted one, or shows the map of an installed one.
    private mutating func enter(_ item: PackageItem, _ browser: Browser) -> [Action] {
        if marked.isEmpty, item.isBrokenOff { return [.ask(PackageAction(.continue))] }
        if marked.isEmpty, item.status == .installed, let map = item.map {
            return [.effect(.open(source: map, over: false))] + flight(to: item, browser)
        }
        let subjects = subjects(item, browser)
        marked = []
        return PackagePlanPanel.opening(.install(subjects.map(\.key)), title(of: subjects), browser)
    }

    private func flight(to item: PackageItem, _ browser: Browser) -> [Action] {
        item.area.map { [.fly(to: browser.map.viewport.fitted(to: $0.bounds, margin: 0.9))] } ?? []
    }

    private func title(of items: [PackageItem]) -> String {
        "Install " + (items.count == 1 ? items[0].title : AmountText.count(items.count, "package"))
    }

    private mutating func uninstall(
        _ item: PackageItem, _ rows: [PackageItem], _ browser: Browser
    ) -> [Action] {
        let there = subjects(item, browser).filter { $0.status != .none }
        marked = []
        guard let first = there.first else { return [.say(PackagesText.notInstalled(item.title))] }
        let what = there.count == 1 ? first.title : AmountText.count(there.count, "package")
        let uninstall = Action.ask(PackageAction(.uninstall(there.map(\.key))))
        return [.push(.asking(PackagesText.removal(of: what), entry, accept: uninstall))]
    }

    private func steer(_ key: Key, _ browser: Browser) -> [Action]? {
        switch key {
        case .character("P"):
            return [
                .ask(PackageAction(browser.stored.packages.progress?.isPaused == true ? .resume : .pause))
            ]
        case .character("C"):
            return [.push(.asking(PackagesText.stop, entry, accept: .ask(PackageAction(.cancel))))]
        default: return nil
        }
    }
}

extension PanelEntry {
    static let packages = PanelEntry("packages") { _ in [.show(PackagesPanel()), .ask(PackageListQuery())] }
}

/// The texts of questions and notices of the packages panel.
enum PackagesText {
    static let update = "Update packages"

    static func notInstalled(_ package: String) -> String { "\(package) is not installed" }

    static func removal(of packages: String) -> String { "Remove \(packages)?" }

    static let stop = "Stop? Tiles already downloaded are kept."
}

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
        let details = [status, isSizeBeside ? "" : item.fullSize, item.edition].filter { !$0.isEmpty }.joined(
            separator: browser.map.settings.isUnicode ? " · " : ", ")
        let hint = item.isBrokenOff ? ["Enter: resume"] : item.newer > 0 ? ["U: update"] : []
        return ([details] + hint).flatMap { browser.wrapped($0, indent: indent.count) }.map {
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

/// The tree of packages, with some branches collapsed.
struct PackageOutline: Sendable {
    /// The packages that the user opened or closed.
    private var turned: Set<PackageKey> = []
    /// The text that names must contain; empty for all packages. Packages around a match are shown too.
    var filter = ""

    /// Returns the visible rows.
    func rows(_ items: [PackageItem]) -> [PackageItem] { filter.isEmpty ? unfolded(items) : found(items) }

    private func unfolded(_ items: [PackageItem]) -> [PackageItem] {
        var rows: [PackageItem] = [], limit = Int.max
        for item in items where item.depth <= limit {
            rows.append(item)
            limit = isOpen(item) ? .max : item.depth
        }
        return rows
    }

    private func found(_ items: [PackageItem]) -> [PackageItem] {
        var rows: [PackageItem] = [], wanted = 0
        for item in items.reversed() where item.depth < wanted || item.names.contains(filter) {
            rows.append(item)
            wanted = item.depth
        }
        return rows.reversed()
    }

    /// Returns the index of the first row with a word that begins with the filter, or else contains it; nil
    /// without a filter. Other rows are parents of a match.
    func bestMatch(in rows: [PackageItem]) -> Int? {
        guard !filter.isEmpty else { return nil }
        return rows.firstIndex { " \($0.names)".contains(" \(filter)") }
            ?? rows.firstIndex { $0.names.contains(filter) }
    }

    /// Returns true if a package is open. Partly installed ones are open until the user closes them.
    func isOpen(_ item: PackageItem) -> Bool {
        let opensByItself = item.depth == 0 || item.status == .partial
        return !filter.isEmpty || item.hasChildren && opensByItself != turned.contains(item.key)
    }

    /// Opens a closed package, and closes an open one.
    mutating func turn(_ item: PackageItem) {
        if turned.remove(item.key) == nil { turned.insert(item.key) }
    }
}
