internal import RhumbCore
internal import RhumbEngine

/// The question before anything contacts another host, or is removed for good. `y` accepts and `n` declines;
/// Enter and Esc choose the safe answer, which changes nothing. Without facts, the question and
/// its keys replace the keys of the panel below.
struct Consent: Panel {
    let entry: PanelEntry
    /// The question, such as "Remove the area? Its regions are kept."
    let question: String
    /// The host, the data sent and stored, and the way to undo it, in one sentence each.
    var facts: [String] = []
    /// The meaning of `y` in a word or two.
    var yes = "yes"
    /// The meaning of `n` in a word or two.
    var no = "no"
    let accept: [Action]
    /// The actions for `n`, but not for the safe answer.
    var decline: [Action] = []

    /// The columns of a title's line that may not be free.
    private static let titleMargin = 18

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        switch key {
        case .character("y"): return [.pop] + accept
        case .character("n"): return [.pop] + decline
        case .enter, .escape, .character("q"): return [.pop]
        // Control keys quit, suspend and redraw everywhere.
        case .character("?"), .function(1), .pageUp, .pageDown, .home, .end, .control: return nil
        // A stray key neither answers nor reaches the panel below.
        default: return []
        }
    }

    func copied(_ browser: Browser) -> String { "" }

    func keys(_ browser: Browser) -> [PanelKey] { [.init("y", yes), .init("n", no)] }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard facts.isEmpty else {
            let lines = facts.flatMap { browser.wrapped($0) }
            // A title is clipped to its line, beside the hint of further lines.
            guard question.width > browser.wholePanelFrame.columns - Self.titleMargin else {
                return PanelText(title: question, lines: lines)
            }
            let asked = browser.wrapped(question).map { PanelText.Line(text: $0.text, style: .bold) }
            return PanelText(title: "", lines: asked + lines)
        }
        var text = browser.panels.beneath?.text(browser, scene) ?? PanelText(title: "", lines: [])
        text.footer = question
        return text
    }

    func heat(_ browser: Browser) -> HeatOverlay? { browser.panels.beneath?.heat(browser) }

    func rings(_ browser: Browser) -> [[Position]] { browser.panels.beneath?.rings(browser) ?? [] }
}

extension Panel where Self == Consent {
    /// Returns the question before an action in a panel, such as a removal.
    static func asking(_ question: String, _ entry: PanelEntry, accept: Action...) -> Consent {
        Consent(entry: entry, question: question, accept: accept)
    }
}

extension Browser {
    /// Sets the sources that need the user's consent, before `begin()`.
    /// - Parameters:
    ///   - listed: The sources whose hosts the user didn't name; evaluated when first needed.
    ///   - hosts: The hosts that the user agreed to contact before; evaluated when first needed.
    public mutating func begin(
        services listed: @autoclosure @escaping @Sendable () -> [ServiceOffer],
        agreed hosts: @autoclosure @escaping @Sendable () -> Set<String>
    ) {
        stored.agreements.listed = Lazy(listed)
        stored.agreements.stored = Lazy(hosts)
    }

    /// Returns actions, or the question before the first request to the hosts of listed sources. Nothing is
    /// asked offline, when no request is sent.
    /// - Parameters:
    ///   - services: The names of the sources; those that the user named are not asked about.
    ///   - question: The question for the names of the sources.
    ///   - sent: The data that the hosts receive, besides the IP address.
    func whenAgreed(
        to services: [String], _ entry: PanelEntry, _ question: (String) -> String, sent: String,
        then actions: [Action]
    ) -> [Action] {
        var asked: [ServiceOffer] = []
        for service in services.compactMap(stored.agreements.service) where !hasAgreed(to: service) {
            if !asked.contains(where: { $0.host == service.host }) { asked.append(service) }
        }
        guard !map.isOffline, !asked.isEmpty else { return actions }
        let consent = Consent(
            entry: entry, question: question(asked.map(\.name).inWords), facts: asked.facts(sent: sent),
            yes: "continue", accept: [.agree(to: asked.map(\.host))] + actions)
        return [panels.isEmpty ? .show(consent) : .push(consent)]
    }

    /// True if a source can be used without a question. Offline, nothing is requested.
    func hasAgreed(to source: String) -> Bool {
        map.isOffline || stored.agreements.service(source).map { hasAgreed(to: $0) } ?? true
    }

    /// True if the user agreed to contact the host, or opened a source of it.
    private func hasAgreed(to service: ServiceOffer) -> Bool {
        let agreements = stored.agreements
        if service.host.isEmpty || agreements.hosts.contains(service.host) { return true }
        if case .source(let id) = streets.choice, agreements.service(id)?.host == service.host { return true }
        return map.layers.contains { $0.openedBy == service.id }
            || agreements.stored.value.contains(service.host)
    }
}
