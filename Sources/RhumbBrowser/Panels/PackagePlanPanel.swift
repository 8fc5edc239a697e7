internal import RhumbCore
internal import RhumbEngine

/// The plan of an installation or update of packages; Enter starts it.
struct PackagePlanPanel: Panel {
    var entry: PanelEntry { .packages }
    private let title: String
    private var question: PackagePlanQuery
    /// The selected source of heights; nil for the default.
    private var heightSource: HeightSourceItem?
    private var plan = Loadable<PackagePlanQuery, Result<PackageOffer, Notice.Problem>>()

    /// Returns the actions that open the panel over the outline, and request the plan.
    static func opening(_ question: PackagePlanQuery, _ title: String, _ browser: Browser) -> [Action] {
        let heights = browser.stored.heightSources.first { !$0.isLocal }?.specifier
        var question = question
        // The user's own catalogue asks nothing, so that heights of another host wait for their key.
        let isOwn = question.sources.allSatisfy { browser.hasAgreed(to: $0) }
        if isOwn, case .install(let keys, .automatic) = question, let heights, !browser.hasAgreed(to: heights)
        {
            question = .install(keys, heights: .none)
        }
        var panel = PackagePlanPanel(title: title, question: question)
        let actions = panel.ask(browser) + [.push(panel)]
        return browser.whenAgreed(
            to: isOwn ? [] : question.sources + [heights].compactMap(\.self), .packages,
            DownloadText.question, sent: DownloadText.sent, then: actions)
    }

    private init(title: String, question: PackagePlanQuery) {
        self.title = title
        self.question = question
    }

    func heat(_ browser: Browser) -> HeatOverlay? { browser.panels.beneath?.heat(browser) }
    func rings(_ browser: Browser) -> [[Position]] { browser.panels.beneath?.rings(browser) ?? [] }

    mutating func ask(_ browser: Browser) -> [Action] {
        plan.ask(question, at: browser.map.now) ? [.ask(question)] : []
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        plan.receive(response)
        return []
    }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        guard case .success(let offer) = plan.answer else { return nil }
        if key == .character("y"), offer.isToBePermitted || offer.act != nil { return start(offer) }
        guard case .install(let keys, _) = question else { return nil }
        let sources = browser.stored.heightSources.filter { !$0.isLocal }
        guard let source = heightSource ?? sources.first else { return nil }
        switch key {
        case .character("h") where offer.heights == nil && !browser.hasAgreed(to: source.specifier):
            return browser.whenHeightsAgreed(from: source, .packages, then: [.agreed])
        case .character("h"):
            question = .install(keys, heights: offer.heights == nil ? .from(source.specifier) : .none)
        case .character("t") where sources.count > 1:
            let next = sources[((sources.firstIndex(of: source) ?? -1) + 1) % sources.count]
            heightSource = next
            // Another host is contacted only after its question, which belongs to h.
            let heights = browser.hasAgreed(to: next.specifier) ? PackageHeights.from(next.specifier) : .none
            if offer.heights != nil { question = .install(keys, heights: heights) }
        default: return nil
        }
        return ask(browser)
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        if case .failure = plan.answer {
            plan.expire()
            return ask(browser)
        }
        guard case .success(let offer) = plan.answer, !offer.isToBePermitted else { return [] }
        return start(offer)
    }

    /// Includes the heights of the selected source.
    mutating func agree(_ browser: Browser) -> [Action] {
        guard case .install(let keys, _) = question,
            let source = heightSource ?? browser.stored.heightSources.first(where: { !$0.isLocal })
        else { return [] }
        question = .install(keys, heights: .from(source.specifier))
        return ask(browser)
    }

    private func start(_ offer: PackageOffer) -> [Action] {
        [.pop] + (offer.act.map { [.ask(PackageAction($0))] } ?? [])
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        guard case .success(let offer) = plan.answer else {
            if case .failure = plan.answer { return [.init("Enter", DownloadText.again)] }
            return []
        }
        let start =
            offer.isToBePermitted
            ? [PanelKey("y", DownloadText.permission)] : [PanelKey("Enter", "start"), .init("y", "start")]
        guard case .install = question else { return offer.act == nil ? [] : start }
        let sources = browser.stored.heightSources.filter { !$0.isLocal }
        return (offer.act == nil ? [] : start)
            + (sources.isEmpty ? [] : [PanelKey("h", "heights")])
            + (sources.count > 1 ? [PanelKey("t", DownloadText.nextHeights)] : [])
    }

    /// The switch of the heights; nil if there is no source of heights.
    private func heightsLine(_ offer: PackageOffer, _ browser: Browser) -> PanelText.Line? {
        guard case .install = question else { return nil }
        let sources = browser.stored.heightSources.filter { !$0.isLocal }
        let source = sources.first { $0.specifier == offer.heights?.source } ?? heightSource ?? sources.first
        return source.map { source in
            .init(
                text: DownloadText.heights(source.name, isOn: offer.heights != nil),
                right: offer.heights?.size ?? "")
        }
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        switch plan.answer {
        case nil: return PanelText(title: title, lines: [.init(text: "Checking …")])
        case .failure(let problem):
            return PanelText(title: title, lines: browser.wrapped(problem.description))
        case .success(let offer):
            let rows =
                offer.rows.map { PanelText.Line(text: $0.name, right: $0.amount) }
                + [heightsLine(offer, browser)].compactMap(\.self)
            let notes = offer.notes.flatMap { browser.wrapped($0) }
            let gap = rows.isEmpty || notes.isEmpty ? [] : [PanelText.Line(text: "")]
            return PanelText(title: title, lines: rows + gap + notes)
        }
    }
}

/// A query for the plan of an operation on packages.
public enum PackagePlanQuery: Hashable, Query {
    case install([PackageKey], heights: PackageHeights = .automatic)
    /// Requests updates from the servers.
    case update

    /// The sources of catalogues that Rhumb makes itself; such a catalogue is named "countries:SOURCE".
    fileprivate var sources: [String] {
        guard case .install(let keys, _) = self else { return [] }
        return Set(keys.map(\.catalog)).compactMap { $0.split(separator: ":").last.map(String.init) }
    }

    public typealias Response = Result<PackageOffer, Notice.Problem>
}
