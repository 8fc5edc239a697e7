public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Styles that are opened as maps of their own.
extension MapOpener {
    /// Returns the map of a style file, from stored documents of its sources if all are stored, or else from
    /// servers. The ids of its layers depend on the style's contents, because pictures of one style are
    /// useless for another.
    func layers(
        ofStyle loaded: LoadedStyle, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let style = loaded.style, path = loaded.location, id = "file:\(path)"
        let web = web.announcing(style.name.isEmpty ? TileProbes.stem(path) : style.name, onFetch)
        var made: [TileLayer]?
        if !asksFirst { made = try? await layers(of: style, at: path, nil, id, web, prefersStored: true) }
        if made == nil { made = try await layers(of: style, at: path, nil, id, web, prefersStored: false) }
        return (made ?? []).map { $0.named("style.\(loaded.mark):\($0.id)") }
    }

    /// Opens an archive as a layer without its drawing.
    private func bareLayer(ofArchive path: String) throws(SourceFailure) -> TileLayer {
        do throws(ArchiveFailure) {
            let archive = try opened(path)
            if let image = archive as? GeoTIFFArchive { return image.layer(id: path) }
            if archive.refusal != nil { onArchive?(archive, path) }
            return TileLayer(id: path, source: archive, info: archive.info)
        } catch {
            throw .document("\(error)")
        }
    }

    /// Returns the layers of a style, bottom to top.
    func layers(
        of style: Style, at base: String, _ document: WebResource?, _ id: String, _ web: WebSourceOpener,
        prefersStored: Bool
    ) async throws(MapOpenFailure) -> [TileLayer] {
        var environment = StyleEnvironment(
            base: base, document: document, id: id, decoder: SniffingDecoder(),
            file: { Files.read($0, limit: 32 << 20) })
        environment.archive = { path throws(SourceFailure) in try bareLayer(ofArchive: path) }
        let style = await web.illustrated(style, at: base)
        var made: StyleLayers
        made = try await convertingAsync(
            await web.layers(of: style, environment, prefersStored: prefersStored), to: MapOpenFailure.web)
        styles.map = style
        if !style.name.isEmpty { made.layers[0].info.name = style.name }
        let leftOut = made.remarks + style.findings.map(\.description)
        if !leftOut.isEmpty { onRemark?(base, leftOut) }
        if let note = style.unusedSummary { onNote?(base, note) }
        return made.layers.map { layer in
            var layer = layer
            layer.openedBy = String(id.drop { $0 != ":" }.dropFirst())
            return layer
        }
    }
}

/// Draws layers in another style or theme without changing their tiles.
extension MapOpener {
    /// Returns the layers that change with the theme, by their current ids.
    /// - Returns: nil if a style must be read first, as `setStyle` does.
    public func themed(_ layers: [TileLayer], _ theme: MapTheme) -> [TileLayer.ID: TileLayer]? {
        // The built-in world has parts of Rhumb's own style. Its first picture would wait for all of it.
        guard styles.choice[theme] != nil || layers.contains(where: VectorStyles.draws) else {
            return try? restyled(layers, nil, theme)
        }
        return styles.ready(theme, of: styles.choice).flatMap { try? restyled(layers, $0, theme) }
    }

    /// Draws layers, and those opened later, in other styles.
    /// - Parameters:
    ///   - choice: The names, files or addresses of the styles.
    ///   - theme: The theme that layers are drawn in now.
    ///   - isReload: True to read the styles again; false if only the theme or the colours change.
    /// - Returns: The layers that change, by their current ids.
    /// - Throws: `MapOpenFailure`, also if a style draws nothing of the layers. The chosen styles then stay
    ///   the same.
    public func setStyle(
        _ choice: StyleChoice, of layers: [TileLayer], _ theme: MapTheme, isReload: Bool = true
    ) async throws(MapOpenFailure) -> [TileLayer.ID: TileLayer] {
        let choice = choice.map(location(ofStyle:))
        if isReload { styles.forget(choice) }
        for theme in MapTheme.allCases { _ = try await styles.loaded(theme, of: choice, web) }
        for location in choice.named {
            let style = try await styles.style(at: location, web)
            try check(layers, style, location)
            if isReload, let note = style.unusedSummary { onNote?(location, note) }
        }
        let changed = try restyled(layers, try await styles.loaded(theme, of: choice, web), theme)
        styles.choice = choice
        return changed
    }

    /// Reports a style that was made for other tiles than some of the layers'.
    /// - Throws: `MapOpenFailure` if it fits none of them.
    private func check(_ layers: [TileLayer], _ style: Style, _ location: String) throws(MapOpenFailure) {
        let styled = layers.filter(isStyled), misfits = styled.compactMap { VectorStyles.misfit($0, style) }
        guard let misfit = misfits.first else { return }
        guard misfits.count < styled.count else {
            throw .document(file: location, problem: misfit + "; choose another style")
        }
        onRemark?(location, [misfit])
    }

    /// Returns layers drawn in a style, without choosing the style. Layers without styles stay the same.
    /// - Parameter style: Its name, file or address; nil for Rhumb's own.
    /// - Throws: `MapOpenFailure`
    public func drawn(
        _ layers: [TileLayer], in style: String?, _ theme: MapTheme
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let choice = StyleChoice(style).map(location(ofStyle:))
        let changed = try restyled(layers, try await styles.loaded(theme, of: choice, web), theme)
        return layers.map { changed[$0.id] ?? $0 }
    }

    /// Returns why a style draws little or nothing of the layers; nil if it fits.
    /// - Parameter style: Its name, file or address; nil for Rhumb's own, which fits.
    /// - Throws: `MapOpenFailure`
    public func misfit(of layers: [TileLayer], to style: String?) async throws(MapOpenFailure) -> String? {
        guard let style else { return nil }
        let loaded = try await styles.style(at: location(ofStyle: style), web)
        return layers.firstNonNil { VectorStyles.misfit($0, loaded) }
    }

    /// Returns the parts of the chosen style that can't be drawn, as sentences.
    /// - Returns: The location of the style with the sentences; nil if all parts can be drawn.
    /// - Throws: `MapOpenFailure`
    public func faults(
        of choice: StyleChoice, _ theme: MapTheme
    ) async throws(MapOpenFailure) -> (location: String, sentences: [String])? {
        guard let location = choice[theme] else { return nil }
        let style = try await styles.style(at: location, web), findings = style.findings
        if let note = style.unusedSummary { onNote?(location, note) }
        return findings.isEmpty ? nil : (location, findings.map(\.description))
    }

    /// Returns true if a layer is drawn in the chosen style.
    public func isStyled(_ layer: TileLayer) -> Bool { VectorStyles.draws(layer) }

    /// Returns the location of a style: the path of a file, or the address itself.
    public func location(ofStyle style: String) -> String {
        guard !style.contains("/") else { return Files.named(style) }
        return InstalledStyles(folder: styleFolder).path(of: style) ?? namedPacks[style]?.location
            ?? Files.named(style)
    }

    /// The names of installed style files and style packs.
    public var styleNames: [String] {
        InstalledStyles(folder: styleFolder).all.map(\.name) + namedPacks.keys.sorted()
    }

    /// The style packs by name, without names that are empty, ambiguous or paths.
    private var namedPacks: [String: StylePack] {
        Dictionary(grouping: stylePacks(), by: \.name).compactMapValues { packs in
            packs.count == 1 && !packs[0].name.isEmpty && !packs[0].name.contains("/") ? packs[0] : nil
        }
    }

    /// - Parameter style: The style; nil if none of the layers is drawn in one.
    private func restyled(
        _ layers: [TileLayer], _ style: LoadedStyle?, _ theme: MapTheme
    ) throws(MapOpenFailure) -> [TileLayer.ID: TileLayer] {
        var changed: [TileLayer.ID: TileLayer] = [:]
        for layer in layers {
            if let map = ownMaps.first(where: { $0.makes(layer) }) {
                let themed = map.themed(layer, theme, styles.depth)
                changed[layer.id] = layer.info.isOverlay ? themed?.laidOver : themed
            } else if layer.isContours {
                changed[layer.id] = try contours(layer, theme)
            } else if let style {
                changed[layer.id] = try styles.restyled(layer, style, theme)
            }
        }
        return changed
    }
}

/// Styles as documents.
extension MapOpener {
    /// Returns the current text of a style.
    /// - Parameter specifier: Its name, file or address.
    /// - Throws: `MapOpenFailure`, with the line if it is not JSON.
    public func styleText(_ specifier: String) async throws(MapOpenFailure) -> StyleText {
        let location = location(ofStyle: specifier)
        guard SourceDefinition.isAddress(location) else { return try StyleText(file: location) }
        let bytes = try await convertingAsync(
            await web.document(try web.resource(document: location), false).body, to: MapOpenFailure.web)
        return try StyleText(bytes, at: location)
    }
}

extension StyleText {
    /// Reads a file.
    /// - Throws: `MapOpenFailure`, with the line if it is not JSON.
    public init(file: String) throws(MapOpenFailure) {
        guard let bytes = Files.read(file, limit: Self.byteLimit) else { throw .unread(style: file) }
        try self.init(bytes, at: file)
    }

    fileprivate init(_ bytes: [UInt8], at location: String) throws(MapOpenFailure) {
        do throws(StyleFailure) {
            try self.init(bytes)
        } catch {
            throw .document(file: location, problem: "\(error)")
        }
    }
}

extension MapOpenFailure {
    /// Returns the failure for a style file that could not be read.
    static func unread(style file: String) -> MapOpenFailure {
        guard let size = Files.size(file), size > StyleText.byteLimit else { return .unreadable(file: file) }
        return .document(file: file, problem: "\(StyleFailure.tooLong)")
    }
}
