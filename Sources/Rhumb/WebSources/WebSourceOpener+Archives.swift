internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Archives that are read in parts.
extension WebSourceOpener {
    func layer(
        ofArchive source: SourceDefinition, id: TileLayer.ID, _ prefersStored: Bool,
        _ onChange: (@Sendable () -> Void)?
    ) async throws(WebSourceFailure) -> TileLayer {
        let resource = try resource(source)
        if !prefersStored || loader.stored(resource) == nil { onFetch() }
        do throws(ArchiveFailure) {
            let archive = try await RemotePMTiles.open(
                resource, loader: loader, probe: probe, prefersStored: prefersStored, isReload: reloadsDocuments,
                definition: source, onChange: onChange)
            if let refusal = archive.refusal, refusal.reason != .vectorTiles { throw refusal }
            return layer(of: archive, source, id: id).made(of: archive.documents)
        } catch {
            throw .archive(error)
        }
    }

    private func layer(of archive: RemotePMTiles, _ source: SourceDefinition, id: TileLayer.ID) -> TileLayer {
        var info = archive.info
        if source.name != source.id { info.name = source.name }
        if !source.attribution.isEmpty { info.attribution = source.attribution }
        info.isOverlay = info.isOverlay || source.isOverlay
        var layer = TileLayer(id: id, source: archive, info: info)
        layer.feature = source.feature
        layer.policy = source.policy
        return layer
    }
}
