internal import RhumbCore
internal import RhumbEngine

/// The results of the check whether maps work without a network.
struct ReadyPanel: Panel {
    var entry: PanelEntry { .ready }
    /// The name of the area, region or package; nil for everything stored.
    fileprivate let name: String?
    /// The results; nil while the check runs.
    fileprivate var items: [ReadyItem]?
    private var row = 0
    var filter: String? = "" { didSet { row = 0 } }

    init(_ name: String? = nil) { self.name = name }

    private var listed: [ReadyItem] { (items ?? []).filter { matches($0.subject, $0.text) } }
    private var chosen: ReadyItem? { listed.isEmpty ? nil : listed[min(row, listed.count - 1)] }

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        if let row = key.row(from: row, of: listed.count, page: 5) {
            self.row = row
            return []
        }
        guard key == .character("c") else { return nil }
        items = nil
        return [.ask(ReadyQuery(name: name))]
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
    static let ready = PanelEntry("ready") { $0.showReadiness(of: nil) }
}

extension Browser {
    /// Checks an area, region or package, or everything stored, and shows the results.
    mutating func showReadiness(of name: String?) -> [Effect] {
        show(ReadyPanel(name)) + [.ask(ReadyQuery(name: name))]
    }
}

/// A query whether maps work without a network.
public struct ReadyQuery: Query {
    /// The name of the area, region or package; nil for everything stored.
    public let name: String?

    /// Shows the results in the panel.
    public func receive(_ outcome: Result<[ReadyItem], Notice.Problem>, in browser: inout Browser) -> [Effect]
    {
        switch outcome {
        case .success(let items):
            guard var panel = browser.panels[ReadyPanel.self], panel.name == name else { return [] }
            panel.items = items
            browser.panels[ReadyPanel.self] = panel
            return []
        case .failure(let problem): return browser.complain(problem.description)
        }
    }
}
