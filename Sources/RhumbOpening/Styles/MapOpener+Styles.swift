internal import RhumbCore
internal import RhumbEngine
internal import RhumbDrawing
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
        do throws(WebSourceFailure) {
            made = try await web.layers(of: style, environment, prefersStored: prefersStored)
        } catch {
            throw .web(error)
        }
        styles.map = style
        if !style.name.isEmpty { made.layers[0].info.name = style.name }
        let leftOut = made.remarks + style.findings.map(\.description)
        if !leftOut.isEmpty { onRemark?(base, leftOut) }
        return made.layers.map { layer in
            var layer = layer
            layer.openedBy = String(id.drop { $0 != ":" }.dropFirst())
            return layer
        }
    }
}
