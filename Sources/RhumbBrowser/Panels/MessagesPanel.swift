internal import RhumbCore
internal import RhumbEngine

/// The messages so far, latest first. Repeated messages have a count.
struct MessagesPanel: Panel {
    var entry: PanelEntry { .messages }
    private var row = 0
    /// True if the selected message is shown in full.
    private var isOpen = false
    var filter: String? = "" { didSet { row = 0 } }

    /// Returns the listed messages, latest first.
    private func notices(_ browser: Browser) -> [Notice] {
        browser.map.notices.all.reversed().filter { matches($0.text) }
    }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        key.move(&row, of: notices(browser).count, page: 8) ? [] : nil
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        isOpen.toggle()
        return []
    }

    mutating func close() -> Bool {
        defer { isOpen = false }
        return !isOpen
    }

    func copied(_ browser: Browser) -> String {
        let notices = notices(browser)
        return notices.indices.contains(row) ? notices[row].text : ""
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.map.notices.all.isEmpty ? [] : [.init("Enter", isOpen ? "collapse" : "expand"), .move]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let notices = notices(browser)
        let lines = notices.enumerated().flatMap { at, notice -> [PanelText.Line] in
            let ago = AmountText.age(Int64((browser.map.now - notice.time) / Duration.seconds(1)))
            let style: Cell.Style = notice.isProblem ? .bold : []
            let line = PanelText.Line.row(notice.text, right: ago, isSelected: at == row, style: style)
            guard isOpen, at == row else { return [line] }
            return [line] + browser.wrapped(notice.text, indent: 2).map { .init(text: "  " + $0.text) }
        }
        let isEmpty = browser.map.notices.all.isEmpty
        return PanelText(title: "Messages", lines: isEmpty ? [.init(text: StatusText.noMessages)] : lines)
    }
}

extension PanelEntry {
    static let messages = PanelEntry("messages") { _ in [.show(MessagesPanel())] }
}
