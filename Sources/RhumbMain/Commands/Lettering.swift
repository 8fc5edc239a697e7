internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The names on a picture that is printed: what the browser asks for is answered at once.
struct Lettering {
    let settings: Settings
    let session: MapSession
    /// Bottom to top.
    let layers: [TileLayer]

    /// Writes the names over a map.
    func draw(on map: CellGrid, _ view: Viewport, _ theme: Settings.Theme) -> CellGrid {
        var plain = settings
        plain.showsHints = false
        plain.theme = theme
        var browser = Browser(
            columns: view.columns, rows: view.rows + 1, layers: layers, camera: view.camera, settings: plain)
        // What is asked after that is about names around the view, which a picture does without.
        for effect in browser.update(.tick, at: .zero) {
            if let answer = answer(effect) { _ = browser.update(answer, at: .zero) }
        }
        return browser.lettered(map)
    }

    private func answer(_ effect: Effect) -> Event? {
        switch effect {
        case .askNames(let question):
            NameDesk.source(question.layer, layers, session.fetcher).map { .names(NameDesk.answer(question, $0)) }
        case .askLabels(let box, let least, let limit):
            .labels((try? session.search.places(in: box, minimumImportance: least, limit: limit)) ?? [])
        default: nil
        }
    }
}
