internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal

/// What the command line says of the map: which sources, and where to look.
struct MapOptions {
    let invocation: Invocation
    let theme: Settings.Theme?
    var opener: SourceOpener

    /// - Parameters:
    ///   - environment: the process's variables.
    ///   - web: what web sources are fetched through.
    /// - Throws: a sentence, when the configuration file is wrong.
    init(_ invocation: Invocation, _ environment: [String: String], _ web: Web) throws {
        self.invocation = invocation
        theme = invocation[.style].flatMap(Settings.Theme.init)
        opener = SourceOpener(catalog: SourceCatalog(try invocation.configuration(environment), environment))
        opener.isTMS = invocation[.tms]
        opener.detail = invocation[.detail]
        opener.tileSize = invocation[.tileSize].flatMap(Int.init).flatMap(TileSize.init)
        opener.isDoubled = invocation[.scale] == 2
        var documents = WebSourceOpener(web.loader, opener.catalog)
        documents.passesThrough = { [fetcher = web.fetcher] in fetcher.configuration.passThroughFeatures.contains($0) }
        opener.vectorMaps.web = documents
        opener.store = documents.loader.store
        opener.web = documents
        opener.onRemark = { web.hear(.trouble($0)) }
        opener.vectorMaps.stylePath = MapOptions.stylePath(invocation[.style], environment)
    }

    /// The file that was named, or, where nothing was, the one in its usual place.
    private static func stylePath(_ given: String?, _ environment: [String: String]) -> String? {
        if let given { return given == "auto" || Settings.Theme(rawValue: given) != nil ? nil : given }
        let usual = Folders(environment: environment).data.map { $0 + "/style/style.json" }
        return usual.flatMap { Files.exists($0) ? $0 : nil }
    }

    /// The sources, the base map first, in the theme asked for or else in the one given.
    func openings(_ usual: Settings.Theme = .night) throws(Notice.Problem) -> [Opening] {
        let theme = theme ?? usual
        var openings = [try opener.open(invocation.operand ?? EmbeddedWorld.name, theme)]
        for words in invocation[all: .over] { openings.append(try opener.open(words, theme)) }
        return openings
    }

    /// The camera asked for; nil where nothing was.
    /// - Parameters:
    ///   - screen: the size of the picture.
    ///   - home: where the map would open by itself.
    func camera(on screen: Viewport, home: Camera) -> Camera? {
        if let box = invocation[.bbox] { return screen.fitted(to: box) }
        let place = invocation[.center]
        guard place != nil || invocation[.zoom] != nil || invocation[.width] != nil
        else { return nil }
        let start = screen.with(home)
        var camera = place?.camera(on: start) ?? home
        if let zoom = invocation[.zoom] { camera = camera.zoomed(to: zoom) }
        if let metres = invocation[.width] {
            camera = screen.with(camera).camera(widthInMetres: metres)
        }
        return camera
    }

    /// Settings for a terminal, with what the command line says of them.
    func settings(_ profile: TerminalProfile) -> Settings {
        var settings = Settings()
        settings.symbols = profile.symbols
        settings.depth = profile.colors
        settings.isUnicode = profile.isUTF8
        settings.theme = theme
        settings.mixesColours = invocation[.mix]
        settings.sharpness = invocation[.sharpen] ?? 0
        settings.labels = ["on": true, "off": false][invocation[.labels] ?? ""]
        settings.nameLanguage = invocation[.nameLanguage].flatMap(NameLanguage.init) ?? .local
        settings.animates = !invocation[.noAnimation]
        settings.fadesTiles = invocation[.fade]
        settings.units = invocation[.units].flatMap(Settings.Units.init) ?? .metric
        settings.trafficColours = invocation[.trafficColors].flatMap(TrafficColours.init) ?? .standard
        return settings
    }
}

extension Invocation {
    /// The traffic asked for; nil if none was.
    /// - Throws: `UsageError` with the words there are.
    func traffic() throws(UsageError) -> TrafficChoice? {
        guard let words = self[.traffic] else { return nil }
        if let choice = TrafficChoice(words: words) { return choice }
        throw UsageError("--traffic takes \(TrafficChoice.words.joined(separator: ", ")), not \"\(words)\"")
    }
}
