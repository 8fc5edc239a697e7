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
        "Install " + (items.count == 1 ? items[0].title : "\(AmountText.count(items.count)) packages")
    }

    private mutating func uninstall(
        _ item: PackageItem, _ rows: [PackageItem], _ browser: Browser
    ) -> [Action] {
        let there = subjects(item, browser).filter { $0.status != .none }
        marked = []
        guard let first = there.first else { return [.say(PackagesText.notInstalled(item.title))] }
        let what = there.count == 1 ? first.title : "\(AmountText.count(there.count)) packages"
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
