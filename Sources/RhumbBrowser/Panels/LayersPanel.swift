internal import RhumbCore
internal import RhumbEngine

/// The layers of the map, topmost first, and the enabled features.
struct LayersPanel: Panel {
    var entry: PanelEntry { .layers }
    /// The selected row, counted from the top.
    private var row = 0
    var filter: String? = "" { didSet { row = 0 } }
    /// True if the lists of features are shown.
    private var showsFeatures = false

    /// A row of the list.
    private enum Row {
        /// A layer, by its index in the browser's list.
        case layer(Int)
        /// The offer of streets from the web.
        case streets
        /// Shading and contours.
        case hills
        /// The coordinate grid.
        case grid
    }

    private func rows(_ browser: Browser) -> [Row] {
        let layers = browser.map.layers.indices.reversed().filter {
            matches(browser.map.layers[$0].info.name)
        }.map(
            Row.layer)
        return layers + (browser.lacksShownStreets && matches("Streets") ? [.streets] : [])
            + (matches(LayersText.hills) ? [.hills] : []) + (matches(LayersText.grid) ? [.grid] : [])
    }

    private func selected(_ browser: Browser) -> Row? {
        let rows = rows(browser)
        return rows.isEmpty ? nil : rows[min(row, rows.count - 1)]
    }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if key.move(&row, of: rows(browser).count, page: 5) { return [] }
        if key == .tab { return SourcesPanel.opening }
        if key == .character(" ") { return act(browser) }
        if key == .character("f") {
            showsFeatures.toggle()
            return []
        }
        guard case .layer(let at) = selected(browser) else { return nil }
        var layers = browser.map.layers
        switch key {
        case .arrow(.left, _): layers[at].opacity = max(layers[at].opacity - 0.1, 0.1)
        case .arrow(.right, _): layers[at].opacity = min(layers[at].opacity + 0.1, 1)
        case .character("<"): return shift(at, by: 1, browser)
        case .character(">"): return shift(at, by: -1, browser)
        case .character("g"): return zoom(to: layers[at], browser)
        default: return nil
        }
        return [.layers(layers)]
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        switch selected(browser) {
        case .layer(let at):
            var layers = browser.map.layers
            layers[at].isVisible.toggle()
            return [.layers(layers)]
        case .streets:
            return browser.lacksStreets
                ? [browser.streetsQuestion] : [.streets(.off), .say(StreetsText.isOff)]
        case .hills: return browser.showingHills(!browser.showsHills)
        case .grid: return browser.showingNextGrid()
        case nil: return nil
        }
    }

    mutating func remove(_ browser: Browser) -> [Action]? {
        if case .layer(let at) = selected(browser) { takeOff(at, browser) } else { nil }
    }

    func copied(_ browser: Browser) -> String {
        guard case .layer(let at) = selected(browser) else { return "" }
        return browser.map.layers[at].openedBy ?? browser.map.layers[at].specifier
    }

    /// Moves a layer up (1) or down (-1) among the others.
    private mutating func shift(_ at: Int, by step: Int, _ browser: Browser) -> [Action] {
        guard browser.map.layers.indices.contains(at + step) else { return [] }
        var layers = browser.map.layers
        var moved = layers[at], other = layers[at + step]
        TileLayer.exchange(&moved, &other)
        layers[at] = moved
        layers[at + step] = other
        row = max(row - step, 0)
        return [.layers(layers)]
    }

    /// Moves the view to the area of a layer.
    private func zoom(to layer: TileLayer, _ browser: Browser) -> [Action] {
        if let box = layer.live?.index.box {
            return browser.camera(over: box).map { [.fly(to: $0)] } ?? []
        }
        guard let bounds = layer.info.bounds else { return [.say(LayersText.noBounds(layer.info.name))] }
        return [.fly(to: browser.map.viewport.fitted(to: bounds, margin: 0.95))]
    }

    private mutating func takeOff(_ at: Int, _ browser: Browser) -> [Action] {
        let isLastMap = browser.map.layers.count { $0.live == nil } == 1 && browser.map.layers[at].live == nil
        guard !isLastMap else { return [.say(LayersText.lastMap)] }
        row = 0
        if browser.map.layers[at].isOnlineStreets {
            return [.streets(.off), .say(StreetsText.isOff)]
        }
        var layers = browser.map.layers
        let gone = layers.remove(at: at)
        return [.layers(layers), .say(LayersText.removed(gone.info.name))]
    }

    // MARK: Text

    func keys(_ browser: Browser) -> [PanelKey] {
        let find = browser.map.layers.contains { $0.live != nil } ? [PanelKey("g", "go there")] : []
        return [.init("Enter", "show/hide"), .init("← →", "fade"), .init("< >", "order"), .remove] + find
            + [.init("Tab", "sources"), .init("f", "kinds of data")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let rows = rows(browser)
        let selected = min(row, rows.count - 1)
        let list = rows.enumerated().flatMap { at, row in lines(row, isSelected: at == selected, browser) }
        guard filter?.isEmpty != false else { return PanelText(title: LayersText.title, lines: list) }
        let more = showsFeatures ? featureLines(browser) : LayersText.hints.flatMap { browser.wrapped($0) }
        return PanelText(title: LayersText.title, lines: list + [.init(text: "")] + more)
    }

    private func lines(_ row: Row, isSelected: Bool, _ browser: Browser) -> [PanelText.Line] {
        let isUnicode = browser.map.settings.isUnicode, (on, off) = isUnicode ? ("●", "○") : ("*", "o")
        let at: Int
        switch row {
        case .layer(let index): at = index
        case .streets:
            let name = browser.streets.offer?.name ?? "", isOff = browser.lacksStreets
            return [
                .row(
                    "\(isOff ? off : on) Streets (\(name))", right: isOff ? "off" : LayersText.notOpen,
                    isSelected: isSelected)
            ]
        case .hills:
            let isOn = browser.showsHills, text = browser.hillsTitle
            return [.row("\(isOn ? on : off) \(text)", right: isOn ? "on" : "off", isSelected: isSelected)]
        case .grid:
            let grid = browser.map.settings.grid, sign = grid == nil ? off : on
            return [
                .row(
                    "\(sign) \(LayersText.grid)", right: grid?.rawValue ?? "off", isSelected: isSelected)
            ]
        }
        let layer = browser.map.layers[at], share = "\(Int(clamping: layer.opacity * 100)) %"
        let sign = layer.isVisible ? on : off
        let title = PanelText.Line.row("\(sign) \(layer.info.name)", right: share, isSelected: isSelected)
        guard layer.live == nil else { return [title] + browser.overlayLines(layer) }
        let range = "z\(layer.dataZooms.lowerBound)–\(layer.dataZooms.upperBound)"
        return [title]
            + browser.wrapped("\(range) \(layer.info.attribution)", indent: 4)
            .map { .init(text: "    " + $0.text) }
    }

    /// Returns the three lists of features with their titles, and the commands that change them.
    private func featureLines(_ browser: Browser) -> [PanelText.Line] {
        let lists = [
            (LayersText.enabled, "features", browser.stored.configuration.enabledFeatures),
            (LayersText.prefetched, "prefetch", browser.stored.configuration.implicitlyPrefetchedFeatures),
            (LayersText.offline, "pass-through", browser.stored.configuration.passThroughFeatures),
        ]
        return lists.flatMap { title, command, features in
            [PanelText.Line(text: "\(title) (:\(command))", style: .bold)]
                + browser.wrapped(features.titles, indent: 2).map { .init(text: "  " + $0.text) }
        }
    }
}

extension Set<Feature> {
    /// The names for users, separated by commas, such as "base map, buildings and details".
    var titles: String { isEmpty ? "none" : compactMap(\.title).sorted().joined(separator: ", ") }
}

/// The texts of the panel of layers.
enum LayersText {
    static let title = "Maps and layers"
    static let hints = [
        "Tab lists the sources. :open FILE opens another map.",
        ":over FILE adds an overlay: a map, GPX, GeoJSON, KML, CSV, gpsd: or aprs:HOST",
    ]
    static let hills = "Hills: shading and contours"
    static let shading = "Hills: shading only"
    static let contours = "Hills: contours only"
    static let grid = "Coordinate grid"
    static let notOpen = "no network"
    static let lastMap = "The last map can't be removed"
    static let enabled = "Kinds of data in use"
    static let prefetched = "Loaded around the view"
    static let offline = "Loaded even in offline mode"

    static func noBounds(_ layer: String) -> String { "\(layer) has no known bounds" }

    static func removed(_ layer: String) -> String { "Removed \(layer) from the map" }
}

extension PanelEntry {
    static let layers = PanelEntry("layers") { _ in [.show(LayersPanel())] }
}
