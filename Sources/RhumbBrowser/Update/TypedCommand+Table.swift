internal import RhumbCore
internal import RhumbEngine

extension TypedCommand {
    static let named: [TypedCommand] =
        routes + [
            TypedCommand("go", "PLACE", "go to coordinates or a place") {
                (browser, text) throws(Notice.Problem) in try browser.going(to: text)
            },
            TypedCommand("search", "[NAME]", "search for a place") {
                (browser, text) throws(Notice.Problem) in SearchPanel.opening(text, browser)
            },
            online,
            TypedCommand("zoom", "Z", "set the zoom level") {
                (browser, text) throws(Notice.Problem) in
                guard let zoom = Double(text), Camera.zoomRange.contains(zoom) else {
                    throw Notice.Problem("zoom: expected a number from -5 to 24, e.g. zoom 12.5")
                }
                return [.fly(to: browser.map.viewport.camera.zoomed(to: zoom))]
            },
            TypedCommand("open", "SOURCE", "open another map", .sources) {
                (_, text) throws(Notice.Problem) in
                [.effect(.open(source: try required(text), over: false))]
            },
            TypedCommand("source", "NAME", "open a source by name; alone: list sources", .sources) {
                (browser, text) throws(Notice.Problem) in
                text.isEmpty ? SourcesPanel.opening : [.effect(.open(source: text, over: false))]
            },
            TypedCommand("over", "SOURCE", "add an overlay to the map", .sources) {
                (_, text) throws(Notice.Problem) in [.effect(.open(source: try required(text), over: true))]
            },
            TypedCommand("streets", "NAME|off", "streets on the built-in world map; alone: ask") {
                (browser, text) throws(Notice.Problem) in try browser.choosingStreets(text: text)
            },
            TypedCommand("hillshade", "on|off", "terrain shading, without contours", .switches) {
                (browser, text) throws(Notice.Problem) in
                let isOn: Switch = try choice(text, "hillshade")
                return browser.showingHillshade(isOn == .on)
            },
            TypedCommand("hills", "on|off", "terrain shading and contours", .switches) {
                (browser, text) throws(Notice.Problem) in
                let isOn: Switch = try choice(text, "hills")
                return browser.showingHills(isOn == .on)
            },
            TypedCommand("contours", "auto|off|METRES", "contour lines, with this distance in height") {
                (browser, text) throws(Notice.Problem) in try browser.showingContours(text)
            },
            TypedCommand(
                "save", "[FILE] [legend]",
                "save the map (.png, .jpg, .webp, .svg, .ans, .txt), route or track (.gpx, .geojson)",
                .folders
            ) {
                (browser, text) throws(Notice.Problem) in
                if let action = browser.savingRoute(as: text) { return [action] }
                let hasLegend = text == "legend" || text.hasSuffix(" legend")
                let name = hasLegend ? String(text.dropLast("legend".count)).trimmed : text
                return [.effect(.savePicture(name: name.isEmpty ? nil : name, hasLegend: hasLegend))]
            },
            TypedCommand("track", "[FILE.gpx]", "save the recorded track; alone: elevation profile", .folders)
            {
                (browser, text) throws(Notice.Problem) in
                [text.isEmpty ? .command(.panel(.track)) : browser.savingTrack(as: text)]
            },
            TypedCommand("units", "metric|imperial", "units of the scale bar", .units) {
                (browser, text) throws(Notice.Problem) in
                let units: Settings.Units = try choice(text, "units")
                return [browser.changing(\.units, to: units)] + browser.redrawingContours(in: units)
            },
            TypedCommand(
                "names", "[on|off|auto|local|both|CODE]", "labels on the map, and their language", .names
            ) {
                (browser, text) throws(Notice.Problem) in
                if text.isEmpty { return [.command(.names)] }
                if let language = NameLanguage(text) { return [.names(language)] }
                let others = ["auto", "local", "both", "a code such as en"]
                let isOn: Switch = try choice(text, "names", or: others)
                return [.labels(isOn == .on)]
            },
            TypedCommand("grid", "mgrs|utm|maidenhead|degrees|off", "coordinate grid over the map", .grids) {
                (browser, text) throws(Notice.Problem) in
                let kind: GridKind? = text == "off" ? nil : try choice(text, "grid", or: ["off"])
                return browser.showingGrid(kind)
            },
            TypedCommand("style", "NAME|auto|sun|day|night", "style of the map; alone: list styles", .styles)
            {
                (_, text) throws(Notice.Problem) in [Action(style: text)]
            },
            TypedCommand("look", "NAME", "plain, daylight, crisp, vivid, strong, soft, grey, dark", .presets)
            {
                (_, text) throws(Notice.Problem) in [.preset(try choice(text, "look"))]
            },
            TypedCommand("at", "TIME|now|off", "day and night at a UTC time, e.g. 2026-06-21T12:00 or 12:00")
            {
                (browser, text) throws(Notice.Problem) in
                if text == "off" { return [.daylight(nil)] }
                guard let time = MapTime(text) else {
                    throw Notice.Problem(
                        "at: invalid time \"\(SafeText.sanitised(text))\"; expected a UTC time, e.g. 12:00 or 2026-06-21T12:00"
                    )
                }
                return [.daylight(time)]
            },
            TypedCommand("symbols", "SET", "glyph sets of the map", .symbols) {
                (browser, text) throws(Notice.Problem) in
                guard let symbols = Symbols(names: text) else {
                    throw Notice.Problem(
                        "symbols: expected ascii, half, quadrant, sextant, octant, braille, or a combination "
                            + "such as sextant+quadrant+half")
                }
                return [browser.changing(\.symbols, to: symbols)]
            },
            TypedCommand("pixels", "auto|kitty|sixel|iterm|off", "map in pixels or in cells", .pixels) {
                (browser, text) throws(Notice.Problem) in
                [browser.changing(\.pixels, to: try choice(text, "pixels"))]
            },
            TypedCommand("colors", "DEPTH", "truecolor, 256, 16 or mono", .depths) {
                (browser, text) throws(Notice.Problem) in
                var settings = browser.map.settings
                settings.show(in: try choice(text, "colors"))
                return [.settings(settings)]
            },
            TypedCommand("hints", "on|off", "key hints at the bottom", .switches) {
                (browser, text) throws(Notice.Problem) in
                let isOn: Switch = try choice(text, "hints")
                return [.hints(isOn == .on)]
            },
            TypedCommand("animation", "on|off", "smooth movement", .switches) {
                (browser, text) throws(Notice.Problem) in
                let isOn: Switch = try choice(text, "animation")
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
                (browser, text) throws(Notice.Problem) in
                if text.isEmpty { return [.command(.panel(.traffic))] }
                guard let choice = TrafficChoice(text: text) else {
                    throw Notice.Problem("traffic: expected \(TrafficChoice.words.joined(separator: ", "))")
                }
                return [.traffic(choice)]
            },
            TypedCommand("traffic-colors", "NAME", "standard or colourblind", .trafficColours) {
                (browser, text) throws(Notice.Problem) in
                let colours: TrafficColours = try choice(text, "traffic-colors")
                return [
                    browser.changing(\.trafficColours, to: colours),
                    .say("Traffic colours: \(colours.rawValue)"),
                ]
            },
            simple("offline", "toggle offline mode", .offline),
            TypedCommand("metered", "on|off", "metered connection: pause region downloads", .switches) {
                (browser, text) throws(Notice.Problem) in
                let isOn: Switch = try choice(text, "metered")
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
        TypedCommand(name, "LIST", help, .features) { (browser, text) throws(Notice.Problem) in
            guard !text.isEmpty else {
                let names = current(browser.stored.configuration).sorted().map(\.name)
                return [.say("\(title): \(names.isEmpty ? "none" : names.joined(separator: ", "))")]
            }
            do throws(FeatureFailure) {
                let features = try LayerConfiguration.features(text)
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
            (_, text) throws(Notice.Problem) in
            guard text.isEmpty else { throw Notice.Problem("\(name): unexpected argument \"\(text)\"") }
            return [.command(command)]
        }
    }

    private static func required(_ text: String) throws(Notice.Problem) -> String {
        guard !text.isEmpty else {
            throw Notice.Problem(
                "missing SOURCE: a .mbtiles or .pmtiles file, a folder, a URL, or a name listed by :source")
        }
        return text
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String, _ name: String, or others: [String] = []
    ) throws(Notice.Problem) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: text) { return choice }
        let choices = (Choice.allCases.map(\.rawValue) + others).joined(separator: ", ")
        throw Notice.Problem("\(name): expected one of \(choices)")
    }

    static let routes: [TypedCommand] = [
        TypedCommand("route", "[PLACE]", "route to a place, from the clicked place or the centre") {
            (browser, text) throws(Notice.Problem) in
            let place = text.hasPrefix("to ") ? String(text.dropFirst(3)) : text == "to" ? "" : text
            return place.isEmpty ? RoutePanel.opening(browser) : try RoutePanel.opening(to: place, browser)
        },
        TypedCommand(
            "engine", "[MODE=]URL|NAME|tiles", "routing engine; alone: automatic",
            ArgumentWords([Completion("tiles", "the roads of stored maps")], outside: .engines)
        ) {
            (_, text) throws(Notice.Problem) in
            [.ask(ChooseRouteEngines(engines: text.split(separator: " ").map(String.init)))]
        },
        TypedCommand("reach", "MINUTES", "area reachable in some minutes, e.g. 5,10") {
            (browser, text) throws(Notice.Problem) in
            let minutes = text.split { $0 == "," || $0 == " " }.map { Double($0) ?? 0 }
            guard (1...Isochrone.limit).contains(minutes.count),
                minutes.allSatisfy({ $0 > 0 && $0 <= Isochrone.longest })
            else {
                throw Notice.Problem(
                    "reach: expected one to four numbers of minutes up to 600, e.g. reach 5,10")
            }
            return browser.askingReach(minutes)
        },
        TypedCommand(
            "vehicle", "height 4 weight 40 …", "size of the truck or bus in metres and tonnes; alone: any"
        ) {
            (browser, text) throws(Notice.Problem) in
            let vehicle = try vehicle(text), mode = browser.route.mode
            let fitting = mode != .bus && !text.isEmpty ? .truck : mode
            return browser.planningRoute {
                $0.vehicle = vehicle
                $0.mode = fitting
            } + [.say(text.isEmpty ? "Vehicle: any" : "Vehicle: \(fitting.rawValue), \(text)")]
        },
        TypedCommand("depart", "now|TIME", "departure time, e.g. 2026-11-22T17:00; alone: none") {
            (browser, text) throws(Notice.Problem) in
            guard text.isEmpty || RouteDeparture(text) != nil else {
                throw Notice.Problem("depart: expected now, or a date and time such as 2026-11-22T17:00")
            }
            let notice =
                text.isEmpty ? "Departure time removed: routes ignore traffic" : "Departure: \(text)"
            return browser.planningRoute { $0.departure = RouteDeparture(text) } + [.say(notice)]
        },
    ]

    /// Parses the size of a vehicle, such as "height 4 weight 40 hazmat".
    private static func vehicle(_ text: String) throws(Notice.Problem) -> RouteVehicle {
        var vehicle = RouteVehicle(), rest = text.split(separator: " ").map(String.init)[...]
        while let name = rest.popFirst() {
            if name == "hazmat" {
                vehicle.isHazardous = true
                continue
            }
            guard let size = rest.popFirst().flatMap(Double.init), size > 0, size < 1000 else {
                throw Notice.Problem("\(name): expected a number of metres or tonnes", word: name)
            }
            switch name {
            case "height": vehicle.height = size
            case "width": vehicle.width = size
            case "length": vehicle.length = size
            case "weight": vehicle.weight = size
            case "axle-load": vehicle.axleLoad = size
            default:
                throw Notice.Problem(
                    "vehicle: expected height, width, length, weight, axle-load or hazmat", word: name)
            }
        }
        return vehicle
    }
}
