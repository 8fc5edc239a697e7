package import RhumbCore
package import RhumbEngine
internal import RhumbHTTP
internal import RhumbDrawing
internal import RhumbStore

/// Maps from web sources and documents.
extension MapOpener {
    /// Returns the layer of a definition that was stored with a region. If documents are reloaded, the layer
    /// is of the newest build.
    package func open(
        definition: SourceDefinition, theme: MapTheme = .day
    ) async throws(MapOpenFailure) -> TileLayer {
        var definition = definition.asKept
        if web.reloadsDocuments { definition.build = nil }
        let layers = try await layers(of: definition, id: "region:\(definition.id)", theme) { _ in }
        guard layers.count == 1 else { throw .severalLayers(layers.count) }
        return layers[0]
    }

    /// Opens a definition that was stored with a region, without a request to a server.
    /// - Returns: nil if its documents are not stored.
    /// - Throws: `MapOpenFailure` if a stored document is invalid.
    package func openStored(
        _ definition: SourceDefinition, theme: MapTheme
    ) async throws(MapOpenFailure) -> TileLayer? {
        let listed = try? catalog.source(named: definition.id)
        let isKnown =
            listed?.addresses == definition.addresses && listed?.replaceable == definition.replaceable
        let source = isKnown ? definition : definition.asKept
        _ = web.loader.store
        guard let need = try? web.need(of: source), need != .fetch else { return nil }
        return try await load(source, "stored:\(source.id)", web, theme, prefersStored: true).first
    }

    /// Returns the layers of a source, from stored documents if all are stored, or else from servers.
    func layers(
        of source: SourceDefinition, id: TileLayer.ID, _ theme: MapTheme,
        _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let web = web.announcing(source.name, onFetch), isKept: Bool
        // Opens the stores here, where waiting for them is allowed; fetching tiles must not wait.
        _ = web.loader.store
        do throws(WebSourceFailure) {
            isKept =
                if case .kept = try web.need(of: source) { !asksFirst && !web.reloadsDocuments } else {
                    false
                }
        } catch {
            throw .web(error)
        }
        if isKept, let layers = try? await load(source, id, web, theme, prefersStored: true) { return layers }
        return try await load(source, id, web, theme, prefersStored: false)
    }

    private func load(
        _ source: SourceDefinition, _ id: TileLayer.ID, _ web: WebSourceOpener, _ theme: MapTheme,
        prefersStored: Bool
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let content: WebSourceOpener.Content
        do throws(WebSourceFailure) {
            content = try await web.content(of: source, id: id, prefersStored: prefersStored) { [onChange] in
                onChange?(id)
            }
        } catch {
            throw .web(error)
        }
        switch content {
        case .layer(let layer): return [try await drawn(layer, web, theme)]
        case .style(let style, let address, let document):
            return try await layers(of: style, at: address, document, id, web, prefersStored: prefersStored)
        }
    }

    /// Returns a web source's layer with its vector tiles drawn, at the chosen size and detail.
    private func drawn(
        _ layer: TileLayer, _ web: WebSourceOpener, _ theme: MapTheme
    ) async throws(MapOpenFailure) -> TileLayer {
        let layer = try sized(layer)
        if let encoding = layer.source.webDefinition?.elevation {
            return shaded(layer, encoding)
        }
        guard let names = layer.vectorLayerNames else { return detailed(layer) }
        let style = try await styles.loaded(theme, of: styles.choice, web)
        return detailed(remarked(try styles.drawn(layer, names, style, theme), style))
    }

    /// Returns an elevation layer drawn as hillshade over the maps below.
    private func shaded(_ layer: TileLayer, _ encoding: ElevationEncoding) -> TileLayer {
        let drawing = HillshadeDrawing(layer.info, encoding, Hillshade(), decoder: SniffingDecoder())
        var layer = layer.drawn(by: drawing, size: layer.tileSize)
        layer.isTransparent = true
        layer.role = .hybridOverlay
        layer.feature = .terrain
        layer.info.hasLabels = true
        return layer
    }

    /// Returns a web source's layer with the tile size and scale that the user chose.
    private func sized(_ layer: TileLayer) throws(MapOpenFailure) -> TileLayer {
        guard tileSize != nil || isDoubled else { return layer }
        do {
            guard var source = layer.source.webDefinition, source.kind == .tiles else {
                throw SourceFailure.oneScale(source: layer.info.name)
            }
            if let tileSize { source = try source.sized(tileSize) }
            if isDoubled { source = try source.doubled() }
            var sized = try web.layer(ofTemplates: source, id: layer.id)
            if isDoubled { sized.detail = 1 }
            return sized
        } catch let failure as WebSourceFailure {
            throw .web(failure)
        } catch {
            throw .web(WebSourceFailure(error))
        }
    }

    /// Opens a document in a file: a TileJSON document or a style.
    func document(
        _ path: String, _ theme: MapTheme, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        guard let bytes = CachedFile.read(path, web.loader.store) else { throw .unreadable(file: path) }
        let bare: TileLayer
        do {
            let json = try JSON.parse(bytes)
            if json.isMapStyle {
                return try await layers(ofStyle: try LoadedStyle(bytes, at: path), onFetch)
            }
            let source = try TileJSON.read(json, from: path, id: TileProbes.stem(path))
            bare = try web.layer(ofTemplates: source, id: "file:\(path)")
        } catch let failure as MapOpenFailure {
            throw failure
        } catch let failure as WebSourceFailure {
            throw .web(failure)
        } catch let failure as SourceFailure {
            throw .web(.source(failure))
        } catch {
            throw .document(file: path, problem: "\(error)")
        }
        return [try await drawn(bare, web.announcing(bare.info.name, onFetch), theme)]
    }
}
