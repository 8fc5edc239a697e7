internal import RhumbCore
internal import RhumbEngine

/// Asks once whether streets may be fetched from a server, and names the server.
struct StreetsPanel: Panel {
    var entry: PanelEntry { .streets }

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        guard let offer = browser.streets.offer else { return nil }
        switch key {
        case .enter:
            browser.panels.removeAll()
            return browser.setStreets(.source(offer.id)) + browser.say("Streets from \(offer.name). Turn them off with :streets off.")
        case .character("x"):
            browser.panels.removeAll()
            return browser.setStreets(.off) + browser.say("Streets stay off. Turn them on with :streets.")
        default: return nil
        }
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.streets.offer == nil ? [] : [.init("Enter", "show streets"), .init("x", "never")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard let offer = browser.streets.offer else {
            return PanelText(title: "Streets", lines: browser.wrapped("No street source is configured."))
        }
        var words = ["\(offer.name) (\(offer.host)) receives your IP address and the tile numbers of the views you open."]
        words.append("Tiles are cached on this computer. Turn off with :streets off.")
        if browser.isOffline { words.append("You are offline. Streets appear once you go online (o).") }
        return PanelText(title: "Show streets?", lines: words.flatMap { browser.wrapped($0) })
    }
}

extension PanelEntry {
    static let streets = PanelEntry("streets") { $0.show(StreetsPanel()) }
}
