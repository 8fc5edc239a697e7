internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The labels of an image: the browser's queries are answered at once.
struct PictureLabels {
    let settings: Settings
    let session: MapSession
    /// The scene of the maps.
    let maps: Scene
    /// True if another map lies below where they are empty.
    var hasBackdrop = false
    /// The traffic that is shown.
    var traffic = TrafficChoice.off
    /// The route that is shown; nil for none.
    var route: RouteAnswer?
    /// The position that a receiver or a file reports; nil for none.
    var position: PositionFix?
    /// The own layer sets of the chosen style; nil if it has none.
    var sets: LayerSetStyle?

    /// Returns a browser with the labels of the view.
    func browser(_ view: Viewport, _ theme: Settings.Theme) -> Browser {
        var plain = settings
        plain.showsHints = false
        plain.themeRule = .always(theme)
        var browser = Browser(
            columns: view.columns, rows: view.rows + 1, layers: layers, camera: view.camera, settings: plain)
        // Later queries are for labels around the view, which an image does not need.
        var effects = browser.update(.drawn(browser.use(of: maps, hasBackdrop: hasBackdrop)), at: .zero)
        effects += browser.update(.tick, at: .zero)
        effects += effects.compactMap(answer).flatMap { browser.update($0, at: .zero) }
        if let task = effects.compactMap(\.layoutTask).last {
            _ = browser.update(.labelsLaidOut(task.outcome()), at: .zero)
        }
        browser.begin(with: traffic)
        browser.begin(at: position, sets)
        if let route { browser.begin(with: route) }
        _ = browser.update(.traffic(session.traffic.status), at: .zero)
        return browser
    }

    /// Bottom to top.
    private var layers: [TileLayer] { maps.layers.map(\.layer) }

    private func answer(_ effect: Effect) -> Event? {
        switch effect {
        case .askLabels(let question):
            LabelAnswers.source(question.layer, layers, session.fetcher).map {
                .labels(LabelAnswers.answer(question, $0))
            }
        case .query(let query):
            (query.query as? PlaceLabelQuery).map { .response($0.answer(from: session.search), to: $0) }
        default: nil
        }
    }
}

extension Effect {
    fileprivate var layoutTask: LabelLayoutTask? {
        if case .layLabelsOut(let task) = self { task } else { nil }
    }
}
