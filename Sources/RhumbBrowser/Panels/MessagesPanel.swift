internal import RhumbCore
internal import RhumbEngine

/// What was said so far, the latest first; of what happens on and on one line with a count.
struct MessagesPanel: Panel {
    var entry: PanelEntry { .messages }
    private var row = 0
    /// Whether the chosen message is shown in full.
    private var isOpen = false

    init() {}

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        let count = browser.notices.all.count
        if let row = key.row(from: row, of: count, page: 8) {
            self.row = row
            return []
        }
        guard key == .enter, count > 0 else { return nil }
        isOpen.toggle()
        return []
    }

    mutating func close() -> Bool {
        defer { isOpen = false }
        return !isOpen
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.notices.all.isEmpty ? [] : [.init("Enter", isOpen ? "collapse" : "expand"), .move]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        var lines = browser.notices.all.reversed().map { notice in
            let ago = AmountText.age(Int64((browser.now - notice.time) / Duration.seconds(1)))
            return PanelText.Line(text: notice.text, right: ago, style: notice.isProblem ? .bold : [])
        }
        guard lines.indices.contains(row) else {
            return PanelText(title: "Messages", lines: [.init(text: "No messages yet")])
        }
        lines[row].style = .reverse
        let whole = isOpen ? browser.wrapped(lines[row].text, indent: 2).map { PanelText.Line(text: "  " + $0.text) } : []
        lines.insert(contentsOf: whole, at: row + 1)
        return PanelText(title: "Messages", lines: lines, showing: row + whole.count, in: browser.panelFrame)
    }
}

extension PanelEntry {
    static let messages = PanelEntry("messages") { $0.show(MessagesPanel()) }
}

/// A text that is longer than its panel.
struct ScrolledLines: Sendable {
    /// The first line shown.
    private(set) var top = 0

    /// Takes a key that scrolls.
    /// - Returns: nil for another key.
    mutating func press(_ key: Key, of count: Int, in frame: PanelFrame) -> [Effect]? {
        let rows = count - max(frame.rows - 3, 1) + 1
        guard let row = key.row(from: top, of: rows, page: max(frame.rows - 4, 1)) else { return nil }
        top = row
        return []
    }
}
