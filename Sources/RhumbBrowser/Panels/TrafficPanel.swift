internal import RhumbCore
internal import RhumbEngine

/// Which traffic is shown. Nothing is asked for before one is chosen: live requests are billed.
struct TrafficPanel: Panel {
    var entry: PanelEntry { .traffic }
    private var row: Int
    /// Whether it is to be drawn from vector tiles.
    private var isVector: Bool

    /// - Parameter shown: the traffic on the map.
    init(shown: TrafficChoice) {
        isVector = shown.isVector
        row = TrafficChoice.menu.firstIndex { $0.isShown(by: shown) && shown != .off } ?? 0
    }

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        let choices = TrafficChoice.menu
        if let row = key.row(from: row, of: choices.count, page: 5) {
            self.row = row
            return []
        }
        if key == .character("v") {
            isVector.toggle()
            return []
        }
        guard key == .enter else { return nil }
        browser.panels.removeAll()
        var choice = choices[row]
        choice.isVector = isVector && !choice.isOff
        return choice.isShown(by: browser.traffic) && choice.isVector == browser.traffic.isVector ? [] : browser.show(choice)
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        [.init("Enter", "show"), .init("v", isVector ? "images" : "vector tiles"), .move]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let signs = browser.settings.isUnicode ? (on: "●", off: "○") : (on: "*", off: "o")
        let lines = TrafficChoice.menu.enumerated().map { at, choice in
            let text = "\(choice.isShown(by: browser.traffic) ? signs.on : signs.off) \(choice.title)"
            let fits = text.width + 1 + choice.word.width <= browser.panelFrame.columns - 4
            return PanelText.Line(text: text, right: fits ? choice.word : "", style: at == row ? .reverse : [])
        }
        return PanelText(
            title: isVector ? "Traffic from vector tiles · live requests are billed" : "Traffic · live requests are billed", lines: lines, showing: row, in: browser.panelFrame)
    }
}

extension PanelEntry {
    static let traffic = PanelEntry("traffic") { $0.show(TrafficPanel(shown: $0.traffic)) }
}

extension TrafficChoice {
    /// Whether it is what the map shows; in which style incidents are shown doesn't matter.
    fileprivate func isShown(by other: TrafficChoice) -> Bool { flow == other.flow && kinds == other.kinds }

    fileprivate var title: String {
        switch (flow, incidents) {
        case (nil, nil): "off"
        case (nil, _): "incidents"
        case (let mode?, nil): "flow: \(mode.title)"
        default: "flow and incidents"
        }
    }

    /// What says the same after `:traffic`.
    fileprivate var word: String {
        switch (flow, incidents) {
        case (nil, nil): "off"
        case (nil, _): "incidents"
        case (let mode?, nil): mode.rawValue
        default: "all"
        }
    }
}
