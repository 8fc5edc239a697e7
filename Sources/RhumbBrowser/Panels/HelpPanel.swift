internal import RhumbCore
internal import RhumbEngine

/// The keys of the map and the commands after `:`. Enter opens the page of the manual about keys.
struct HelpPanel: Panel {
    var entry: PanelEntry { .help }
    var filter: String? = ""

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        key == .character("?") ? [.pop] : nil
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        ManualPanel(about: nil).map { [.push($0)] } ?? []
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        [.init("Enter", "manual"), .init("j k", "scroll"), .init("?", "back")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        PanelText(title: "Keys", lines: text(browser))
    }

    private func text(_ browser: Browser) -> [PanelText.Line] {
        let shown = HelpPanel.sections(browser).compactMap { title, rows -> [PanelText.Line]? in
            let rows = rows.filter { matches($0.keys, $0.help) }
            return rows.isEmpty ? nil : browser.keyLines(title, rows)
        }
        let first = filter?.isEmpty != false ? HelpPanel.first(browser) : []
        return first + (first.isEmpty ? [] : [.init(text: "")])
            + Array(shown.joined(separator: [.init(text: "")]))
    }

    /// The height of a panel that shows the first page in two columns, with its title and its keys.
    static let firstRows = 12

    /// The commands of the first page, from the most useful one.
    private static let most: [Command] = [
        .panel(.search), .goTo, .streets, .panel(.download), .panel(.layers), .panel(.here), .panel(.route),
        .panel(.measure), .panel(.bookmarks), .back, .pan(.left, .eighth), .zoom(1), .world, .panel(.regions),
        .panel(.packages), .offline, .panel(.share), .theme, .commandLine, .quit,
    ]

    /// Returns the most useful keys in two columns, or in one if the panel is narrow.
    private static func first(_ browser: Browser) -> [PanelText.Line] {
        let width = browser.panelFrame.columns - 4, count = width >= 64 ? 2 : 1, room = width / count
        let rows = most.filter(browser.hasUse).compactMap { command -> Row? in
            guard let binding = browser.input.keymap.bindings.first(where: { $0.command == command }) else {
                return nil
            }
            let (keys, help): Row =
                switch command {
                case .pan: ("← ↓ ↑ →", "move the map")
                case .zoom: ("+ -", "zoom in and out")
                default: (binding.label, binding.help)
                }
            return (browser.map.settings.isUnicode ? keys : keys.asciiKeys, help)
        }
        let column = 9
        guard count > 1 else { return rows.flatMap { browser.keyLines($0.keys, $0.help, from: column) } }
        let texts = rows.map { row in
            ((row.keys + " ").padded(to: column) + row.help).clipped(to: room - 1)
        }
        let height = (texts.count + count - 1) / count
        return (0..<height).map { at in
            let cells = stride(from: at, to: texts.count, by: height).map { index in
                texts[index].padded(to: room)
            }
            return .init(text: String(cells.joined().reversed().drop { $0 == " " }.reversed()))
        }
    }

    typealias Row = (keys: String, help: String)

    /// The input that has no command in the key table.
    private static let unbound: [Keymap.Section: [Row]] = [
        .move: [("1–9", "repeat the next move: 5l")],
        .program: [
            ("mouse", "drag pans, wheel and double click zoom, click shows the place or presses a key")
        ],
    ]

    private static func sections(_ browser: Browser) -> [(title: String, rows: [Row])] {
        let isFiltered = browser.panels[HelpPanel.self]?.filter?.isEmpty == false
        let keys = Keymap.Section.allCases.map { section in
            let bound = browser.input.keymap.bindings.filter {
                $0.section == section && !$0.label.isEmpty && (isFiltered || browser.hasUse(for: $0.command))
            }.map { ($0.label, $0.help) }
            return (title: section.rawValue, rows: bound + (unbound[section] ?? []))
        }
        let words = TypedCommand.all.map {
            ($0.arguments.isEmpty ? $0.name : "\($0.name) \($0.arguments)", $0.help)
        }
        return keys + [(title: "Commands after :", rows: words)]
    }
}

extension Browser {
    /// Returns false for the commands of archives and comparisons while there is none, and for those of the
    /// world and the web that an archive refuses. Only a filter finds them then.
    func hasUse(for command: Command) -> Bool {
        let isArchive = base.map { !$0.isFromWeb && $0.openedBy != Browser.worldName } ?? false
        return switch command {
        case .other, .swipe: tiles.comparison != nil
        case .borders, .panel(.tiles), .finer, .coarser:
            isArchive || tiles.comparison != nil || tiles.view != .none
        case .streets: canShowStreets || !isArchive
        case .panel(.download), .downloadNow: !isArchive || canDownload
        default: true
        }
    }

    /// Returns keys with their effects, below a heading.
    func keyLines(_ title: String, _ rows: [HelpPanel.Row]) -> [PanelText.Line] {
        let keys = rows.map { map.settings.isUnicode ? $0.keys : $0.keys.asciiKeys }
        let longest = keys.map(\.width).max() ?? 0, column = longest < 8 ? 8 : min(longest + 2, 18)
        return [.init(text: title, style: .bold)]
            + zip(keys, rows).flatMap { keyLines($0, $1.help, from: column) }
    }

    /// Returns keys and their effect, on as many lines as necessary.
    fileprivate func keyLines(_ keys: String, _ help: String, from column: Int) -> [PanelText.Line] {
        let isAlone = keys.width >= column, parts = wrapped(help, indent: column)
        return (isAlone ? wrapped(keys) : [])
            + parts.enumerated().map { at, part in
                let before = at == 0 && !isAlone ? keys : ""
                return .init(text: before.padded(to: column) + part.text)
            }
    }
}

extension PanelEntry {
    static let help = PanelEntry("help") { browser in
        browser.panels.isEmpty ? [.show(HelpPanel())] : browser.openingManual
    }
}
