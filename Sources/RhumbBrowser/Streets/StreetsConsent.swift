internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// The question whether streets may be fetched from a server; nil if no source is configured.
    var streetsConsent: Consent? {
        guard let offer = streets.offer else { return nil }
        return Consent(
            entry: .streets, question: StreetsText.question,
            facts: StreetsText.notes(offer, isOffline: map.isOffline), yes: "show streets", no: "never show",
            accept: { browser in
                browser.panels.removeAll()
                return browser.setStreets(.source(offer.id)) + browser.say(StreetsText.turnedOn(offer))
            },
            decline: { browser in
                browser.panels.removeAll()
                return browser.setStreets(.off) + browser.say(StreetsText.staysOff)
            })
    }

    /// Asks before the first request to the source that a view's streets are downloaded from, and then acts.
    /// A user who shows streets of the web or has stored regions has agreed before.
    mutating func whenAgreed(
        to draft: RegionDraft, _ act: @escaping @Sendable (inout Browser) -> [Effect]
    ) -> [Effect] {
        let hasAgreed = if case .source = streets.choice { true } else { !stored.regions.isEmpty }
        guard let offer = draft.source, !hasAgreed, streets.agreedDownload != offer else { return act(&self) }
        guard !map.isOffline else { return complain(NoticesText.isOffline) }
        return show(
            Consent(
                entry: .download, question: DownloadText.question(offer), facts: DownloadText.notes(offer),
                yes: "continue",
                accept: { browser in
                    browser.streets.agreedDownload = offer
                    return act(&browser)
                }))
    }

    /// Asks whether streets may be fetched from a server.
    mutating func showStreetsConsent() -> [Effect] {
        guard let consent = streetsConsent else { return say(StreetsText.noSource) }
        return show(consent)
    }
}

extension PanelEntry {
    static let streets = PanelEntry("streets") { $0.showStreetsConsent() }
}
