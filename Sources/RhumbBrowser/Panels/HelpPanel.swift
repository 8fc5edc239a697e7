internal import RhumbCore
internal import RhumbEngine

/// The keys and the words after `:`, from the live tables.
struct HelpPanel: Panel {
    var entry: PanelEntry { .help }
    private var lines = ScrolledLines()

    init() {}

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        lines.press(key, of: HelpPanel.lines(browser).count, in: browser.panelFrame)
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        PanelText(
            title: "Keys", lines: HelpPanel.lines(browser), footer: "j k scroll · Esc close", top: lines.top)
    }

    private static func lines(_ browser: Browser) -> [PanelText.Line] {
        func row(_ left: String, _ right: String, column: Int = 8) -> PanelText.Line {
            let shown = browser.settings.isUnicode ? left : left.asciiKeys
            return .init(text: shown + String(repeating: " ", count: max(column - shown.width, 1)) + right)
        }
        var lines: [PanelText.Line] = []
        for section in Keymap.Section.allCases {
            if !lines.isEmpty { lines.append(.init(text: "")) }
            lines.append(.init(text: section.rawValue, style: .bold))
            lines += browser.keymap.bindings
                .filter { $0.section == section && !$0.label.isEmpty }.map { row($0.label, $0.help) }
        }
        lines.append(row("mouse", "drag moves, wheel zooms there"))
        lines += [.init(text: ""), .init(text: "After :", style: .bold)]
        return lines + TypedCommand.all.map { command in
            let words = command.arguments.isEmpty ? command.name : "\(command.name) \(command.arguments)"
            return row(words, command.help, column: 18)
        }
    }
}

extension PanelEntry {
    static let help = PanelEntry("help") { $0.show(HelpPanel()) }
}

extension String {
    /// Key labels without arrows and other signs.
    fileprivate var asciiKeys: String {
        var text = ""
        for character in self {
            switch character {
            case "←": text += "left"
            case "→": text += "right"
            case "↑": text += "up"
            case "↓": text += "down"
            case "⇧": text += "shift-"
            default: text.append(character)
            }
        }
        return text
    }
}
