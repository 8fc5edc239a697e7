public import RhumbCore
public import RhumbEngine

/// The styles available for maps of vector tiles, each with a sample of the view.
struct StylesPanel: Panel {
    var entry: PanelEntry { .styles }
    private var row = 0
    private var items = Loadable<StyleQuestion, [StyleItem]>()
    var filter: String? = "" { didSet { row = 0 } }

    // MARK: Asking

    mutating func ask(_ browser: Browser) -> [Action] {
        guard browser.movement.flight == nil else { return [] }
        let frame = browser.panelFrame
        let view = browser.map.viewport.resized(
            columns: max(frame.columns - 6, 1), rows: Self.sampleRows(in: frame))
        let question = StyleQuestion(view: view, theme: browser.theme, layers: browser.map.layers.map(\.id))
        return items.ask(question, at: browser.map.now) ? [.ask(question)] : []
    }

    /// Accepts the styles, once for each sample that was drawn.
    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        items.receive(response)
        return []
    }

    private static func sampleRows(in frame: PanelFrame) -> Int { frame.rows < 16 ? 3 : 5 }

    private var listed: [StyleItem] { (items.answer ?? []).filter { matches($0.name, $0.specifier ?? "") } }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if key.move(&row, of: listed.count, page: 3) { return [] }
        if key == .character("t") { return [.theme(browser.map.settings.themeRule.next)] }
        guard listed.indices.contains(row) else { return nil }
        let chosen = listed[row].specifier
        switch key {
        case .character("d"):
            return [.style(StyleChoice(day: chosen, night: browser.appearance.style.night))]
        case .character("n"):
            return [.style(StyleChoice(day: browser.appearance.style.day, night: chosen))]
        default: return nil
        }
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        listed.indices.contains(row) ? [.style(StyleChoice(listed[row].specifier))] : nil
    }

    func copied(_ browser: Browser) -> String {
        listed.indices.contains(row) ? listed[row].specifier ?? listed[row].name : ""
    }

    // MARK: Text

    func keys(_ browser: Browser) -> [PanelKey] {
        [
            .init("Enter", StylesText.use), .init("d", StylesText.byDay), .init("n", StylesText.byNight),
            .init("t", StylesText.theme),
        ]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let rule = browser.map.settings.themeRule.name
        let theme: [PanelText.Line] = [.init(text: "t  \(StylesText.theme)", right: rule), .init(text: "")]
        if items.answer == nil {
            return PanelText(title: StylesText.title, lines: theme + [.init(text: StylesText.loading)])
        }
        let lines = listed.enumerated().flatMap { at, item in self.lines(item, isChosen: at == row, browser) }
        return PanelText(
            title: StylesText.title, lines: lines.isEmpty || filter?.isEmpty == false ? lines : theme + lines)
    }

    private func lines(_ item: StyleItem, isChosen: Bool, _ browser: Browser) -> [PanelText.Line] {
        let isUnicode = browser.map.settings.isUnicode
        let uses = MapTheme.allCases.filter { browser.appearance.style[$0] == item.specifier }
        let mark = uses.isEmpty ? (isUnicode ? "○" : "o") : (isUnicode ? "●" : "*")
        let use = uses.count == 2 ? "" : uses.map { "by \($0.rawValue)" }.joined()
        var lines = [
            PanelText.Line.row("\(mark) \(item.name)", right: use, isSelected: isChosen, style: .bold)
        ]
        if let problem = item.problem { lines += browser.wrapped(problem, indent: 2) }
        if let sample = item.sample {
            lines += (0..<sample.rows).map { row in
                .init(text: "", cells: Array(sample.cells[row * sample.columns..<(row + 1) * sample.columns]))
            }
        }
        return lines
    }
}

extension PanelEntry {
    static let styles = PanelEntry("styles") { _ in [.show(StylesPanel())] }
}

extension ThemeRule {
    /// The name in a panel.
    fileprivate var name: String {
        switch self {
        case .terminal: StylesText.likeTerminal
        case .sun: StylesText.byDaylight
        case .always(let theme): StylesText.always(theme)
        }
    }

    /// The next rule, for a key that cycles through all of them.
    fileprivate var next: ThemeRule {
        switch self {
        case .terminal: .sun
        case .sun: .always(.day)
        case .always(.day): .always(.night)
        case .always(.night): .terminal
        }
    }
}

extension StyleQuestion: Query {
    public typealias Response = [StyleItem]
}

/// The texts of the styles panel.
enum StylesText {
    static let use = "use"
    static let byDay = "use by day"
    static let byNight = "use by night"
    static let theme = "light or dark"
    static let title = "Styles"
    static let loading = "Loading styles …"
    static let likeTerminal = "like the terminal"
    static let byDaylight = "by daylight"

    static func always(_ theme: MapTheme) -> String { "always \(theme.rawValue)" }
}

/// A style that the user may choose from a list.
public struct StyleItem: Equatable, Sendable {
    /// The name or path that selects the style; nil for Rhumb's own.
    public let specifier: String?
    /// The name, safe for a terminal.
    public let name: String
    /// The centre of the view drawn in the style; nil until it is drawn, or if the map has its own colours.
    public var sample: CellGrid?
    /// The reason why it can't be used or is unsuitable; nil if there is none.
    public var problem: String?

    /// Creates a style without a sample.
    public init(specifier: String?, name: String) {
        self.specifier = specifier
        self.name = SafeText.sanitised(name, limit: 80)
    }
}

/// A query for the list of styles, with samples of a view.
public struct StyleQuestion: Equatable, Sendable {
    /// The view drawn as a sample.
    public let view: Viewport
    /// The theme, for styles that have two.
    public let theme: MapTheme
    /// The ids of the layers that the samples are drawn from.
    public let layers: [String]
}

/// Layers drawn in a style.
public struct StyledLayers: Sendable {
    /// The files and addresses of the styles.
    public let style: StyleChoice
    /// The theme of the layers.
    public let theme: MapTheme
    /// The layers that changed, by their previous ids.
    public let layers: [TileLayer.ID: TileLayer]
    /// The style's own layer sets, also for maps that it doesn't draw; nil if it has none.
    public let sets: LayerSetStyle?

    /// Creates the result of a change of style.
    /// - Parameters:
    ///   - style: The styles, by their files and addresses.
    ///   - layers: The layers that changed, by their previous ids.
    ///   - sets: The own layer sets of the style; nil if it has none.
    public init(
        _ style: StyleChoice, _ theme: MapTheme, _ layers: [TileLayer.ID: TileLayer],
        sets: LayerSetStyle? = nil
    ) {
        self.style = style
        self.theme = theme
        self.layers = layers
        self.sets = sets
    }
}
