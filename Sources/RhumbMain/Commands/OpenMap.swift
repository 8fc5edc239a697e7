internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal

/// `rhumb`: the map on the terminal.
enum OpenMap {
    static func run(_ invocation: Invocation, _ environment: [String: String]) throws -> Int32 {
        let profile = TerminalProfile.current(colors: invocation.colors, symbols: invocation.symbols)
        let web = try Web(invocation, environment)
        let engine = TileEngine(decoder: SniffingDecoder(), fetcher: web.fetcher)
        var options = try MapOptions(invocation, environment, web)
        options.opener.onChange = { id in Task { await engine.reload(layer: id) } }
        let start = try StartLayers(options)
        let folders = Folders(environment: environment), lastView = LastView(folders)
        let screen = try Screen(
            profile, options: ScreenOptions(mouse: !invocation[.noMouse]))
        let (columns, rows) = screen.size
        let remembered = lastView?.load()
        func browser(_ camera: Camera?) -> Browser {
            Browser(
                columns: columns, rows: rows, cellAspect: screen.cellAspect, layers: start.layers, camera: camera,
                remembered: remembered, settings: options.settings(profile), awaitsBase: start.awaitsBase,
                isOffline: web.client.isOffline, configuration: web.fetcher.configuration)
        }
        var first = browser(nil)
        if let camera = options.camera(on: first.viewport, home: first.home) { first = browser(camera) }
        if let choice = try invocation.traffic() { first.begin(with: choice) }
        let runtime = Runtime(
            screen: screen, engine: engine, web: web, browser: first, sources: options.opener,
            places: { () throws(PlaceSearchFailure) in try EmbeddedPlaces.search(web.fetcher.configuration) },
            recent: RecentSources(folders), lastView: lastView, budget: budget(invocation))
        runtime.await(start.later)
        defer { web.cache?.flush() }
        return runtime.run()
    }

    private static func budget(_ invocation: Invocation) -> BandwidthGovernor.Budget {
        invocation[.bandwidth].map { .bytesPerSecond($0) } ?? .automatic
    }
}

/// What the map begins with: the layers that are there at once, and those that come later.
private struct StartLayers {
    /// Bottom to top; the embedded world stands in for a base map that comes later.
    var layers: [TileLayer] = []
    var later: [(layer: LaterLayer, over: Bool)] = []
    var awaitsBase = false

    init(_ options: MapOptions) throws(Notice.Problem) {
        for (place, opening) in try options.openings().enumerated() {
            switch opening {
            case .now(let opened): layers += place == 0 ? opened : opened.map(\.laidOver)
            case .later(let layer): later.append((layer, place > 0))
            }
            guard place == 0, layers.isEmpty else { continue }
            awaitsBase = true
            if case .now(let world) = try options.opener.open(EmbeddedWorld.name, options.theme ?? .night) {
                layers = world
            }
        }
    }
}
