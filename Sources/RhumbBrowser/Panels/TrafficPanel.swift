internal import RhumbCore
internal import RhumbEngine

/// The choice of traffic. Nothing is requested before the user chooses, because live requests are billed.
struct TrafficPanel: Panel {
    var entry: PanelEntry { .traffic }
    private var row: Int
    /// True if traffic is drawn from vector tiles.
    private var isVector: Bool
    var filter: String? = "" { didSet { row = 0 } }

    /// - Parameter shown: The traffic on the map.
    init(shown: TrafficChoice) {
        isVector = shown.isVector
        row = TrafficChoice.menu.firstIndex { $0.isShown(by: shown) && shown != .off } ?? 0
    }

    private var choices: [TrafficChoice] { TrafficChoice.menu.filter { matches($0.title, $0.word) } }

    func copied(_ browser: Browser) -> String { choices.indices.contains(row) ? choices[row].word : "" }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if key.move(&row, of: choices.count, page: 5) { return [] }
        guard key == .character("v") else { return nil }
        isVector.toggle()
        return []
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        guard choices.indices.contains(row) else { return nil }
        var choice = choices[row]
        if let key = browser.traffic.missingKey(choice) {
            return [.complain(SourcesText.needsKey(TrafficText.title, key))]
        }
        choice.isVector = isVector && !choice.isOff
        let isShown =
            choice.isShown(by: browser.traffic.choice)
            && choice.isVector == browser.traffic.choice.isVector
        return [.closePanels] + (isShown ? [] : [.traffic(choice)])
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        [.init("Enter", "show"), .init("v", isVector ? TrafficText.images : TrafficText.vectorTiles), .move]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let lines = choices.enumerated().flatMap { at, choice -> [PanelText.Line] in
            let key = browser.traffic.missingKey(choice), isSelected = at == row
            let text = "\(sign(choice, lacksKey: key != nil, browser)) \(choice.title)"
            let fits = text.width + 1 + TrafficText.needsKey.width <= browser.panelFrame.columns - 4
            let right = key != nil && !isSelected && fits ? TrafficText.needsKey : ""
            let line = PanelText.Line.row(text, right: right, isSelected: isSelected)
            guard isSelected, let key else { return [line] }
            return [line]
                + browser.wrapped("\(TrafficText.needsKey): \(key)", indent: 4).map {
                    .init(text: "    \($0.text)")
                }
        }
        let note = PanelText.Line(text: TrafficText.billing, style: .dim)
        let title = isVector ? TrafficText.vectorTitle : TrafficText.title
        return PanelText(title: title, lines: lines.isEmpty ? [] : [note] + lines)
    }

    /// Returns the sign of a choice that is shown, or that lacks its key.
    private func sign(_ choice: TrafficChoice, lacksKey: Bool, _ browser: Browser) -> String {
        let isUnicode = browser.map.settings.isUnicode
        if lacksKey { return isUnicode ? "–" : "-" }
        let isShown = choice.isShown(by: browser.traffic.choice)
        return isUnicode ? (isShown ? "●" : "○") : isShown ? "*" : "o"
    }
}

extension PanelEntry {
    static let traffic = PanelEntry("traffic") { [.show(TrafficPanel(shown: $0.traffic.choice))] }
}

extension TrafficChoice {
    /// Returns true if the map shows this choice; the style of incidents doesn't matter.
    fileprivate func isShown(by other: TrafficChoice) -> Bool { flow == other.flow && kinds == other.kinds }

    fileprivate var title: String {
        switch (flow, incidents) {
        case (nil, nil): "off"
        case (nil, _): "incidents"
        case (let mode?, nil): "flow: \(mode.title)"
        default: TrafficText.all
        }
    }

    /// The argument of `:traffic` with the same meaning.
    fileprivate var word: String {
        switch (flow, incidents) {
        case (nil, nil): "off"
        case (nil, _): "incidents"
        case (let mode?, nil): mode.rawValue
        default: "all"
        }
    }
}

/// The texts of the traffic panel.
enum TrafficText {
    static let billing = "Live requests are billed."
    static let vectorTitle = "Traffic from vector tiles"
    static let title = "Traffic"
    static let needsKey = "needs a key"
    static let images = "images"
    static let vectorTiles = "vector tiles"
    static let all = "flow and incidents"
}
