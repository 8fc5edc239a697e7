internal import RhumbCore
internal import RhumbEngine

extension MapOpener {
    /// Opens a named GeoTIFF on a server or on this machine.
    func geoTIFF(
        _ source: SourceDefinition, at address: String, _ theme: MapTheme,
        _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let isLocal = URLReference(address).localPath != nil
        let layers =
            isLocal
            ? try await layers(of: address, theme, onFetch)
            : try await layers(of: source, id: "source:\(source.id)", theme, onFetch)
        return layers.map { opened in
            var layer = opened
            layer.info.name = SafeText.sanitised(source.name, limit: 60)
            if !source.attribution.isEmpty { layer.info.attribution = source.attribution }
            layer.openedBy = source.id
            return layer
        }
    }
}
