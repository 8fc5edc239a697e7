public import RhumbCore
public import RhumbEngine

/// The panel that describes the point at the centre of the map, or under the mouse.
struct HerePanel: Panel {
    var entry: PanelEntry { .here }
    var marksPoint: Bool { true }
    var incidents = Loadable<Coordinate, Result<[TrafficIncident], Notice.Problem>>()
    var features = Loadable<FeatureQuestion, Result<[MapFeature], Notice.Problem>>()
    var tileLayers = Loadable<TileLayersQuery, [TileLayersQuery.Row]>()
    var height = Loadable<PlaceHeightQuery, Double?>()
    var surroundings = Loadable<DescriptionQuery, PlaceDescription?>()
    /// The next step of the shown route from the place of the description; nil without a route.
    var routeAhead: RouteAhead?
    /// True on the second page, with the attributes of features, and the tiles.
    private(set) var isSecondPage = false
    private var holders = Loadable<TileHolderQuery, [String]>()

    /// Returns the coordinates of the point.
    func copied(_ browser: Browser) -> String { PlaceFormat.decimal(browser.pointedPlace) }

    mutating func ask(_ browser: Browser) -> [Action] {
        askIncidents(browser) + askFeatures(browser) + askHolders(browser) + askTileLayers(browser)
            + askHeight(browser) + askDescription(browser)
    }

    /// Queries the regions that contain the tile at the point, for a base map from the network.
    private mutating func askHolders(_ browser: Browser) -> [Action] {
        guard browser.isAtRest, let layer = browser.base, layer.isFromWeb else { return [] }
        let zoom = min(
            max(layer.tileZoom(at: browser.map.viewport.camera.zoom), layer.dataZooms.lowerBound),
            layer.dataZooms.upperBound)
        let point = browser.map.viewport.world(column: browser.point.column, row: browser.point.row)
        let query = TileHolderQuery(layer: layer.id, tile: TileID(zoom: zoom, containing: point))
        return holders.ask(query, at: browser.map.now) ? [.ask(query)] : []
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        holders.receive(response)
        tileLayers.receive(response)
        height.receive(response)
        if let response = response[FeatureQuery.self], let asked = features.asked,
            asked.place == response.query.question.place
        {
            features.receive(response.value, to: asked)
        }
        if let response = response[IncidentQuery.self] {
            incidents.receive(response.value, to: response.query.place)
        }
        if let response = response[DescriptionQuery.self] {
            surroundings.receive(response.value, to: response.query)
            routeAhead = browser.routeAhead(from: response.query.place)
        }
        return []
    }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        guard key == .tab else { return nil }
        isSecondPage.toggle()
        return []
    }

    /// Returns true if the attributes of features and the tiles are shown: on the second page, and while the
    /// map shows tiles.
    func showsData(_ browser: Browser) -> Bool { isSecondPage || browser.tiles.view != .none }

    func keys(_ browser: Browser) -> [PanelKey] { [.init("Tab", HereText.data), .init("PgDn", "scroll")] }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let world = browser.map.viewport.world(column: browser.point.column, row: browser.point.row)
        let place = Mercator.coordinate(world)
        let whereabouts =
            (browser.pointing.pointer == nil) == browser.pointing.marks.isEmpty ? browser.whereaboutsText : ""
        let name = headline(browser)
        var lines = name.map { browser.wrapped($0).map { PanelText.Line(text: $0.text, style: .bold) } } ?? []
        if let facts = browser.positionFacts { lines += browser.wrapped(facts) }
        let described = descriptionLines(browser)
        if !described.isEmpty {
            lines += described
        } else if !whereabouts.isEmpty {
            lines.append(.init(text: whereabouts, style: lines.isEmpty ? .bold : []))
        }
        lines += [
            .init(text: PlaceFormat.coordinate(place, zoom: 18), style: lines.isEmpty ? .bold : []),
            .init(text: PlaceFormat.decimal(place)),
        ]
        if let notation = browser.gridNotation(of: place) { lines.append(.init(text: notation)) }
        let known = surroundings.asked?.place == place ? surroundings.current.flatMap(\.self)?.height : nil
        if let metres = known ?? metres(at: place) {
            lines.append(.init(text: HereText.height(metres, browser.map.settings.units)))
        }
        if showsData(browser) {
            lines.append(.init(text: PlaceFormat.zoom(browser.map.viewport.camera.zoom)))
        }
        let things = featureLines(browser) + incidentLines(browser)
        let layers = layerLines(scene, at: world, browser)
        // The tile comes first while tiles are shown.
        lines += browser.tiles.view == .none && !isSecondPage ? things + layers : layers + things
        lines += [.init(text: "")] + browser.wrapped(browser.attribution)
        lines += browser.wrapped(HereText.placeNames)
        return PanelText(title: "Here", lines: lines)
    }

    private func layerLines(
        _ scene: Scene, at world: WorldPoint, _ browser: Browser
    ) -> [PanelText.Line] {
        scene.layers.reversed().flatMap { layer in
            var lines: [PanelText.Line] = []
            if layer.layer.live != nil {
                lines += overlay(layer.layer, browser)
            } else if showsData(browser) {
                lines += describe(layer, at: world, browser) + tileLayerLines(layer.layer.id)
            } else {
                lines += gapLines(layer, at: world)
            }
            if holders.asked?.layer == layer.layer.id {
                lines += (holders.current ?? []).flatMap { browser.wrapped(HereText.stored(in: $0)) }
            }
            return lines.isEmpty ? [] : [.init(text: "")] + lines
        }
    }

    /// Returns the lines of an overlay of features, which has no tiles.
    private func overlay(_ layer: TileLayer, _ browser: Browser) -> [PanelText.Line] {
        [PanelText.Line(text: layer.info.name, style: .bold)] + browser.overlayLines(layer, indent: 0)
    }

    private func describe(
        _ scene: LayerScene, at world: WorldPoint, _ browser: Browser
    ) -> [PanelText.Line] {
        let tile = TileID(zoom: scene.tileZoom, containing: world)
        var lines = [
            PanelText.Line(text: scene.layer.info.name, style: .bold),
            PanelText.Line(text: HereText.tile(tile)),
        ]
        lines.append(.init(text: status(of: tile, in: scene)))
        if let other = scene.pictures.last(where: { $0.area.tile.contains(tile) }),
            other.tile.tile != tile
        {
            lines.append(.init(text: HereText.drawn(from: other.tile.tile, at: tile)))
        }
        let archives = scene.layer.source.archives(in: tile)
        if !archives.isEmpty { lines += browser.wrapped(HereText.drawn(fromArchives: archives)) }
        return lines
    }

    /// Returns the name of a layer and the reason why its tile is missing; empty for a tile on the screen.
    private func gapLines(_ scene: LayerScene, at world: WorldPoint) -> [PanelText.Line] {
        let reason = gap(at: TileID(zoom: scene.tileZoom, containing: world), in: scene)
        return reason.map { [.init(text: scene.layer.info.name, style: .bold), .init(text: $0)] } ?? []
    }

    /// Returns the reason why a tile is missing; nil if it isn't.
    private func gap(at tile: TileID, in scene: LayerScene) -> String? {
        switch scene.gaps.first(where: { $0.area.tile == tile })?.reason {
        case .loading: HereText.loading
        case .absent: HereText.absent
        case .failed(let failure): HereText.failed(failure)
        case nil: nil
        }
    }

    private func status(of tile: TileID, in scene: LayerScene) -> String {
        if let gap = gap(at: tile, in: scene) { return gap }
        if let picture = scene.pictures.first(where: { $0.tile.tile == tile }) {
            return HereText.loaded(picture.raster, picture.mark)
        }
        return HereText.outside
    }
}

extension PanelEntry {
    static let here = PanelEntry("here") { _ in
        [.show(HerePanel()), .uncoverPointer, .effect(.wake(after: Browser.restOfView))]
    }
}

extension Browser {
    /// The point that `i` describes, in cells.
    var point: (column: Double, row: Double) {
        pointing.pointer.map { (Double($0.column) + 0.5, Double($0.row) + 0.5) }
            ?? (Double(map.viewport.columns) / 2, Double(map.viewport.rows) / 2)
    }

    /// Moves the map so that the described point isn't below its panel.
    mutating func uncoverPointer() -> [Effect] {
        let panel = wholePanelFrame
        guard let at = pointing.pointer, at.column >= panel.column, at.row >= panel.row else { return [] }
        let columns = panel.column > 0 ? at.column - panel.column / 2 : 0,
            rows = panel.column > 0 ? 0 : at.row - panel.row / 2
        let before = map.viewport
        let effects = move(to: map.viewport.panned(columns: columns, rows: rows))
        if map.viewport != before { pointing.pointer = (at.column - columns, at.row - rows) }
        return effects
    }

    /// The place that `i` describes.
    var pointedPlace: Coordinate {
        Mercator.coordinate(map.viewport.world(column: point.column, row: point.row))
    }
}

/// A query for the regions and packages that contain a tile of a layer. The response has a short text for
/// each.
public struct TileHolderQuery: Query {
    /// The id of the layer.
    public let layer: TileLayer.ID
    /// The tile, at a zoom of the source.
    public let tile: TileID

    public typealias Response = [String]
}

extension Browser {
    /// Returns a place in the notation of the shown grid; nil without a grid, or where it has no squares.
    fileprivate func gridNotation(of place: Coordinate) -> String? {
        let notations = PlaceNotations(
            map.viewport.with(Camera(center: place, zoom: map.viewport.camera.zoom)))
        return switch map.settings.grid {
        case .mgrs: notations.militaryGrid ?? HereText.endOfUTM
        case .utm: notations.utm ?? HereText.endOfUTM
        case .maidenhead: notations.maidenhead
        case .degrees, nil: nil
        }
    }
}

/// A query for the description of a place and its surroundings, from stored data.
public struct DescriptionQuery: Query {
    /// The place.
    public let place: Coordinate

    /// The description; nil if the stored data can't be read.
    public typealias Response = PlaceDescription?
}

/// The description of the point in notations.
extension HerePanel {
    /// The maximum number of sentences in the panel, so that coordinates, features and traffic fit below
    /// them; `rhumb describe` prints all.
    private static let mostSentences = 5

    /// Queries the description of the point.
    mutating func askDescription(_ browser: Browser) -> [Action] {
        guard browser.isAtRest else { return [] }
        let query = DescriptionQuery(place: browser.pointedPlace)
        return surroundings.ask(query, at: browser.map.now) ? [.ask(query)] : []
    }

    /// Returns the first sentences of the description; empty until it is known, and on the second page.
    func descriptionLines(_ browser: Browser) -> [PanelText.Line] {
        guard !isSecondPage, let asked = surroundings.asked, asked.place == browser.pointedPlace,
            let found = surroundings.current.flatMap(\.self)
        else { return [] }
        let text = DescriptionText(
            found, units: browser.map.settings.units, nextStep: routeAhead, isSpoken: false)
        let title = headline(browser) ?? ""
        let knowsHeight =
            title.hasSuffix(" m") || title.hasSuffix(" ft")
            || browser.positionFacts != nil && browser.position.fix?.height != nil
        let sentences = text.lines(limit: Self.mostSentences).filter {
            !knowsHeight || !$0.hasPrefix(DescriptionText.unknownHeight)
        }
        let lines = sentences.flatMap { line in
            browser.wrapped(browser.map.settings.isUnicode ? line : Transliteration.ascii(line))
        }
        return lines + [.init(text: "")]
    }
}

/// A query for the layers of a vector tile.
public struct TileLayersQuery: Query {
    /// A layer of the tile.
    public struct Row: Sendable, Equatable {
        /// The name, sanitised.
        public let name: String
        /// The contents.
        public let size: LayerSize
        /// The number of different attributes.
        public let fields: Int

        /// Creates a row.
        public init(name: String, size: LayerSize, fields: Int) {
            self.name = name
            self.size = size
            self.fields = fields
        }
    }

    /// The map layer.
    public let layer: TileLayer.ID
    /// The tile.
    public let tile: TileID

    public typealias Response = [Row]
}

extension HerePanel {
    /// Queries the layers of the tile at the point, for a map of vector tiles.
    mutating func askTileLayers(_ browser: Browser) -> [Action] {
        guard browser.isAtRest, let layer = browser.base, layer.drawing != nil else { return [] }
        let point = browser.map.viewport.world(column: browser.point.column, row: browser.point.row)
        let zoom = layer.tileZoom(at: browser.map.viewport.camera.zoom)
        let query = TileLayersQuery(layer: layer.id, tile: TileID(zoom: zoom, containing: point))
        return tileLayers.ask(query, at: browser.map.now) ? [.ask(query)] : []
    }

    /// The layers of the tile, with sizes, features and attributes.
    func tileLayerLines(_ layer: TileLayer.ID) -> [PanelText.Line] {
        guard tileLayers.asked?.layer == layer, let rows = tileLayers.current, !rows.isEmpty else {
            return []
        }
        return rows.flatMap { row in
            [
                PanelText.Line.fact(row.name, AmountText.bytes(row.size.bytes)),
                PanelText.Line(text: HereText.contents(row.size, fields: row.fields)),
            ]
        }
    }
}

/// A query for the height of the ground at a place, from stored data.
public struct PlaceHeightQuery: Query {
    /// The place.
    public let place: Coordinate

    public static var isDrawnAtOnce: Bool { true }

    /// The height in metres; nil if it is unknown.
    public typealias Response = Double?
}

extension HerePanel {
    /// Queries the height at the point.
    mutating func askHeight(_ browser: Browser) -> [Action] {
        guard browser.isAtRest else { return [] }
        let query = PlaceHeightQuery(place: browser.pointedPlace)
        return height.ask(query, at: browser.map.now) ? [.ask(query)] : []
    }

    /// The height at a place in metres; nil if it is unknown.
    func metres(at place: Coordinate) -> Double? {
        height.asked?.place == place ? height.current.flatMap(\.self) : nil
    }
}
