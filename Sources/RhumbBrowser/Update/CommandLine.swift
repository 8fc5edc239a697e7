internal import RhumbCore
internal import RhumbEngine

/// The `:` line: the words a person can type, and what they do.
struct TypedCommand: Sendable {
    let name: String
    let arguments: String
    let help: String
    let run: @Sendable (inout Browser, String) throws(Notice.Problem) -> [Effect]

    /// All words, also those that call up panels.
    static let all = named + panels

    private static let panels = Keymap.standard.bindings.compactMap { binding -> TypedCommand? in
        guard case .panel(let entry) = binding.command, !named.contains(where: { $0.name == entry.word }) else { return nil }
        return simple(entry.word, binding.help, binding.command)
    }

    private static let named: [TypedCommand] = [
        TypedCommand(name: "go", arguments: "PLACE", help: "go to coordinates") {
            (browser, words) throws(Notice.Problem) in try browser.go(to: words)
        },
        TypedCommand(name: "search", arguments: "[NAME]", help: "search for a place") {
            (browser, words) throws(Notice.Problem) in browser.startSearch(words)
        },
        TypedCommand(name: "zoom", arguments: "Z", help: "zoom to a level") {
            (browser, words) throws(Notice.Problem) in
            guard let zoom = Double(words), Camera.zoomRange.contains(zoom) else {
                throw Notice.Problem("zoom takes a number from 0 to 24, as in: zoom 12.5")
            }
            return browser.fly(to: browser.viewport.camera.zoomed(to: zoom))
        },
        TypedCommand(name: "open", arguments: "SOURCE", help: "show another map") {
            (_, words) throws(Notice.Problem) in [.open(source: try required(words), over: false)]
        },
        TypedCommand(name: "source", arguments: "NAME", help: "show a source by name; alone: list them") {
            (browser, words) throws(Notice.Problem) in
            words.isEmpty ? browser.showSources() : [.open(source: words, over: false)]
        },
        TypedCommand(name: "over", arguments: "SOURCE", help: "lay a map over this one") {
            (_, words) throws(Notice.Problem) in [.open(source: try required(words), over: true)]
        },
        TypedCommand(name: "save", arguments: "[FILE.png]", help: "save the picture") {
            (_, words) throws(Notice.Problem) in [.savePicture(name: words.isEmpty ? nil : words)]
        },
        TypedCommand(name: "units", arguments: "metric|imperial", help: "units of the scale bar") {
            (browser, words) throws(Notice.Problem) in
            browser.settings.units = try choice(words, "units")
            return []
        },
        TypedCommand(name: "names", arguments: "[on|off|local|en]", help: "names over the map, and their language") {
            (browser, words) throws(Notice.Problem) in
            if words.isEmpty { return browser.perform(.names) }
            if let language = NameLanguage(rawValue: words) { return browser.setNames(language) }
            let isOn: Switch = try choice(words, "names")
            return browser.setLabels(isOn == .on)
        },
        TypedCommand(name: "style", arguments: "NAME|auto|sun|day|night", help: "colours of the map; alone: list styles") {
            (browser, words) throws(Notice.Problem) in browser.setStyle(words: words)
        },
        TypedCommand(name: "look", arguments: "NAME", help: "plain, crisp, vivid, strong, soft, grey, dark") {
            (browser, words) throws(Notice.Problem) in browser.setLook(try choice(words, "look"))
        },
        TypedCommand(name: "symbols", arguments: "SET", help: "glyphs of the picture") {
            (browser, words) throws(Notice.Problem) in
            guard let symbols = Symbols(names: words) else {
                throw Notice.Problem(
                    "symbols are ascii, half, quadrant, sextant, octant, braille, or a sum "
                        + "such as sextant+quadrant+half")
            }
            browser.settings.symbols = symbols
            return []
        },
        TypedCommand(name: "colors", arguments: "DEPTH", help: "truecolor, 256, 16 or mono") {
            (browser, words) throws(Notice.Problem) in
            browser.settings.depth = try choice(words, "colors")
            return []
        },
        TypedCommand(name: "hints", arguments: "on|off", help: "the line of keys at the bottom") {
            (browser, words) throws(Notice.Problem) in
            let isOn: Switch = try choice(words, "hints")
            return browser.setHints(isOn == .on)
        },
        TypedCommand(name: "animation", arguments: "on|off", help: "smooth flights") {
            (browser, words) throws(Notice.Problem) in
            let isOn: Switch = try choice(words, "animation")
            browser.settings.animates = isOn == .on
            return []
        },
        simple("borders", "show or hide tile borders", .borders),
        features("features", "what is enabled, and in regions") { (configuration, features) throws(FeatureFailure) in
            try configuration.enable(exactly: features)
        },
        features("prefetch", "what is fetched ahead; none: the least") { $0.implicitlyPrefetchedFeatures = $1 },
        features("pass-through", "what may be fetched while offline") { $0.passThroughFeatures = $1 },
        TypedCommand(name: "traffic", arguments: "flow|…|off", help: "traffic and how it is drawn") {
            (browser, words) throws(Notice.Problem) in
            guard !words.isEmpty, let choice = TrafficChoice(words: words) else {
                throw Notice.Problem("traffic takes: \(TrafficChoice.words.joined(separator: ", "))")
            }
            return browser.show(choice)
        },
        TypedCommand(name: "traffic-colors", arguments: "NAME", help: "standard or colourblind") {
            (browser, words) throws(Notice.Problem) in
            browser.settings.trafficColours = try choice(words, "traffic-colors")
            return browser.say("traffic colours: \(browser.settings.trafficColours.rawValue)")
        },
        simple("offline", "offline, or online again", .offline),
        TypedCommand(name: "metered", arguments: "on|off", help: "whether regions wait: the connection is metered") {
            (browser, words) throws(Notice.Problem) in
            let isOn: Switch = try choice(words, "metered")
            return [.setMetered(isOn == .on)] + browser.say(isOn == .on ? "metered: regions wait" : "not metered: regions go on")
        },
        simple("world", "the whole map", .world),
        simple("back", "the view before", .back),
        simple("redraw", "draw the screen anew", .redraw),
        simple("quit", "leave", .quit),
    ]

    /// One of the three lists of features.
    private static func features(
        _ name: String, _ help: String,
        _ change: @escaping @Sendable (inout LayerConfiguration, Set<Feature>) throws(FeatureFailure) -> Void
    ) -> TypedCommand {
        TypedCommand(name: name, arguments: "LIST", help: help) { (browser, words) throws(Notice.Problem) in
            do throws(FeatureFailure) {
                try change(&browser.configuration, LayerConfiguration.features(words))
            } catch {
                throw Notice.Problem(error)
            }
            return [.configure(browser.configuration), .look] + browser.say("\(name): \(words.isEmpty ? "none" : words)")
        }
    }

    private enum Switch: String, CaseIterable { case on, off }

    private static func simple(_ name: String, _ help: String, _ command: Command) -> TypedCommand {
        TypedCommand(name: name, arguments: "", help: help) {
            (browser, words) throws(Notice.Problem) in
            guard words.isEmpty else { throw Notice.Problem("\(name) takes no \"\(words)\"") }
            return browser.perform(command)
        }
    }

    private static func required(_ words: String) throws(Notice.Problem) -> String {
        guard !words.isEmpty else {
            throw Notice.Problem("name a source: a file.mbtiles, a file.pmtiles, a folder, a web address, or a name that :source lists")
        }
        return words
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ words: String, _ name: String
    ) throws(Notice.Problem) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: words) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw Notice.Problem("\(name) takes one of: \(known)")
    }
}

extension Browser {
    /// Does what was typed after `:`. A name may be shortened as long as it is clear.
    mutating func run(_ line: String) throws(Notice.Problem) -> [Effect] {
        let name = String(line.prefix { $0 != " " })
        let words = String(line.dropFirst(name.count)).trimmed
        return try command(named: name).run(&self, words)
    }

    private func command(named name: String) throws(Notice.Problem) -> TypedCommand {
        if let exact = TypedCommand.all.first(where: { $0.name == name }) { return exact }
        let similar = TypedCommand.all.filter { $0.name.hasPrefix(name) }
        if similar.count == 1, let only = similar.first { return only }
        let offer = (similar.isEmpty ? TypedCommand.all : similar).map(\.name)
        throw Notice.Problem("no command \(name); there are: \(offer.joined(separator: ", "))")
    }

    mutating func setHints(_ isOn: Bool) -> [Effect] {
        settings.showsHints = isOn
        viewport = viewport.resized(columns: columns, rows: Browser.mapRows(of: rows, settings))
        return [.look]
    }
}

extension Prompt {
    static let command = Prompt(label: ":", example: "zoom 12  ·  open FILE  ·  units imperial  ·  help") {
        (browser, words) throws(Notice.Problem) in try browser.run(words)
    }
}
