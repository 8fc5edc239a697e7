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

    /// Asks before the first request to the source that a view's streets are downloaded from, and to that of
    /// heights, and then acts.
    mutating func whenAgreed(
        to draft: RegionDraft, _ act: @escaping @Sendable (inout Browser) -> [Effect]
    ) -> [Effect] {
        let heights = draft.heights.isLocal || draft.hasHeights == false ? [] : [draft.heights.words]
        return whenAgreed(
            to: [draft.source?.id].compactMap(\.self) + heights, .download, DownloadText.question,
            sent: DownloadText.sent, act)
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
