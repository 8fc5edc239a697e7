internal import RhumbCore
internal import RhumbEngine

/// The layers of the map, the top one first, and the features that are enabled.
struct LayersPanel: Panel {
    var entry: PanelEntry { .layers }
    /// The chosen layer, counted from the top one.
    private var row = 0

    init() {}

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        let count = browser.layers.count, rows = count + (browser.lacksStreets ? 1 : 0)
        guard count > 0 else { return nil }
        if let row = key.row(from: row, of: rows, page: 5) {
            self.row = row
            return []
        }
        if row == count, key == .enter || key == .character(" ") { return browser.show(StreetsPanel()) }
        let at = count - 1 - min(row, count - 1)
        switch key {
        case .character(" "), .enter: browser.layers[at].isVisible.toggle()
        case .arrow(.left, _): browser.layers[at].opacity = max(browser.layers[at].opacity - 0.1, 0.1)
        case .arrow(.right, _): browser.layers[at].opacity = min(browser.layers[at].opacity + 0.1, 1)
        case .character("<"): return shift(at, by: 1, &browser)
        case .character(">"): return shift(at, by: -1, &browser)
        case .character("x"): return takeOff(at, &browser)
        case .character("z"): return zoom(to: browser.layers[at], &browser)
        case .tab: return browser.showSources()
        default: return nil
        }
        return [.look]
    }

    /// Moves a layer up (1) or down (-1) among the others.
    private mutating func shift(_ at: Int, by step: Int, _ browser: inout Browser) -> [Effect] {
        guard browser.layers.indices.contains(at + step) else { return [] }
        var (moved, other) = (browser.layers[at], browser.layers[at + step])
        TileLayer.exchangePlaces(&moved, &other)
        (browser.layers[at], browser.layers[at + step]) = (moved, other)
        row = browser.layers.count - 1 - at - step
        return [.look]
    }

    /// Goes to where a layer has something to show.
    private func zoom(to layer: TileLayer, _ browser: inout Browser) -> [Effect] {
        if let box = layer.live?.index.box { return browser.camera(over: box).map { browser.fly(to: $0) } ?? [] }
        guard let bounds = layer.info.bounds else { return browser.say("\(layer.info.name) has no known bounds") }
        return browser.fly(to: browser.viewport.fitted(to: bounds, margin: 0.95))
    }

    private mutating func takeOff(_ at: Int, _ browser: inout Browser) -> [Effect] {
        let isLastMap = browser.layers.count { $0.live == nil } == 1 && browser.layers[at].live == nil
        guard !isLastMap else { return browser.say("The last map can't be removed") }
        row = 0
        if browser.layers[at].isOnlineStreets { return browser.setStreets(.off) + browser.say("Streets are off") }
        let gone = browser.layers.remove(at: at)
        return [.look] + browser.say("Removed \(gone.info.name) from the map")
    }

    // MARK: Text

    func keys(_ browser: Browser) -> [PanelKey] {
        let find = browser.layers.contains { $0.live != nil } ? [PanelKey("z", "zoom to it")] : []
        return [.init("Space", "show"), .init("← →", "fade"), .init("< >", "order"), .init("x", "remove")] + find + [.init("Tab", "sources")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let isUnicode = browser.settings.isUnicode
        var lines: [PanelText.Line] = []
        for (at, layer) in browser.layers.reversed().enumerated() {
            let mark = layer.isVisible ? (isUnicode ? "●" : "*") : (isUnicode ? "○" : "o")
            let share = "\(Int((layer.opacity * 100).rounded())) %"
            lines.append(.init(text: "\(mark) \(layer.info.name)", right: share, style: at == row ? .reverse : []))
            guard layer.live == nil else {
                lines += browser.overlayLines(layer)
                continue
            }
            let zooms = "z\(layer.dataZooms.lowerBound)–\(layer.dataZooms.upperBound)"
            lines += browser.wrapped("\(zooms) \(layer.tileSize.rawValue) px \(layer.info.attribution)", indent: 4)
                .map { .init(text: "    " + $0.text) }
        }
        if browser.lacksStreets, let offer = browser.streets.offer {
            let style: Cell.Style = row == browser.layers.count ? .reverse : []
            lines.append(.init(text: "\(isUnicode ? "○" : "o") Streets (\(offer.name))", right: "off", style: style))
        }
        lines += [.init(text: ""), .init(text: "Tab: list of sources")]
        lines.append(.init(text: ":open FILE opens another map"))
        lines += browser.wrapped(":over FILE adds an overlay: a map, GPX, GeoJSON, KML, CSV, gpsd: or aprs:HOST")
        lines += [.init(text: "")] + featureLines(browser)
        return PanelText(title: "Maps and layers", lines: lines)
    }

    /// The three lists of features, by their names for users. `:features`, `:prefetch` and `:pass-through` set them.
    private func featureLines(_ browser: Browser) -> [PanelText.Line] {
        let lists = [
            ("enabled", browser.configuration.enabledFeatures),
            ("prefetched", browser.configuration.implicitlyPrefetchedFeatures),
            ("allowed offline", browser.configuration.passThroughFeatures),
        ]
        return lists.flatMap { title, features in
            let names = features.compactMap(\.title).sorted().joined(separator: ", ")
            return [PanelText.Line(text: title, style: .bold)]
                + browser.wrapped(names.isEmpty ? "none" : names, indent: 2)
        }
    }
}

extension PanelEntry {
    static let layers = PanelEntry("layers") { $0.show(LayersPanel()) }
}
