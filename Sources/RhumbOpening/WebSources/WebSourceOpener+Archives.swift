internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Opens archives that are read in parts.
extension WebSourceOpener {
    func layer(
        ofArchive source: SourceDefinition, id: TileLayer.ID, _ prefersStored: Bool,
        _ onChange: (@Sendable () -> Void)?
    ) async throws(WebSourceFailure) -> TileLayer {
        let resource = try resource(source)
        if !prefersStored || loader.stored(resource) == nil { onFetch() }
        let sharedAddress = try sharedAddress(source)
        let file = RemoteFile(
            resource: resource, loader: loader, sharedAddress: sharedAddress, location: location, copy: copy)
        do throws(ArchiveFailure) {
            let archive = try await RemoteArchive.open(
                file, probe: probe, prefersStored: prefersStored,
                isReload: reloadsDocuments || location != nil,
                definition: source,
                onChange: onChange)
            if let refusal = archive.refusal, refusal.reason != .vectorTiles { throw refusal }
            return layer(of: archive, source, id: id).made(of: archive.documents)
        } catch {
            throw .archive(error)
        }
    }

    /// The source with the newest build of its archive, unless it names a build or has none.
    func resolved(_ source: SourceDefinition) async throws(WebSourceFailure) -> SourceDefinition {
        guard source.build == nil, let builds = source.builds, let list = source.buildListSource else {
            return source
        }
        let document = try json(await document(resource(list), false))
        guard let newest = builds.newestBuild(in: document) else {
            throw .source(
                .definition(source: source.id, "its list of builds has none of version \(builds.version)"))
        }
        var source = source
        source.build = newest
        return source
    }

    /// The address that identifies the tiles of all builds; nil for an archive with one address.
    private func sharedAddress(_ source: SourceDefinition) throws(WebSourceFailure) -> String? {
        guard source.builds != nil else { return nil }
        var anyBuild = source
        anyBuild.build = nil
        return try url(of: anyBuild)
    }

    private func layer(
        of archive: RemoteArchive, _ source: SourceDefinition, id: TileLayer.ID
    ) -> TileLayer {
        var info = archive.info
        if source.name != source.id { info.name = source.name }
        if !source.attribution.isEmpty { info.attribution = source.attribution }
        info.isOverlay = info.isOverlay || source.isOverlay
        let image = archive.imageLayer(id: id, info)
        var layer = image ?? TileLayer(id: id, source: archive, info: info)
        if image == nil || source.feature != .rendering { layer.feature = source.feature }
        layer.policy = source.policy
        return layer
    }
}
