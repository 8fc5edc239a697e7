internal import RhumbCore
internal import RhumbEngine

/// The results of the check whether maps work without a network.
struct ReadyPanel: Panel {
    var entry: PanelEntry { .ready }
    /// The name of the area, region or package; nil for everything stored.
    private let name: String?
    /// The results; nil while the check runs.
    private var items: [ReadyItem]?
    private var row = 0
    var filter: String? = "" { didSet { row = 0 } }

    /// Returns the actions that check an area, region or package, or everything stored, and show the results.
    static func opening(_ name: String? = nil) -> [Action] {
        [.show(ReadyPanel(name: name)), .ask(ReadyQuery(name: name))]
    }

    private init(name: String?) { self.name = name }

    private var listed: [ReadyItem] { (items ?? []).filter { matches($0.subject, $0.text) } }
    private var chosen: ReadyItem? { listed.isEmpty ? nil : listed[min(row, listed.count - 1)] }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if key.move(&row, of: listed.count, page: 5) { return [] }
        guard key == .character("c") else { return nil }
        items = nil
        return [.ask(ReadyQuery(name: name))]
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        if let response = response[ReadyQuery.self], response.query.name == name,
            case .success(let items) = response.value
        {
            self.items = items
        }
        return []
    }

    func copied(_ browser: Browser) -> String { chosen?.remedy ?? chosen?.text ?? "" }

    func keys(_ browser: Browser) -> [PanelKey] {
        items == nil ? [] : [.init("y", "copy"), .init("c", "check again")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let title = name.map { "Offline use of \($0)" } ?? "Offline use"
        guard let items else { return PanelText(title: title, lines: [.init(text: "Checking every tile…")]) }
        guard !listed.isEmpty else { return PanelText(title: title, lines: []) }
        var lines: [PanelText.Line] = [.init(text: items.verdict, style: .bold)]
        for (at, item) in listed.enumerated() {
            let isChosen = at == min(row, listed.count - 1)
            lines.append(
                .row(
                    "\(item.state.sign) \(item.subject)", isSelected: isChosen,
                    style: item.state == .missing ? .bold : []))
            lines += browser.wrapped(item.text, indent: 2).map { .init(text: "  " + $0.text) }
            if isChosen, let remedy = item.remedy {
                lines += browser.wrapped(remedy, indent: 2).map { .init(text: "  " + $0.text, style: .bold) }
            }
        }
        return PanelText(title: title, lines: lines)
    }
}

extension ReadyItem.State {
    /// The sign before a result.
    fileprivate var sign: String {
        switch self {
        case .ready: "✓"
        case .note: "·"
        case .missing: "!"
        }
    }
}

extension PanelEntry {
    static let ready = PanelEntry("ready") { _ in ReadyPanel.opening() }
}

/// A query whether maps work without a network.
public struct ReadyQuery: Query {
    /// The name of the area, region or package; nil for everything stored.
    public let name: String?

    public typealias Response = Result<[ReadyItem], Notice.Problem>
}

/// One result of the check whether maps work without a network.
public struct ReadyItem: Equatable, Sendable {
    /// The kind of result. The raw value is the word in JSON.
    public enum State: String, Sendable {
        /// It works without a network.
        case ready
        /// It is optional and not available without a network, or it will soon need an update.
        case note
        /// It is missing, so the maps are not ready.
        case missing
    }

    /// The id of the region, or the part of the program.
    public let subject: String
    /// The kind of result.
    public let state: State
    /// The result as text, sanitised for terminal output.
    public let text: String
    /// The command that corrects it; nil if there is none.
    public let remedy: String?

    /// Creates a result.
    /// - Parameter remedy: The command that corrects it; nil if there is none.
    public init(_ subject: String, _ state: State, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.state = state
        self.text = SafeText.sanitised(text, limit: 400)
        self.remedy = remedy
    }
}

extension [ReadyItem] {
    /// The number of missing parts.
    public var missingCount: Int { count { $0.state == .missing } }

    /// The answer in a sentence.
    public var verdict: String {
        switch missingCount {
        case 0: "Ready: works without a network"
        case 1: "Not ready: 1 problem"
        default: "Not ready: \(missingCount) problems"
        }
    }
}
