public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
public import RhumbStore

/// A PMTiles or VersaTiles archive or a GeoTIFF on a web server, read in parts: the first 16 KiB open it, and
/// each tile is one range, or drawn from several.
/// Directories and tiles go through the response store, so that viewed parts are available offline. If the
/// ETag or date of a part shows that the file changed on the server, the archive is reopened, and stored
/// parts of the old file are ignored.
public final class RemoteArchive: TileLayerDataSource {
    /// The description from the archive.
    public let info: TileSourceInfo
    /// The metadata object; empty if it can't be read.
    public let metadata: JSON
    /// The reason that its tiles are not images; nil if they are. Vector tiles are nevertheless available,
    /// for a layer that draws them.
    public let refusal: ArchiveFailure?
    /// The documents that the archive was opened from.
    public let documents: [WebResource]
    /// The definition that the archive was opened with, completed by the archive; nil if it was opened from a
    /// bare address.
    public let described: SourceDefinition?
    package let file: RemoteFile
    package let versions: ArchiveVersionTracker
    private var cached: CachedClient { file.loader.cached }

    /// Opens an archive.
    /// - Parameters:
    ///   - resource: The file, without a range.
    ///   - loader: The client and the store for all its parts.
    ///   - probe: Reads the size of tiles in pixels; nil to assume 256.
    ///   - prefersStored: True to use stored parts of any age. The server is then asked when the first tile
    ///     is requested.
    ///   - isReload: True to ask the server even if stored parts are fresh.
    ///   - definition: The source of the archive.
    ///   - sharedAddress: The address that identifies the tiles of all builds of the archive; nil for the
    ///     file's own.
    ///   - onChange: Called when the archive has changed on the server, so that its pictures are outdated.
    /// - Throws: `ArchiveFailure`, also for a server that only sends whole files.
    public static func open(
        _ resource: WebResource, loader: DocumentLoader, probe: TileProbe? = nil, prefersStored: Bool = false,
        isReload: Bool = false, definition: SourceDefinition? = nil, sharedAddress: String? = nil,
        onChange: (@Sendable () -> Void)? = nil
    ) async throws(ArchiveFailure) -> RemoteArchive {
        try await open(
            RemoteFile(resource: resource, loader: loader, sharedAddress: sharedAddress), probe: probe,
            prefersStored: prefersStored, isReload: isReload, definition: definition, onChange: onChange)
    }

    static func open(
        _ file: RemoteFile, probe: TileProbe?, prefersStored: Bool, isReload: Bool,
        definition: SourceDefinition?,
        onChange: (@Sendable () -> Void)?
    ) async throws(ArchiveFailure) -> RemoteArchive {
        let beginning = try await file.start(prefersStored: prefersStored, isReload: isReload)
        let edition: ArchiveVersion
        do throws(ArchiveFailure) {
            edition = try await ArchiveVersion(beginning, of: file)
        } catch {
            edition = try await file.reopened(after: error, beginning, isReload: isReload)
        }
        let metadata = (try? await edition.metadata()) ?? [:]
        // The header of a vector archive makes a sample unnecessary.
        let sample = edition.index.declaresVectorTiles ? nil : try? await edition.sample()
        return RemoteArchive(
            file, ArchiveVersionTracker(file, edition, onChange: onChange), metadata, sample, probe,
            definition)
    }

    private init(
        _ file: RemoteFile, _ versions: ArchiveVersionTracker, _ metadata: JSON,
        _ sample: ArchiveVersion.Sample?, _ probe: TileProbe?, _ definition: SourceDefinition?
    ) {
        self.file = file
        self.versions = versions
        self.metadata = metadata
        let opened = versions.opened
        documents = opened.documents(sample)
        let info = opened.index.info(metadata, body: sample?.body, probe)
        self.info = info
        refusal = opened.index.refusal(body: sample?.body)
        let isVector = refusal?.reason == .vectorTiles
        let encoding = metadata["encoding"]?.string.flatMap(ElevationEncoding.init(name:))
        described = definition.map {
            var described = $0.completed(by: info, isVector ? TileSchema.layerNames(in: metadata) : nil)
            if described.elevation == nil, !isVector, let encoding {
                described.elevation = encoding
                described.feature = .terrain
            }
            return described
        }
    }

    /// The reason why stored parts are used although the server was asked: it no longer has the archive, or
    /// sends something else. Nil for others, and without a connection.
    package var loss: ArchiveFailure? {
        guard case .outdated(let failure?) = versions.opened.beginning.standing,
            failure.isGone || failure.failureClass == .badContent
        else { return nil }
        return ArchiveFailure(
            failure.isGone ? .absent(address: file.name) : .notFetched(failure), name: file.name)
    }

    /// Removes the first bytes from the cache, so that those of a region open the archive offline.
    package func forgetBeginning() { file.loader.forget(file.beginning) }

    /// True if the server ignores ranges, so that parts must be read from a copy, and no copy exists.
    package var needsCopy: Bool {
        file.copy == nil
            && versions.opened.beginning.headers.first("Accept-Ranges")?.lowercased() == "none"
    }

    /// True if regions store its tiles with another compression than the archive.
    package var areTilesRepacked: Bool { versions.opened.index.areTilesRepacked }

    /// The origin that its tiles are stored under, for the current edition.
    public var origin: TileOrigin { versions.origin }

    /// The definition that the archive was opened with, completed by the archive.
    public var webDefinition: SourceDefinition? { described }

    /// Returns the origin, which is the same for every layer.
    public func origin(of layer: TileLayer) -> TileOrigin? { origin }

    /// Returns the documents that the current edition is opened from.
    package var currentDocuments: [WebResource] {
        get async {
            let edition = await versions.edition
            return edition.documents(edition.index.declaresVectorTiles ? nil : try? await edition.sample())
        }
    }

    /// The zooms of a GeoTIFF whose tiles need more blocks than `GeoTIFF.remoteBlockLimit`; nil for none.
    package var unreadableZooms: ClosedRange<Int>? {
        versions.opened.image.flatMap { $0.image.unreadableZooms(limit: GeoTIFF.remoteBlockLimit) }
    }

    /// Returns the layer of a GeoTIFF; nil for other archives.
    func imageLayer(id: TileLayer.ID, _ info: TileSourceInfo) -> TileLayer? {
        versions.opened.image.map { $0.image.layer(id: id, self, info, $0.stretch) }
    }

    /// Returns true if the archive has tiles of that zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the address of the archive, which contains the tile.
    public func url(for tile: TileID) -> String? { file.name }

    /// Returns a tile, read from its part of the file.
    public func response(
        for tile: TileID, urgency: WantedTile.Urgency
    ) async throws(TileFailure) -> StoredResponse? {
        if let refusal, refusal.reason != .vectorTiles {
            throw TileFailure(.refused, refusal.description, retryAfter: .seconds(600))
        }
        return try await answer(of: tile, urgency.priority)
    }

    /// Returns a tile's body, unpacked but otherwise as it is in the archive; nil if there is no such tile.
    /// - Throws: `TileFailure`.
    public func body(of tile: TileID) async throws(TileFailure) -> [UInt8]? {
        guard let body = try await response(for: tile, urgency: .visible(view: 0))?.body else { return nil }
        return try VectorDrawing.unpacked(body, "\(file.name) \(tile)")
    }
}

/// The tiles, from the store or the server.
extension RemoteArchive {
    /// The number of times that a file may change while a tile is read.
    private static var retryLimit: Int { 2 }

    /// Returns a tile, or a response without a body if there is no such tile. A body that a region stores may
    /// be gzip; any other is unpacked.
    func answer(of tile: TileID, _ priority: HTTPPriority) async throws(TileFailure) -> StoredResponse {
        var edition = await versions.current()
        for _ in 0..<RemoteArchive.retryLimit {
            do throws(RangeFailure) {
                do throws(RangeFailure) {
                    return try await answer(of: tile, edition, priority)
                } catch {
                    guard case .changed(let beginning) = error else { throw error }
                    edition = try await versions.replaced(edition, by: beginning)
                }
            } catch {
                throw error.tileFailure(file)
            }
        }
        throw RangeFailure.differs(nil).tileFailure(file)
    }

    private func answer(
        of tile: TileID, _ edition: ArchiveVersion, _ priority: HTTPPriority
    ) async throws(RangeFailure) -> StoredResponse {
        let key = ResourceKey.tile(origin: file.origin.of(edition.tiles), tile)
        let match = await BlockingExecutor.run { stored(key, edition) }, now = file.loader.date()
        if let match, case .use = CacheRules.decide(match, ofVersion: edition.version, at: now) {
            return match.response
        }
        if let unrest = await versions.unrest {
            guard let match else { throw .failed(unrest) }
            return match.response
        }
        let sections = try await edition.sections(of: tile)
        guard let first = sections.first else { return await noted(nil, key, edition) }
        if match == nil, sections.count == 1, let part = await edition.bytesAtHand(first) {
            return await noted(
                try RangeFailure.of { () throws(TileFailure) in
                    try edition.index.body(of: tile, from: [first: part])
                }, key, edition)
        }
        do throws(RangeFailure) {
            let ranges = try await edition.load(sections, priority)
            let body = try RangeFailure.of { () throws(TileFailure) in
                try edition.body(of: tile, from: ranges)
            }
            guard let body, let range = ranges[first] else { return await noted(nil, key, edition) }
            return file.store(body, of: range, .tiles(), for: key)
        } catch {
            if case .changed = error { throw error }
            guard let match else { throw error }
            return match.response
        }
    }

    /// Returns the stored tile of an edition. An expired tile becomes fresh together with the first bytes of
    /// the file, because it belongs to the same version.
    private func stored(_ key: ResourceKey, _ edition: ArchiveVersion) -> StoreMatch? {
        guard var match = cached.match(key, version: edition.version) else { return nil }
        guard !match.response.isInvalidated else { return match }
        cached.cache?.count(.hit)
        guard match.response.state(at: cached.date()) != .fresh, file.beginningState == .fresh else {
            return match
        }
        match.response.freshness = edition.answer(nil).freshness
        cached.cache?.prolong(key, match.response.freshness, headers: match.response.headers)
        return match
    }

    private func noted(
        _ body: [UInt8]?, _ key: ResourceKey, _ edition: ArchiveVersion
    ) async -> StoredResponse {
        var answer = edition.answer(body)
        // A tile in the first bytes, or one that their directory lacks, is no fresher than they are.
        let beginning = await BlockingExecutor.run { [file] in file.loader.answer(stored: file.beginning) }
        if let freshness = beginning?.freshness, freshness.state(at: file.loader.date()) != .fresh {
            answer.freshness = freshness
        }
        if edition.beginning.isStorable { cached.store(answer, for: key) }
        return answer
    }
}

extension SourceDefinition {
    /// Returns the source with the bounds, zooms and kind of tiles that its archive has.
    fileprivate func completed(by info: TileSourceInfo, _ vectorLayers: [String]?) -> SourceDefinition {
        var source = self
        source.isVector = vectorLayers != nil
        source.vectorLayers = vectorLayers ?? []
        source.zooms = info.zooms
        source.bounds = info.bounds
        source.isOverlay = source.isOverlay || info.isOverlay
        source.tileSize = info.tileSize
        if source.name == source.id { source.name = info.name }
        if source.attribution.isEmpty { source.attribution = info.attribution }
        return source
    }
}
