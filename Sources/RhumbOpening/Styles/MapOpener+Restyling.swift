public import RhumbCore
public import RhumbEngine
internal import RhumbStore

/// Draws layers in another style or theme without changing their tiles.
extension MapOpener {
    /// Returns the layers that change with the theme, by their current ids.
    /// - Returns: nil if a style must be read first, as `setStyle` does.
    public func themed(_ layers: [TileLayer], _ theme: MapTheme) -> [TileLayer.ID: TileLayer]? {
        styles.ready(theme, of: styles.choice).flatMap { try? restyled(layers, $0, theme) }
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
            try check(layers, try await styles.style(at: location, web), location)
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
        return layers.lazy.compactMap { VectorStyles.misfit($0, loaded) }.first
    }

    /// Returns the parts of the chosen style that can't be drawn, as sentences.
    /// - Returns: The place of the style with the sentences; nil if all parts can be drawn.
    /// - Throws: `MapOpenFailure`
    public func faults(
        of choice: StyleChoice, _ theme: MapTheme
    ) async throws(MapOpenFailure) -> (location: String, sentences: [String])? {
        guard let location = choice[theme] else { return nil }
        let findings = try await styles.style(at: location, web).findings
        return findings.isEmpty ? nil : (location, findings.map(\.description))
    }

    /// Returns true if a layer is drawn in the chosen style.
    public func isStyled(_ layer: TileLayer) -> Bool { VectorStyles.draws(layer) }

    /// Returns the location of a style: the path of a file, or the address itself.
    public func location(ofStyle style: String) -> String {
        guard !style.contains("/") else { return Files.named(style) }
        return InstalledStyles(folder: styleFolder).path(of: style) ?? namedPacks[style]?.place
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

    private func restyled(
        _ layers: [TileLayer], _ style: LoadedStyle, _ theme: MapTheme
    ) throws(MapOpenFailure) -> [TileLayer.ID: TileLayer] {
        var changed: [TileLayer.ID: TileLayer] = [:]
        for layer in layers {
            if let map = ownMaps.first(where: { $0.makes(layer) }) {
                let themed = map.themed(layer, theme, styles.depth)
                changed[layer.id] = layer.info.isOverlay ? themed?.laidOver : themed
            } else if layer.isContours {
                changed[layer.id] = try contours(layer, theme)
            } else {
                changed[layer.id] = try styles.restyled(layer, style, theme)
            }
        }
        return changed
    }
}
