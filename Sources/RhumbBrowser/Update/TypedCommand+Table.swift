internal import RhumbCore
internal import RhumbEngine

extension TypedCommand {
    static let named: [TypedCommand] =
        routes + [
            TypedCommand("go", "PLACE", "go to coordinates or a place") {
                (browser, words) throws(Notice.Problem) in try browser.going(to: words)
            },
            TypedCommand("search", "[NAME]", "search for a place") {
                (browser, words) throws(Notice.Problem) in SearchPanel.opening(words, browser)
            },
            online,
            TypedCommand("zoom", "Z", "set the zoom level") {
                (browser, words) throws(Notice.Problem) in
                guard let zoom = Double(words), Camera.zoomRange.contains(zoom) else {
                    throw Notice.Problem("zoom: expected a number from -5 to 24, e.g. zoom 12.5")
                }
                return [.fly(to: browser.map.viewport.camera.zoomed(to: zoom))]
            },
            TypedCommand("open", "SOURCE", "open another map", .sources) {
                (_, words) throws(Notice.Problem) in
                [.effect(.open(source: try required(words), over: false))]
            },
            TypedCommand("source", "NAME", "open a source by name; alone: list sources", .sources) {
                (browser, words) throws(Notice.Problem) in
                words.isEmpty ? SourcesPanel.opening : [.effect(.open(source: words, over: false))]
            },
            TypedCommand("over", "SOURCE", "add an overlay to the map", .sources) {
                (_, words) throws(Notice.Problem) in [.effect(.open(source: try required(words), over: true))]
            },
            TypedCommand("streets", "NAME|off", "streets on the built-in world map; alone: ask") {
                (browser, words) throws(Notice.Problem) in try browser.choosingStreets(words: words)
            },
            TypedCommand("hillshade", "on|off", "terrain shading, without contours", .switches) {
                (browser, words) throws(Notice.Problem) in
                let isOn: Switch = try choice(words, "hillshade")
                return browser.showingHillshade(isOn == .on)
            },
            TypedCommand("hills", "on|off", "terrain shading and contours", .switches) {
                (browser, words) throws(Notice.Problem) in
                let isOn: Switch = try choice(words, "hills")
                return browser.showingHills(isOn == .on)
            },
            TypedCommand("contours", "auto|off|METRES", "contour lines, with this distance in height") {
                (browser, words) throws(Notice.Problem) in try browser.showingContours(words)
            },
            TypedCommand(
                "save", "[FILE] [legend]",
                "save the map (.png, .jpg, .webp, .svg, .ans, .txt) or route (.gpx, .geojson)", .folders
            ) {
                (browser, words) throws(Notice.Problem) in
                if let action = browser.savingRoute(as: words) { return [action] }
                let hasLegend = words == "legend" || words.hasSuffix(" legend")
                let name = hasLegend ? String(words.dropLast("legend".count)).trimmed : words
                return [.effect(.savePicture(name: name.isEmpty ? nil : name, hasLegend: hasLegend))]
            },
            TypedCommand("units", "metric|imperial", "units of the scale bar", .units) {
                (browser, words) throws(Notice.Problem) in
                let units: Settings.Units = try choice(words, "units")
                return [browser.changing(\.units, to: units)] + browser.redrawingContours(in: units)
            },
            TypedCommand(
                "names", "[on|off|auto|local|both|CODE]", "labels on the map, and their language", .names
            ) {
                (browser, words) throws(Notice.Problem) in
                if words.isEmpty { return [.command(.names)] }
                if let language = NameLanguage(words) { return [.names(language)] }
                let others = ["auto", "local", "both", "a code such as en"]
                let isOn: Switch = try choice(words, "names", or: others)
                return [.labels(isOn == .on)]
            },
            TypedCommand("grid", "mgrs|utm|maidenhead|degrees|off", "coordinate grid over the map", .grids) {
                (browser, words) throws(Notice.Problem) in
                let kind: GridKind? = words == "off" ? nil : try choice(words, "grid", or: ["off"])
                return browser.showingGrid(kind)
            },
            TypedCommand("style", "NAME|auto|sun|day|night", "style of the map; alone: list styles", .styles)
            {
                (_, words) throws(Notice.Problem) in [Action(style: words)]
            },
            TypedCommand("look", "NAME", "plain, daylight, crisp, vivid, strong, soft, grey, dark", .looks) {
                (_, words) throws(Notice.Problem) in [.look(try choice(words, "look"))]
            },
            TypedCommand("at", "TIME|now|off", "day and night at a UTC time, e.g. 2026-06-21T12:00 or 12:00")
            {
                (browser, words) throws(Notice.Problem) in
                if words == "off" { return [.daylight(nil)] }
                guard let time = MapTime(words) else {
                    throw Notice.Problem(
                        "at: invalid time \"\(SafeText.sanitised(words))\"; expected a UTC time, e.g. 12:00 or 2026-06-21T12:00"
                    )
                }
                return [.daylight(time)]
            },
            TypedCommand("symbols", "SET", "glyph sets of the map", .symbols) {
                (browser, words) throws(Notice.Problem) in
                guard let symbols = Symbols(names: words) else {
                    throw Notice.Problem(
                        "symbols: expected ascii, half, quadrant, sextant, octant, braille, or a combination "
                            + "such as sextant+quadrant+half")
                }
                return [browser.changing(\.symbols, to: symbols)]
            },
            TypedCommand("pixels", "auto|kitty|sixel|iterm|off", "map in pixels or in cells", .pixels) {
                (browser, words) throws(Notice.Problem) in
                [browser.changing(\.pixels, to: try choice(words, "pixels"))]
            },
            TypedCommand("colors", "DEPTH", "truecolor, 256, 16 or mono", .depths) {
                (browser, words) throws(Notice.Problem) in
                var settings = browser.map.settings
                settings.show(in: try choice(words, "colors"))
                return [.settings(settings)]
            },
            TypedCommand("hints", "on|off", "key hints at the bottom", .switches) {
                (browser, words) throws(Notice.Problem) in
                let isOn: Switch = try choice(words, "hints")
                return [.hints(isOn == .on)]
            },
            TypedCommand("animation", "on|off", "smooth movement", .switches) {
                (browser, words) throws(Notice.Problem) in
                let isOn: Switch = try choice(words, "animation")
                return [browser.changing(\.animates, to: isOn == .on)]
            },
            simple("borders", "cycle tile borders, sizes and ages", .borders),
            features("features", LayersText.enabled, "enabled features, also for regions; alone: list") {
                $0.enabledFeatures
            } _: {
                (configuration, features) throws(FeatureFailure) in
                try configuration.enable(exactly: features)
            },
            features(
                "prefetch", LayersText.prefetched,
                "features to fetch ahead; none: use the least "
                    + "data"
            ) {
                $0.implicitlyPrefetchedFeatures
            } _: {
                $0.implicitlyPrefetchedFeatures = $1
            },
            features("pass-through", LayersText.offline, "features that may use the network while offline") {
                $0.passThroughFeatures
            } _: {
                $0.passThroughFeatures = $1
            },
            TypedCommand("traffic", "flow|…|off", "traffic and its display; alone: menu", .traffic) {
                (browser, words) throws(Notice.Problem) in
                if words.isEmpty { return [.command(.panel(.traffic))] }
                guard let choice = TrafficChoice(words: words) else {
                    throw Notice.Problem("traffic: expected \(TrafficChoice.words.joined(separator: ", "))")
                }
                return [.traffic(choice)]
            },
            TypedCommand("traffic-colors", "NAME", "standard or colourblind", .trafficColours) {
                (browser, words) throws(Notice.Problem) in
                let colours: TrafficColours = try choice(words, "traffic-colors")
                return [
                    browser.changing(\.trafficColours, to: colours),
                    .say("Traffic colours: \(colours.rawValue)"),
                ]
            },
            simple("offline", "toggle offline mode", .offline),
            TypedCommand("metered", "on|off", "metered connection: pause region downloads", .switches) {
                (browser, words) throws(Notice.Problem) in
                let isOn: Switch = try choice(words, "metered")
                return [
                    .effect(.setMetered(isOn == .on)),
                    .say(isOn == .on ? "Metered connection: downloads paused" : "Downloads resumed"),
                ]
            },
            simple("world", "show the whole map", .world),
            simple("back", "go back to the previous view", .back),
            simple("forward", "go forward again", .forward),
            simple("redraw", "redraw the screen", .redraw),
            simple("quit", "quit", .quit),
        ]

    /// Returns the command that changes one of the three lists of features, or shows it.
    private static func features(
        _ name: String, _ title: String, _ help: String,
        _ current: @escaping @Sendable (LayerConfiguration) -> Set<Feature>,
        _ change: @escaping @Sendable (inout LayerConfiguration, Set<Feature>) throws(FeatureFailure) -> Void
    ) -> TypedCommand {
        TypedCommand(name, "LIST", help, .features) { (browser, words) throws(Notice.Problem) in
            guard !words.isEmpty else {
                let names = current(browser.stored.configuration).sorted().map(\.name)
                return [.say("\(title): \(names.isEmpty ? "none" : names.joined(separator: ", "))")]
            }
            do throws(FeatureFailure) {
                let features = try LayerConfiguration.features(words)
                var configuration = browser.stored.configuration
                try change(&configuration, features)
                return [.configure(configuration), .say("\(title): \(features.titles)")]
            } catch {
                throw Notice.Problem(shown: error)
            }
        }
    }

    private enum Switch: String, CaseIterable { case on, off }

    static func simple(_ name: String, _ help: String, _ command: Command) -> TypedCommand {
        TypedCommand(name, "", help) {
            (_, words) throws(Notice.Problem) in
            guard words.isEmpty else { throw Notice.Problem("\(name): unexpected argument \"\(words)\"") }
            return [.command(command)]
        }
    }

    private static func required(_ words: String) throws(Notice.Problem) -> String {
        guard !words.isEmpty else {
            throw Notice.Problem(
                "missing SOURCE: a .mbtiles or .pmtiles file, a folder, a URL, or a name listed by :source")
        }
        return words
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ words: String, _ name: String, or others: [String] = []
    ) throws(Notice.Problem) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: words) { return choice }
        let known = (Choice.allCases.map(\.rawValue) + others).joined(separator: ", ")
        throw Notice.Problem("\(name): expected one of \(known)")
    }
}
