internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The labels of an image. Answers the browser's queries immediately.
struct PictureLabels {
    let settings: Settings
    let session: MapSession
    /// The scene of the maps.
    let maps: Scene
    /// True if another map is shown where the maps have gaps.
    var hasBackdrop = false
    /// True if the picture may lose a part of its first row and column.
    var isCut = false
    /// The traffic to draw.
    var traffic = TrafficChoice.off
    /// The route to draw; nil if there is none.
    var route: RouteAnswer?
    /// The position reported by a receiver or a file; nil if there is none.
    var position: PositionFix?
    /// The layer sets of the chosen style; nil if it has none.
    var sets: LayerSetStyle?

    /// Returns a browser with the labels of the view.
    func browser(_ view: Viewport, _ theme: Settings.Theme) -> Browser {
        var plain = settings
        plain.showsHints = false
        plain.themeRule = .always(theme)
        var browser = Browser(
            columns: view.columns, rows: view.rows + 1, layers: layers, camera: view.camera, settings: plain)
        // Later queries are for labels around the view, which an image doesn't need.
        var effects = browser.update(
            .frame(browser.use(of: maps, hasBackdrop: hasBackdrop, isCut: isCut)), at: .zero)
        effects += browser.update(.tick, at: .zero)
        effects += effects.compactMap(answer).flatMap { browser.update($0, at: .zero) }
        if let task = effects.compactMap({ $0.query as? LabelLayoutTask }).last {
            _ = browser.update(.response(task.outcome(), to: task), at: .zero)
        }
        browser.begin(with: traffic)
        browser.begin(at: position, sets)
        if let route { browser.begin(with: route) }
        _ = browser.update(.traffic(session.traffic.status), at: .zero)
        return browser
    }

    /// The layers, bottom to top.
    private var layers: [TileLayer] {
        maps.layers.map { scene in
            var layer = scene.layer
            if let contours = layer.source as? ContourTileSource { layer.dataSource = contours.inCells }
            return layer
        }
    }

    private func answer(_ effect: Effect) -> Event? {
        switch effect.query {
        case let question as LabelQuestion:
            LayerFeatures(question.layer, layers, session.fetcher).map {
                .response(question.answer(from: $0), to: question)
            }
        case let question as ContourLabelQuestion:
            LayerFeatures(question.labels.layer, layers, session.fetcher).map {
                .response(question.labels.answer(from: $0), to: question)
            }
        case let query as PlaceLabelQuery: .response(query.answer(from: session.search), to: query)
        default: nil
        }
    }
}

extension Effect {
    fileprivate var query: (any Query)? {
        if case .query(let query) = self { query.query } else { nil }
    }
}
