internal import RhumbCore
internal import RhumbEngine

/// The list of available sources. It belongs to the layers panel: Tab switches between the two.
struct SourcesPanel: Panel {
    var entry: PanelEntry { .layers }
    private var row = 0
    var filter: String? = "" { didSet { row = 0 } }

    static var opening: [Action] { [.show(SourcesPanel()), .ask(SourceListQuery())] }

    private func sources(_ browser: Browser) -> [SourceChoice] {
        browser.stored.sources.filter { matches($0.name, $0.specifier) }
    }

    private func selected(_ browser: Browser) -> SourceChoice? {
        let sources = sources(browser)
        return sources.isEmpty ? nil : sources[min(row, sources.count - 1)]
    }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if key == .tab { return [.show(LayersPanel())] }
        let count = sources(browser).count
        if let row = key.row(from: min(row, max(count - 1, 0)), of: count, page: 5) {
            self.row = row
            return []
        }
        guard key == .character("a"), let selected = selected(browser) else { return nil }
        return open(selected, over: true, browser)
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        selected(browser).map { open($0, over: false, browser) }
    }

    func copied(_ browser: Browser) -> String { selected(browser)?.specifier ?? "" }

    private func open(_ choice: SourceChoice, over: Bool, _ browser: Browser) -> [Action] {
        if let key = choice.missingKey {
            return [.complain(SourcesText.needsKey(choice.name, key))]
        }
        return browser.whenAgreed(
            to: [choice.specifier], .layers, SourcesText.question, sent: SourcesText.sent,
            then: [.effect(.open(source: choice.specifier, over: over))])
    }

    // MARK: Text

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.stored.sources.isEmpty
            ? [.init("Tab", "layers")]
            : [.init("Enter", "open"), .init("a", SourcesText.addOverlay), .init("Tab", "layers")]
    }

    /// Returns the list, with a note below the selected source.
    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let sources = sources(browser), row = min(row, max(sources.count - 1, 0))
        let lines = sources.enumerated().flatMap { at, choice -> [PanelText.Line] in
            let line = PanelText.Line.row(
                "\(mark(choice, browser)) \(choice.name)",
                right: choice.specifier == choice.name ? "" : choice.specifier,
                isSelected: at == row)
            let note = choice.missingKey.map { "needs a key: \($0)" } ?? choice.note
            return at == row ? [line, .init(text: "    \(note)")] : [line]
        }
        return PanelText(
            title: "Sources", lines: browser.stored.sources.isEmpty ? [.init(text: SourcesText.empty)] : lines
        )
    }

    /// Returns the mark of a source that is shown, or that lacks its key.
    private func mark(_ choice: SourceChoice, _ browser: Browser) -> String {
        let isUnicode = browser.map.settings.isUnicode
        if choice.missingKey != nil { return isUnicode ? "–" : "-" }
        let isShown = browser.map.layers.contains {
            $0.specifier == choice.specifier || $0.id.hasPrefix("\(choice.specifier).")
        }
        return isShown ? (isUnicode ? "●" : "*") : " "
    }
}

/// A query for the available sources.
public struct SourceListQuery: Query {
    /// Creates a query for all sources.
    public init() {}

    public typealias Response = [SourceChoice]
}

/// The texts of the sources panel.
enum SourcesText {
    static func needsKey(_ source: String, _ key: String) -> String {
        "\(source) needs a key. Set \(key), or add it under \"keys\" in the configuration file."
    }

    static func question(_ source: String) -> String { "Open \(source)?" }

    /// The data that the host of a map receives, besides the IP address.
    static let sent = "the tile numbers of the views you open"

    static let addOverlay = "add as overlay"
    static let empty = "No sources"
}

/// A source that the user may choose from a list.
public struct SourceChoice: Equatable, Sendable {
    /// The name or address that opens it on the command line.
    public let specifier: String
    /// The name.
    public let name: String
    /// A note in a few words.
    public let note: String
    /// The environment variable of a missing key; nil if no key is missing.
    public var missingKey: String?

    /// Creates a source without a missing key.
    public init(specifier: String, name: String, note: String) {
        self.specifier = specifier
        self.name = name
        self.note = note
    }
}
