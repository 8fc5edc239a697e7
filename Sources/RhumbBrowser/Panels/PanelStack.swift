internal import RhumbCore

/// The open panels; the topmost takes the keys and is shown.
struct PanelStack: Sendable {
    fileprivate var open: [(id: Int, panel: any Panel)] = []
    private var lastID = 0
    /// The panels at the bottom that stay whatever happens.
    private var kept = 0

    var isEmpty: Bool { open.isEmpty }
    var top: (any Panel)? { open.last?.panel }
    /// The panel under the topmost one.
    var beneath: (any Panel)? { open.dropLast().last?.panel }

    mutating func push(_ panel: any Panel) {
        lastID += 1
        open.append((lastID, panel))
    }

    mutating func pop() { if open.count > kept { open.removeLast() } }
    mutating func removeAll() { open = Array(open.prefix(kept)) }

    /// The panels that are open now stay.
    mutating func keepThose() { kept = open.count }

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
    /// What called up the panel that is open; nil if none is.
    public var openPanel: PanelEntry? { panels.top?.entry }

    /// Calls up a panel, or closes it if it is open.
    mutating func toggle(_ entry: PanelEntry) -> [Effect] {
        guard openPanel != entry else {
            panels.removeAll()
            return []
        }
        return entry.open(&self)
    }

    /// Opens a panel in place of those that are open.
    mutating func show(_ panel: any Panel) -> [Effect] {
        panels.removeAll()
        panels.push(panel)
        return askInPanels()
    }

    /// - Returns: nil when the key is not the topmost panel's.
    mutating func pressInPanel(_ key: Key) -> [Effect]? {
        guard let top = panels.open.last?.id else { return nil }
        if let effects = with(top, { panel, browser in panel.press(key, &browser) }) ?? nil { return effects }
        guard key == .escape else { return nil }
        if with(top, { panel, _ in panel.close() }) == true { panels.pop() }
        return []
    }

    /// Has the topmost panel do something.
    /// - Returns: nil where there is none, or it does not.
    mutating func offerToPanel(_ body: (inout any Panel, inout Browser) -> [Effect]?) -> [Effect]? {
        panels.open.last.flatMap { with($0.id, body) } ?? nil
    }

    mutating func askInPanels() -> [Effect] { withEach { panel, browser in panel.ask(&browser) } }

    mutating func learnInPanels(_ event: Event) -> [Effect] {
        withEach { panel, browser in panel.learn(event, &browser) }
    }

    private mutating func withEach(_ body: (inout any Panel, inout Browser) -> [Effect]) -> [Effect] {
        panels.open.map(\.id).flatMap { with($0, body) ?? [] }
    }

    /// Has a panel do something with the browser that it is part of; a panel that is closed
    /// meanwhile stays so.
    private mutating func with<Outcome>(
        _ id: Int, _ body: (inout any Panel, inout Browser) -> Outcome
    ) -> Outcome? {
        guard var panel = panels.open.first(where: { $0.id == id })?.panel else { return nil }
        let outcome = body(&panel, &self)
        if let at = panels.open.firstIndex(where: { $0.id == id }) { panels.open[at].panel = panel }
        return outcome
    }
}
