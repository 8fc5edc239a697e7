internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal

/// `rhumb`: the map on the terminal.
enum OpenMap {
    static func run(_ invocation: Invocation, _ environment: [String: String]) throws -> Int32 {
        let options = MapOptions(invocation)
        let profile = TerminalProfile.current(colors: invocation.colors, symbols: invocation.symbols)
        let web = try Web(invocation, environment)
        let layers = try options.layers()
        let lastView = LastView(Folders(environment: environment))
        let screen = try Screen(
            profile, options: ScreenOptions(mouse: !invocation.has("no-mouse")))
        let (columns, rows) = screen.size
        let remembered = lastView?.load()
        var browser = Browser(
            columns: columns, rows: rows, cellAspect: screen.cellAspect, layers: layers,
            remembered: remembered, settings: options.settings(profile),
            isOffline: web.client.isOffline)
        if let camera = options.camera(on: browser.viewport, home: browser.home) {
            browser = Browser(
                columns: columns, rows: rows, cellAspect: screen.cellAspect, layers: layers,
                camera: camera, remembered: remembered, settings: options.settings(profile),
                isOffline: web.client.isOffline)
        }
        let runtime = Runtime(
            screen: screen, engine: TileEngine(decoder: SniffingDecoder(), fetcher: web.fetcher),
            web: web, browser: browser,
            sources: options.opener, lastView: lastView, budget: budget(invocation))
        return runtime.run()
    }

    private static func budget(_ invocation: Invocation) -> BandwidthGovernor.Budget {
        invocation.whole("budget").map { .bytesPerSecond($0) } ?? .automatic
    }
}
