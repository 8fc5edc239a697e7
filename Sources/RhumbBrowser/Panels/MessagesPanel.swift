internal import RhumbCore
internal import RhumbEngine

/// What was said so far, the latest first.
struct MessagesPanel: Panel {
    var entry: PanelEntry { .messages }
    private var lines = ScrolledLines()

    init() {}

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        lines.press(key, of: browser.notices.all.count, in: browser.panelFrame)
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let said = browser.notices.all.reversed().map { notice in
            let ago = Int((browser.now - notice.time) / Duration.seconds(1))
            return PanelText.Line(text: notice.text, right: "\(ago) s", style: notice.isProblem ? .bold : [])
        }
        return PanelText(
            title: "Messages", lines: said.isEmpty ? [.init(text: "nothing was said yet")] : said,
            footer: "j k scroll · Esc close", top: lines.top)
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
