public import RhumbCore
internal import RhumbDrawing
package import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import Synchronization

/// The styles of vector maps: Rhumb's own for day and night, or the user's. Each is read once until it is
/// chosen again. Safe to use from any thread.
public final class VectorStyles: Sendable {
    private struct State {
        var choice: StyleChoice
        var depth = ColorDepth.truecolor
        /// The parsed styles, by file or address.
        var styles: [String: LoadedStyle] = [:]
        var fetches: [String: FetchedStyle] = [:]
        var map: Style?
    }

    private let state: Mutex<State>
    /// True to use stored styles of any age, and revalidate them in the background.
    private let prefersStored: Bool
    private static let prefix = "vector"

    /// Creates the styles.
    /// - Parameter choice: The files and addresses of the styles to use.
    public init(_ choice: StyleChoice = .standard, prefersStored: Bool = true) {
        state = Mutex(State(choice: choice))
        self.prefersStored = prefersStored
    }

    /// The styles in use.
    public var choice: StyleChoice {
        get { state.withLock { $0.choice } }
        set { state.withLock { $0.choice = newValue } }
    }

    /// The colour depth that Rhumb's own styles are drawn for.
    public var depth: ColorDepth {
        get { state.withLock { $0.depth } }
        set { state.withLock { $0.depth = newValue } }
    }

    /// The style that was last opened as a map.
    var map: Style? {
        get { state.withLock { $0.map } }
        set { state.withLock { $0.map = newValue } }
    }

    // MARK: Styles

    /// Returns a style by its file or address.
    /// - Throws: `MapOpenFailure` if it can't be read or fetched.
    public func style(at location: String, _ web: WebSourceOpener) async throws(MapOpenFailure) -> Style {
        try await loaded(location, web).style
    }

    /// Discards the chosen styles, so that they are read again when next used.
    func forget(_ choice: StyleChoice) {
        state.withLock { state in
            for location in choice.named { (state.styles[location], state.fetches[location]) = (nil, nil) }
        }
    }

    /// Returns the style of a theme, and reads it if necessary.
    func loaded(
        _ theme: MapTheme, of choice: StyleChoice, _ web: WebSourceOpener
    ) async throws(MapOpenFailure) -> LoadedStyle {
        guard let location = choice[theme] else { return .standard(theme, depth) }
        return try await loaded(location, web)
    }

    /// Returns the style of a theme; nil if it has yet to be read.
    package func ready(_ theme: MapTheme, of choice: StyleChoice) -> LoadedStyle? {
        guard let location = choice[theme] else { return .standard(theme, depth) }
        return state.withLock { $0.styles[location] }
    }

    private func loaded(
        _ location: String, _ web: WebSourceOpener
    ) async throws(MapOpenFailure) -> LoadedStyle {
        if let cached = state.withLock({ $0.styles[location] }) { return cached }
        let style =
            if SourceDefinition.isAddress(location) {
                try await fetch(of: location).style(web)
            } else if let bytes = CachedFile.read(location, web.loader.store) {
                await web.illustrated(try LoadedStyle(bytes, at: location))
            } else {
                throw .unread(style: location)
            }
        state.withLock { $0.styles[location] = style }
        return style
    }

    private func fetch(of address: String) -> FetchedStyle {
        state.withLock { state in
            if let fetch = state.fetches[address] { return fetch }
            let fetch = FetchedStyle(address, prefersStored: prefersStored)
            state.fetches[address] = fetch
            return fetch
        }
    }

    // MARK: Layers

    /// Returns a layer that draws an archive of vector tiles.
    func layer(
        _ archive: any TileArchive, path: String, _ style: LoadedStyle, _ theme: MapTheme
    ) throws(MapOpenFailure) -> TileLayer {
        let layer = TileLayer(id: path, source: archive, info: archive.info)
        return try drawn(layer, archive.layerNames, style, theme)
    }

    /// Returns a layer with its source's vector tiles drawn: in the style, or in Rhumb's own if that doesn't
    /// fit.
    /// - Parameter names: The layers of its tiles.
    func drawn(
        _ layer: TileLayer, _ names: [String], _ style: LoadedStyle, _ theme: MapTheme
    ) throws(MapOpenFailure) -> TileLayer {
        let style = fitting(style, names, theme)
        let hasGround = Self.hasGround(names, style)
        let painters = try painters(style, names, layer.info, hasGround)
        // The style is read while the first tile is.
        Task.detached { [painter = painters[TileSchema(layerNames: names)]] in painter?.prepare() }
        let drawing = VectorDrawing.unpacking(
            layer.info, layerNames: names, painters: painters, hasGround: hasGround)
        return finished(layer.drawn(by: drawing).named(Self.id(layer.id, style)), style)
    }

    /// Returns true if a layer is drawn in the user's styles.
    static func draws(_ layer: TileLayer) -> Bool { layer.id.hasPrefix("\(prefix).") }

    /// Returns true if a layer is drawn in one of Rhumb's own styles.
    package static func drawsInOwnStyle(_ layer: TileLayer) -> Bool {
        MapTheme.allCases.contains { theme in
            ColorDepth.allCases.contains { layer.id.hasPrefix("\(prefix).\(theme.mark($0)):") }
        }
    }

    /// Returns the layer drawn in another style, or in Rhumb's own if that doesn't fit. Nil for a layer
    /// without a style, and for one drawn in this style already.
    func restyled(
        _ layer: TileLayer, _ style: LoadedStyle, _ theme: MapTheme
    ) throws(MapOpenFailure) -> TileLayer? {
        guard Self.draws(layer), let drawing = layer.drawing as? VectorDrawing else { return nil }
        let style = fitting(style, drawing.layerNames, theme)
        let id = Self.id(Self.plain(layer.id), style)
        guard layer.id != id else { return nil }
        var restyled = layer.named(id)
        restyled.prefersLastZoom = style.isStandard
        restyled.layerSets = style.layerSets
        let names = drawing.layerNames, hasGround = Self.hasGround(names, style)
        restyled.drawing = drawing.restyled(
            try painters(style, names, layer.info, hasGround), hasGround: hasGround)
        return restyled
    }

    /// Returns why a style draws little or nothing of a layer; nil if it fits.
    static func misfit(_ layer: TileLayer, _ style: Style) -> String? {
        guard draws(layer), let names = (layer.drawing as? VectorDrawing)?.layerNames else { return nil }
        return misfit(names, style)
    }

    private static func misfit(_ names: [String], _ style: Style) -> String? {
        style.source(for: TileSchema(layerNames: names), layerNames: names).flatMap {
            style.misfit(of: $0, to: names)
        }
    }

    /// Returns the style, or Rhumb's own if it was made for other tiles, which would stay blank.
    private func fitting(
        _ style: LoadedStyle, _ names: [String], _ theme: MapTheme
    ) -> LoadedStyle {
        style.isStandard || Self.misfit(names, style.style) == nil ? style : .standard(theme, depth)
    }

    /// Returns the id of a layer before it was drawn in a style.
    package static func plain(_ id: TileLayer.ID) -> TileLayer.ID {
        guard id.hasPrefix("\(prefix)."), let colon = id.firstIndex(of: ":") else { return id }
        return String(id[id.index(after: colon)...])
    }

    private static func id(_ id: TileLayer.ID, _ style: LoadedStyle) -> TileLayer.ID {
        "\(prefix).\(style.mark):\(id)"
    }

    private func finished(_ layer: TileLayer, _ style: LoadedStyle) -> TileLayer {
        var layer = layer
        layer.role = layer.info.isOverlay ? .hybridOverlay : .vectorBase
        layer.info.hasLabels = false
        // Pictures have two pixels per map pixel, so that they stay sharp between zooms.
        layer.detail = 1
        layer.prefersLastZoom = style.isStandard
        layer.layerSets = style.layerSets
        return layer
    }

    /// Returns true if tiles are drawn as a map rather than as features. Rhumb's own styles draw tiles of an
    /// unknown schema, which are user data, over the world; other styles are made for them.
    private static func hasGround(_ names: [String], _ style: LoadedStyle) -> Bool {
        names.isEmpty || !style.isStandard || TileSchema(layerNames: names) != .other
    }

    private func painters(
        _ style: LoadedStyle, _ names: [String], _ info: TileSourceInfo, _ hasGround: Bool
    ) throws(MapOpenFailure) -> [TileSchema: VectorPainter] {
        var painters: [TileSchema: VectorPainter] = [:]
        for schema in TileSchema.allCases {
            painters[schema] = style.painter(
                for: schema, layerNames: names, drawsBackground: hasGround && !info.isOverlay)
            if painters[schema] == nil { throw .drawsNothing(style: style.location) }
        }
        return painters
    }
}

/// A style at an address, fetched once for all its users; after a failure it is fetched again.
actor FetchedStyle {
    private typealias Loading = Task<Result<LoadedStyle, MapOpenFailure>, Never>

    private let address: String
    /// True to use a stored style of any age, and revalidate it in the background.
    private let prefersStored: Bool
    private var loading: Loading?

    init(_ address: String, prefersStored: Bool) {
        self.address = address
        self.prefersStored = prefersStored
    }

    func style(_ web: WebSourceOpener) async throws(MapOpenFailure) -> LoadedStyle {
        let loading = loading ?? Loading { await load(web) }
        self.loading = loading
        let style = await loading.value
        if case .failure = style, self.loading == loading { self.loading = nil }
        return try style.get()
    }

    private func load(_ web: WebSourceOpener) async -> Result<LoadedStyle, MapOpenFailure> {
        do throws(WebSourceFailure) {
            let document = try await web.document(try web.resource(document: address), prefersStored)
            let loaded: LoadedStyle
            do throws(MapOpenFailure) { loaded = try LoadedStyle(document.body, at: address) } catch {
                return .failure(error)
            }
            return .success(await web.illustrated(loaded))
        } catch {
            return .failure(.web(error))
        }
    }
}
