internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

extension MapOpener {
    /// Opens a named GeoTIFF.
    func geoTIFF(
        _ source: SourceDefinition, _ theme: MapTheme, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        try await layers(of: source.addresses[0], theme, onFetch).map { opened in
            var layer = opened
            layer.info.name = SafeText.sanitised(source.name, limit: 60)
            if !source.attribution.isEmpty { layer.info.attribution = source.attribution }
            layer.openedBy = source.id
            return layer
        }
    }

    /// Opens a GeoTIFF on a server.
    func geoTIFF(
        _ address: String, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> TileLayer {
        let resource: WebResource
        do throws(WebSourceFailure) {
            resource = try web.resource(document: address)
        } catch {
            throw .web(error)
        }
        // Opens the stores here, where waiting for them is allowed.
        _ = web.loader.store
        let file = RemoteFile(resource: resource, loader: web.loader)
        let isStored = web.loader.stored(file.beginning) != nil
        let name = TileProbes.stem(URLReference(address).path)
        if !isStored { onFetch(name) }
        do throws(ArchiveFailure) {
            let id = TileLayer.ID("web:\(address)")
            return try await RemoteGeoTIFF.open(
                file, name: name, prefersStored: isStored && !asksFirst
            ) { [onChange] in onChange?(id) }.layer(id: id)
        } catch {
            throw .archive(error)
        }
    }
}
