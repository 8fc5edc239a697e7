internal import RhumbCore
internal import RhumbEngine

/// The open panels. The topmost one is shown and handles the keys.
struct PanelStack: Sendable {
    fileprivate var open: [(id: Int, panel: any Panel, scroll: Int)] = []
    private var lastID = 0
    /// The number of panels at the bottom that are never closed.
    private var pinnedCount = 0

    var isEmpty: Bool { open.isEmpty }
    var top: (any Panel)? { open.last?.panel }
    /// The panel under the topmost one.
    var beneath: (any Panel)? { open.dropLast().last?.panel }

    /// The number of lines that the topmost panel is scrolled beyond its selection.
    var scroll: Int {
        get { open.last?.scroll ?? 0 }
        set { if !open.isEmpty { open[open.count - 1].scroll = newValue } }
    }

    mutating func push(_ panel: any Panel) {
        lastID += 1
        open.append((lastID, panel, 0))
    }

    mutating func pop() { if open.count > pinnedCount { open.removeLast() } }
    mutating func removeAll() { open = Array(open.prefix(pinnedCount)) }

    /// The identity of the topmost panel; 0 if none is open.
    var topID: Int { open.last?.id ?? 0 }

    /// Prevents the panels that are open now from closing.
    mutating func pinOpen() { pinnedCount = open.count }

    /// The topmost panel of a type.
    subscript<Some: Panel>(_ type: Some.Type) -> Some? {
        get { open.lazy.reversed().compactMap { $0.panel as? Some }.first }
        set {
            guard let newValue, let at = open.lastIndex(where: { $0.panel is Some }) else { return }
            open[at].panel = newValue
        }
    }
}

extension Browser {
    /// The entry of the open panel; nil for none.
    public var openPanel: PanelEntry? { panels.top?.entry }

    /// Opens a panel, or closes it if it is open.
    mutating func toggle(_ entry: PanelEntry) -> [Effect] {
        guard openPanel != entry else {
            panels.removeAll()
            return []
        }
        return perform(entry.opening(self))
    }

    /// Opens a panel in place of all open ones.
    mutating func show(_ panel: any Panel) -> [Effect] {
        map.notices.hide(before: map.now)
        panels.removeAll()
        panels.push(panel)
        return askInPanels()
    }

    /// Passes a key to the topmost panel.
    /// - Returns: Nil if the topmost panel doesn't handle the key.
    mutating func pressInPanel(_ key: Key) -> [Effect]? {
        guard let top = panels.open.last?.id else { return nil }
        guard key.steps(page: 1) == nil else { return moveInPanel(key, top) }
        if let effects = with(top, { $0.press(key, $1) }) {
            if panels.open.last?.id == top { panels.scroll = 0 }
            return effects
        }
        return pressShared(key, top)
    }

    /// Handles the keys that do the same in every panel.
    private mutating func pressShared(_ key: Key, _ top: Int) -> [Effect]? {
        switch key {
        case .enter: return with(top) { $0.act($1) }
        case .character("x"), .delete: return with(top) { $0.remove($1) }
        case .character("y"): return panels.top.map { [.copy($0.copied(self))] }
        case .character("/"): return panels.top?.filter.map { ask(.panelFilter($0)) }
        case .tab: return panels.top?.tab.map { perform($0.next.entry.opening(self)) }
        case .character("?"), .function(1): return perform(openingManual)
        case .escape, .character("q"): return closePanel(top)
        default: return nil
        }
    }

    /// Clears the filter of a panel. If there is none, leaves the panel's innermost level, or closes the
    /// panel.
    private mutating func closePanel(_ top: Int) -> [Effect]? {
        if panels.top?.filter?.isEmpty == false {
            filterPanel("")
            return []
        }
        return with(top) { panel, _ in panel.close() ? [.pop] : [] }
    }

    /// Moves the selection, or scrolls the text if the selection can't move.
    private mutating func moveInPanel(_ key: Key, _ top: Int) -> [Effect]? {
        let before = panels.top?.text(self, Scene(layers: [])).focused?.lowerBound
        let effects = with(top) { $0.press(key, $1) }
        guard panels.open.last?.id == top, let panel = panels.top else { return effects }
        if effects == nil, panel.arrowsMoveMap, key.isArrow { return nil }
        if panel.text(self, Scene(layers: [])).focused?.lowerBound != before {
            panels.scroll = 0
        } else if effects == nil || effects == [] && before != nil {
            scrollPanel { key.steps(page: max($0 - 1, 1)) ?? 0 }
        }
        return effects ?? []
    }

    /// Scrolls the text of the open panel.
    /// - Parameter steps: Returns the number of lines, down if positive, for the number of lines in view.
    mutating func scrollPanel(_ steps: (_ room: Int) -> Int) {
        guard let id = panels.open.last?.id, let layout = panelLayout(Scene(layers: [])) else { return }
        // A text about the map is longer when it is drawn with a scene.
        let drawn = map.screenUse.panel.flatMap {
            $0.id == id && layout.position.first == 0 ? $0.position : nil
        }
        let position = drawn ?? layout.position
        panels.scroll = position.scroll(panels.scroll, by: steps(position.room))
    }

    /// Passes the topmost panel to a closure, and performs the returned actions.
    /// - Returns: Nil if there is none, or the closure returns nil.
    mutating func offerToPanel(_ body: (inout any Panel, Browser) -> [Action]?) -> [Effect]? {
        panels.open.last.flatMap { with($0.id, body) }
    }

    /// Passes the panel with the open prompt to a closure, and performs the returned actions.
    /// - Returns: Nil if there is none, or the closure returns nil.
    mutating func offerToPromptPanel<Problem>(
        _ body: (inout any PromptPanel, Browser) throws(Problem) -> [Action]?
    ) throws(Problem) -> [Effect]? {
        guard let at = panels.open.lastIndex(where: { $0.panel is any PromptPanel }),
            var panel = panels.open[at].panel as? any PromptPanel
        else { return nil }
        let actions = try body(&panel, self)
        panels.open[at].panel = panel
        return actions.map { perform($0) }
    }

    mutating func askInPanels() -> [Effect] { withEach { $0.ask($1) } }

    /// Passes the open panels to a closure, and performs the returned actions.
    mutating func withEach(_ body: (inout any Panel, Browser) -> [Action]) -> [Effect] {
        panels.open.map(\.id).flatMap { with($0, body) ?? [] }
    }

    /// Passes a panel and the browser that contains it to a closure, and performs the returned actions.
    private mutating func with(
        _ id: Int, _ body: (inout any Panel, Browser) -> [Action]?
    ) -> [Effect]? {
        guard let at = panels.open.firstIndex(where: { $0.id == id }) else { return nil }
        var panel = panels.open[at].panel
        let actions = body(&panel, self)
        panels.open[at].panel = panel
        return actions.map { perform($0) }
    }
}

extension OfflineTab {
    /// The entry that opens the tab.
    var entry: PanelEntry {
        switch self {
        case .regions: .regions
        case .packages: .packages
        case .areas: .areas
        case .styles: .stylePacks
        }
    }
}
