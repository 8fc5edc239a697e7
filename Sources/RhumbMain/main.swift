internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

let profile = TerminalProfile.current()
let layer = TileLayer(id: "world", source: DebugFolder(root: "/tmp/worldtiles"), info: TileSourceInfo(name: "World", attribution: "Natural Earth", zooms: 0...6))
let engine = TileEngine(decoder: SniffingDecoder())
do {
    let screen = try Screen(profile)
    var settings = Settings()
    settings.symbols = profile.symbols
    settings.depth = profile.colors
    settings.isUnicode = profile.isUTF8
    let browser = Browser(columns: screen.size.columns, rows: screen.size.rows, cellAspect: screen.cellAspect, layers: [layer], settings: settings)
    let runtime = Runtime(screen: screen, engine: engine, browser: browser, sources: SourceOpener(), lastView: nil)
    exit(runtime.run())
} catch {
    print(error)
    exit(1)
}
