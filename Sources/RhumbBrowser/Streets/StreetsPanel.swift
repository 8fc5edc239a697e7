internal import RhumbCore
internal import RhumbEngine

/// The panel that asks once whether streets may be fetched from a server, and names the server.
struct StreetsPanel: Panel {
    var entry: PanelEntry { .streets }

    mutating func act(_ browser: inout Browser) -> [Effect]? {
        guard let offer = browser.streets.offer else { return nil }
        browser.panels.removeAll()
        return browser.setStreets(.source(offer.id)) + browser.say(StreetsText.turnedOn(offer))
    }

    /// Turns streets off permanently.
    mutating func remove(_ browser: inout Browser) -> [Effect]? {
        guard browser.streets.offer != nil else { return nil }
        browser.panels.removeAll()
        return browser.setStreets(.off) + browser.say(StreetsText.staysOff)
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.streets.offer == nil ? [] : [.init("Enter", "show streets"), .init("x", "never show")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard let offer = browser.streets.offer else {
            return PanelText(title: StreetsText.title, lines: browser.wrapped(StreetsText.noSource))
        }
        let notes = StreetsText.notes(offer, isOffline: browser.isOffline)
        return PanelText(title: StreetsText.question, lines: notes.flatMap { browser.wrapped($0) })
    }
}

extension PanelEntry {
    static let streets = PanelEntry("streets") { $0.show(StreetsPanel()) }
}
