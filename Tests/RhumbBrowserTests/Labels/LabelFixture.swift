import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport

/// A map without images that has names, by tile at zooms 0…14.
struct LabelledSource: TileLayerDataSource, TileDrawing {
    var labels: [TileID: [VectorLabel]] = [:]
    var writesLabels = true
    let isDescribed = true
    var dataZooms = 0...14
    var origin: TileOrigin?

    func origin(of layer: TileLayer) -> TileOrigin? { origin }

    func hasTile(_ tile: TileID) -> Bool { false }

    func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile {
        throw TileFailure(.badContent, "there is none")
    }
}

extension LabelledSource {
    /// Adds a name at a place to the tile at zoom 14 that contains it.
    mutating func add(_ text: String, at place: WorldPoint, layer: Int = 0, icon: String? = nil) {
        let tile = TileID(zoom: 14, containing: place)
        add(text, .point(Self.place(place, in: tile)), to: tile, layer: layer, icon: icon)
    }

    mutating func add(_ text: String, along line: [WorldPoint], in tile: TileID, layer: Int = 0) {
        add(text, .line(line.map { Self.place($0, in: tile) }), to: tile, layer: layer, icon: nil)
    }

    private mutating func add(
        _ text: String, _ anchor: VectorLabel.Anchor, to tile: TileID, layer: Int, icon: String?
    ) {
        let order = labels[tile]?.count ?? 0
        let rank = VectorLabel.Rank(layer: layer, order: order)
        labels[tile, default: []].append(
            VectorLabel(text: text, anchor: anchor, rank: rank, layer: "\(layer)", icon: icon))
    }

    private static func place(_ point: WorldPoint, in tile: TileID) -> SIMD2<Double> {
        SIMD2(point.x * 16384 - Double(tile.x), point.y * 16384 - Double(tile.y))
    }
}

/// A browser over a map with labels. Label queries are answered immediately, or recorded.
struct LabelledMap {
    var browser: Browser
    let source: LabelledSource
    /// True if queries are answered.
    var answers = true
    private(set) var questions: [LabelQuestion] = []
    /// Layouts that have not been computed yet.
    private var layouts: [LabelLayoutTask] = []
    private let laysOut: Bool
    /// True if the gazetteer responds without any places.
    private let namesPlaces: Bool

    /// The centre of the view, at the centre of a tile at zoom 14.
    static let middle = WorldPoint(x: 8704.5 / 16384, y: 5972.5 / 16384)

    init(
        _ source: LabelledSource, columns: Int = 100, rows: Int = 32, zoom: Double = 14, answers: Bool = true,
        laysOut: Bool = true, namesPlaces: Bool = false, prefersLastZoom: Bool = false
    ) {
        self.source = source
        self.namesPlaces = namesPlaces
        self.laysOut = laysOut
        self.answers = answers
        var layer = TileLayer(
            id: "named", source: source,
            info: TileSourceInfo(name: "named", zooms: 0...20, tileSize: .pixels512))
        layer.drawing = source
        layer.role = .vectorBase
        layer.detail = 1
        layer.prefersLastZoom = prefersLastZoom
        layer.info.hasLabels = false
        browser = Browser.test(
            columns: columns, rows: rows, layers: [layer], camera: Camera(center: Self.middle, zoom: zoom))
        send(.tick)
    }

    /// Advances the time.
    mutating func tick(_ time: Duration) { send(.tick, at: time) }

    mutating func send(_ event: Event) { send(event, at: browser.map.now) }

    private mutating func send(_ event: Event, at time: Duration) {
        for effect in browser.update(event, at: time) {
            if let question = effect.query(LabelQuestion.self) {
                questions.append(question)
                if answers { answer(question) }
            }
            if effect.query(PlaceLabelQuery.self) != nil, namesPlaces { send(.placeLabels([])) }
            if let task = effect.query(LabelLayoutTask.self) {
                if laysOut { send(.laidOut(task)) } else { layouts.append(task) }
            }
        }
    }

    mutating func answer(_ question: LabelQuestion) {
        let names = question.tiles.map { TileLabels(source.labels[$0] ?? [], on: $0) }
        send(.labels(names, to: question))
    }

    /// Computes the requested layouts.
    mutating func layOut() {
        let due = layouts
        layouts = []
        for task in due { send(.laidOut(task)) }
    }

    mutating func press(_ key: Key) { send(.key(key)) }

    /// The rows of the map as text.
    var lines: [String] { Array(browser.screen.lines.prefix(browser.map.viewport.rows)) }

    /// Returns the positions of a text: the column of its first letter, and the row.
    func places(of text: String) -> [SIMD2<Int>] {
        lines.enumerated().flatMap { row, line in
            line.ranges(of: text).map { SIMD2(line.distance(from: line.startIndex, to: $0.lowerBound), row) }
        }
    }

    /// Returns the place at an offset in cells from the centre.
    static func place(_ columns: Double, _ rows: Double, zoom: Int = 14) -> WorldPoint {
        let pixels = 256 * Double(1 << zoom)
        return WorldPoint(x: middle.x + columns * 2 / pixels, y: middle.y + rows * 4 / pixels)
    }
}
