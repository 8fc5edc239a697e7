// Counts how often the hot paths ask for memory, and prints a line for each: its name and the number. Unlike
// times, these numbers don't depend on the machine or its load. `AllocationTests` compares them with the
// committed ones.

internal import CAllocations
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOffline
internal import RhumbOpening
internal import RhumbStore
internal import RhumbTerminal
internal import RhumbTestSupport

struct Missing: Error { let what: String }

func required<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw Missing(what: what) }
    return value
}

/// Returns the allocations of the last of some runs: earlier ones fill caches.
func allocations(runs: Int = 4, _ body: (_ run: Int) throws -> Void) rethrows -> Int {
    var count = 0
    for run in 0..<runs {
        let before = rhumb_allocations()
        try body(run)
        count = rhumb_allocations() - before
    }
    return count
}

// MARK: Pans and frames

struct NoSource: TileLayerDataSource {}

/// A browser over a map in memory, with its terminal.
struct Screen {
    private var browser: Browser
    private let scene: Scene
    private var map = MapPainter()
    private var terminal: Painter

    init() throws {
        let layer = TileLayer(id: "map", source: NoSource(), info: TileSourceInfo(name: "map"))
        let camera = Camera(center: Coordinate(latitude: 60.45, longitude: 22.27), zoom: 12)
        browser = Browser(columns: 120, rows: 40, layers: [layer], camera: camera)
        _ = browser.begin()
        let wide = Viewport(camera: camera, columns: 360, rows: 120)
        var part = LayerScene(layer: layer, tileZoom: layer.tileZoom(at: camera.zoom))
        part.pictures = layer.cover(of: wide).map { placed in
            LayerScene.Picture(raster: Screen.island, tile: placed, area: placed)
        }
        scene = Scene(layers: [part])
        terminal = Painter(
            try required(Capabilities.load("xterm-256color", depth: .truecolor), "terminfo"),
            depth: .truecolor, isUTF8: true, columns: 120, rows: 40)
    }

    mutating func draw() {
        let grid = map.paint(
            scene, viewport: browser.map.viewport, settings: browser.map.settings, theme: browser.theme)
        _ = terminal.frame(browser.view(scene, map: grid))
    }

    /// Handles a key that moves the map, and draws.
    mutating func pan(_ direction: Key.Arrow, at time: Duration) {
        _ = browser.update(.key(.arrow(direction, shift: false)), at: time)
        draw()
    }

    /// Draws all cells again.
    mutating func drawAgain() {
        terminal.forget()
        map = MapPainter()
        draw()
    }

    /// A tile with sea, land and thin roads.
    private static let island: Raster = {
        let pixels = (0..<(256 * 256)).flatMap { at -> [UInt8] in
            let x = at % 256, y = at / 256
            let isRoad = (x + y / 3) % 37 == 0 || (y + x / 4) % 53 == 0
            let colour = RGB(isRoad ? 0xA8894A : (x / 30 + y / 17) % 7 < 3 ? 0x10202E : 0x22382B)
            return [colour.red, colour.green, colour.blue, 255]
        }
        return Raster(width: 256, height: 256, pixels: pixels) ?? .clear
    }()
}

// MARK: Tiles

/// Decodes and draws the tile of the embedded world that contains Europe.
func decodeTile() throws -> Int {
    let archive = try PMTilesArchive(FileBytes("Assets/world.pmtiles"), name: "world")
    let tile = try required(TileID(zoom: 3, x: 4, y: 2), "a tile")
    guard case .bitmap(.encoded(let bytes)) = try archive.tile(tile) else {
        throw Missing(what: "a tile of Assets/world.pmtiles")
    }
    let painter = VectorPainter(
        try Style.standard(.night, .truecolor, for: .world), source: TileSchema.world.rawValue)
    return try allocations { _ in
        let drawing = VectorDrawing(archive.info, painters: [.other: painter])
        _ = try drawing.tile(tile, from: bytes).picture(of: tile, side: 512)
    }
}

// MARK: Searches

/// Finds places for a word that is typed letter by letter, as the mean of its letters.
func searchKeys() throws -> Int {
    let file = try FileBytes("Assets/places.db")
    let bytes = try file.read(offset: 0, count: Int(file.size))
    return try bytes.withUnsafeBytes { memory in
        let gazetteer = try Gazetteer(MemoryBytes(memory), name: "places")
        let near = Coordinate(latitude: 60.45, longitude: 22.27), word = "helsinki"
        return try allocations { _ in
            for count in 1...word.count {
                _ = try gazetteer.places(matching: String(word.prefix(count)), near: near, limit: 10)
            }
        } / word.count
    }
}

// MARK: Downloads

/// Returns the allocations of the download of a square of tiles into a new store.
func download(columns: Int) async throws -> Int {
    let folder = TemporaryFolder(inMemory: true)
    let regions = Regions(try RegionStore(folder.path + "/regions.db"), cache: nil)
    var definition = SourceDefinition(
        id: "ready", name: "ready", addresses: ["http://ready.example/{z}/{x}/{y}.png"])
    definition.policy = .unlimited
    let web = try WebTileSource(definition)
    let supply = ReadySupply(origin: web.origin) { fakePicture($0) }
    let source = RegionSource("ready", web.layer(id: "ready"), supply, definition: definition)
    let first = try required(TileID(zoom: 14, x: 0, y: 0), "a tile").center
    let last = try required(TileID(zoom: 14, x: columns - 1, y: columns - 1), "a tile").center
    let box = try required(
        Bounds(west: first.longitude, south: last.latitude, east: last.longitude, north: first.latitude),
        "a box")
    let record = try regions.add(
        RegionDefinition(
            id: RegionID("square"), geometry: .box(box), zooms: ZoomRange(14, 14),
            sources: [source.specifier], features: [source.layer.feature.name], packing: .exact), [source])
    let before = rhumb_allocations()
    _ = try await regions.start(record, [source]).value()
    return rhumb_allocations() - before
}

/// Returns the allocations for each downloaded tile, without those for a region of any size.
func downloadedTile() async throws -> Int {
    let small = try await download(columns: 20), large = try await download(columns: 50)
    return (large - small) / (50 * 50 - 20 * 20)
}

var screen = try Screen()
let directions: [Key.Arrow] = [.right, .down, .left, .up]
let pan = allocations(runs: 9) { screen.pan(directions[$0 % 4], at: .seconds($0)) }
print("pan", pan)
print("frame", allocations { _ in screen.drawAgain() })
print("tile", try decodeTile())
print("key", try searchKeys())
print("download", try await downloadedTile())
