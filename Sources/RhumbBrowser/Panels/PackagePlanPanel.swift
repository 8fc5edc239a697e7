internal import RhumbCore
internal import RhumbEngine

/// The plan of an installation or update of packages; Enter starts it.
struct PackagePlanPanel: Panel {
    var entry: PanelEntry { .packages }
    private let title: String
    private let question: PackagePlanQuery
    private var plan = Loadable<PackagePlanQuery, Result<PackageOffer, Notice.Problem>>()

    /// Opens the panel over the outline, and requests the plan.
    static func open(_ question: PackagePlanQuery, _ title: String, _ browser: inout Browser) -> [Effect] {
        var panel = PackagePlanPanel(title: title, question: question)
        let effects = panel.ask(&browser)
        browser.panels.push(panel)
        return effects
    }

    private init(title: String, question: PackagePlanQuery) {
        self.title = title
        self.question = question
    }

    func heat(_ browser: Browser) -> HeatOverlay? { browser.panels.beneath?.heat(browser) }
    func rings(_ browser: Browser) -> [[Position]] { browser.panels.beneath?.rings(browser) ?? [] }

    mutating func ask(_ browser: inout Browser) -> [Effect] {
        plan.ask(question, at: browser.now) ? [.ask(question)] : []
    }

    fileprivate mutating func receive(
        _ answer: Result<PackageOffer, Notice.Problem>, to question: PackagePlanQuery
    ) {
        plan.receive(answer, to: question)
    }

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        guard case .success(let offer) = plan.answer, offer.isToBePermitted, key == .character("y") else {
            return nil
        }
        return start(offer, &browser)
    }

    mutating func act(_ browser: inout Browser) -> [Effect]? {
        guard case .success(let offer) = plan.answer, !offer.isToBePermitted else { return [] }
        return start(offer, &browser)
    }

    private func start(_ offer: PackageOffer, _ browser: inout Browser) -> [Effect] {
        browser.panels.pop()
        return offer.act.map { [.ask(PackageAction($0))] } ?? []
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        guard case .success(let offer) = plan.answer, offer.act != nil else { return [] }
        return [
            offer.isToBePermitted
                ? PanelKey("y", DownloadText.permission) : PanelKey("Enter", "start")
        ]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        switch plan.answer {
        case nil: return PanelText(title: title, lines: [.init(text: "Checking …")])
        case .failure(let problem):
            return PanelText(title: title, lines: browser.wrapped(problem.description))
        case .success(let offer):
            let rows = offer.rows.map { PanelText.Line(text: $0.name, right: $0.amount) }
            let notes = offer.notes.flatMap { browser.wrapped($0) }
            let gap = rows.isEmpty || notes.isEmpty ? [] : [PanelText.Line(text: "")]
            return PanelText(title: title, lines: rows + gap + notes)
        }
    }
}

/// A query for the plan of an operation on packages.
public enum PackagePlanQuery: Hashable, Query {
    case install([PackageKey])
    /// Requests updates from the servers.
    case update

    /// Shows the plan in the panel.
    public func receive(_ plan: Result<PackageOffer, Notice.Problem>, in browser: inout Browser) -> [Effect] {
        let effects = browser.withEach(PackagePlanPanel.self) { panel, _ in
            panel.receive(plan, to: self)
            return []
        }
        return effects + (self == .update ? [.ask(PackageListQuery())] : [])
    }
}
