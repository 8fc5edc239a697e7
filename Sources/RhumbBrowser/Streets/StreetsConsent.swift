internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// The question whether streets may be fetched from a server; nil if no source is configured.
    var streetsConsent: Consent? {
        guard let offer = streets.offer else { return nil }
        return Consent(
            entry: .streets, question: StreetsText.question,
            facts: StreetsText.notes(offer, isOffline: map.isOffline), yes: "show streets", no: "never show",
            accept: [.closePanels, .streets(.source(offer.id)), .say(StreetsText.turnedOn(offer))],
            decline: [.closePanels, .streets(.off), .say(StreetsText.staysOff)])
    }

    /// Returns actions, or the question before the first request to the source that a view's streets are
    /// downloaded from, and to that of heights.
    func whenAgreed(to draft: RegionDraft, then actions: [Action]) -> [Action] {
        let heights = draft.heights.isLocal || draft.hasHeights == false ? [] : [draft.heights.words]
        return whenAgreed(
            to: [draft.source?.id].compactMap(\.self) + heights, .download, DownloadText.question,
            sent: DownloadText.sent, then: actions)
    }

    /// The action that asks whether streets may be fetched from a server.
    var streetsQuestion: Action {
        streetsConsent.map { .show($0) } ?? .say(StreetsText.noSource)
    }
}

extension PanelEntry {
    static let streets = PanelEntry("streets") { [$0.streetsQuestion] }
}
