internal import Rhumb
internal import RhumbBrowser

/// Draws samples of styles.
struct StyleSamples: Sendable {
    let session: MapSession
    let opener: MapOpener
    /// The time limit for the tiles of a sample.
    private static let timeLimit = Duration.seconds(3)

    /// Replies with the list of styles, and again with each sample as it is drawn.
    func draw(
        _ question: StyleQuestion, _ context: QueryContext, _ reply: @Sendable ([StyleItem]) -> Void
    ) async {
        let layers = context.layers.filter(opener.isStyled)
        var items = self.items
        reply(items)
        guard !layers.isEmpty else {
            items[0].problem = Self.problem(of: context.layers)
            return reply(items)
        }
        for at in items.indices {
            do throws(MapOpenFailure) {
                let drawn = try await opener.drawn(layers, in: items[at].specifier, question.theme)
                guard !Task.isCancelled else { return }
                items[at].problem = try await opener.misfit(of: layers, to: items[at].specifier)
                if items[at].problem == nil {
                    items[at].sample = await sample(drawn, question, context.settings)
                }
            } catch {
                items[at].problem = FailureText.notice(error)
            }
            reply(items)
        }
    }

    /// Returns the reason why no layer of a map can be drawn in the user's styles.
    static func problem(of layers: [TileLayer]) -> String {
        layers.first?.openedBy == EmbeddedWorld.name
            ? "The built-in world has one style; others need a map of vector tiles, such as streets (press m)"
            : layers.contains { $0.drawing is VectorDrawing }
                ? "This map has its own style; others need vector tiles without one, such as a PMTiles file"
                : "This is an image map; styles need vector tiles"
    }

    private func sample(
        _ layers: [TileLayer], _ question: StyleQuestion, _ settings: Settings
    ) async -> CellGrid {
        let engine = TileEngine(
            decoder: SniffingDecoder(), fetcher: session.fetcher, board: TileBoard(), prefetch: .none)
        engine.show(question.view, layers: layers)
        _ = await outcome(within: Self.timeLimit) { await engine.settled() }
        var painter = MapPainter()
        return painter.paint(
            engine.board.scene(of: question.view, layers: layers), viewport: question.view,
            settings: settings,
            theme: question.theme)
    }

    /// Rhumb's own styles, those in the user's folder, those with packs, and those given by name.
    private var items: [StyleItem] {
        var items = InstalledStyles(folder: opener.styleFolder).all.map {
            StyleItem(specifier: $0.path, name: $0.name)
        }
        let packs = (try? OfflineManager(session, opener).allStylePacks()) ?? []
        let others =
            packs.map {
                StyleItem(
                    specifier: $0.location, name: $0.name.isEmpty ? TileProbes.stem($0.location) : $0.name)
            }
            + opener.styles.choice.named.map { StyleItem(specifier: $0, name: TileProbes.stem($0)) }
        for item in others where !items.contains(where: { $0.specifier == item.specifier }) {
            items.append(item)
        }
        return [StyleItem(specifier: nil, name: "Rhumb")] + items
    }
}
