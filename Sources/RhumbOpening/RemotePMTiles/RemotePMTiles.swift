public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
public import RhumbStore

/// A PMTiles or VersaTiles archive on a web server, read in parts: the first 16 KiB open it, and each tile is
/// one range.
/// Directories and tiles go through the response store, so that viewed parts are available offline. If the
/// ETag or date of a part shows that the file changed on the server, the archive is reopened, and stored
/// parts of the old file are ignored.
public final class RemotePMTiles: TileLayerDataSource {
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
    package let bodies: TileBodies

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
    ) async throws(ArchiveFailure) -> RemotePMTiles {
        try await open(
            RemoteFile(resource: resource, loader: loader, sharedAddress: sharedAddress), probe: probe,
            prefersStored: prefersStored, isReload: isReload, definition: definition, onChange: onChange)
    }

    static func open(
        _ file: RemoteFile, probe: TileProbe?, prefersStored: Bool, isReload: Bool,
        definition: SourceDefinition?,
        onChange: (@Sendable () -> Void)?
    ) async throws(ArchiveFailure) -> RemotePMTiles {
        let beginning = try await file.start(prefersStored: prefersStored, isReload: isReload)
        let edition = try ArchiveVersion(beginning, of: file)
        let bodies = TileBodies(file: file, keeper: ArchiveVersionTracker(file, edition, onChange: onChange))
        let metadata = (try? await edition.metadata()) ?? [:]
        // The header of a vector archive makes a sample unnecessary.
        let sample = edition.index.declaresVectorTiles ? nil : try? await edition.sample()
        return RemotePMTiles(bodies, edition.index, metadata, sample, probe, definition)
    }

    private init(
        _ bodies: TileBodies, _ index: any ArchiveIndex, _ metadata: JSON, _ sample: ArchiveVersion.Sample?,
        _ probe: TileProbe?,
        _ definition: SourceDefinition?
    ) {
        self.bodies = bodies
        self.metadata = metadata
        let sections = [index.metadataSection] + (sample?.sections ?? [])
        documents =
            [bodies.file.beginning]
            + sections.filter { section in
                section.length > 0 && PMTilesIndex.slice(bodies.keeper.opened.beginning.body, section) == nil
            }.map(bodies.file.range)
        let info = index.info(metadata, body: sample?.body, probe)
        self.info = info
        refusal = index.refusal(body: sample?.body)
        let isVector = refusal?.reason == .vectorTiles
        described = definition.map {
            $0.completed(by: info, isVector ? TileSchema.layerNames(in: metadata) : nil)
        }
    }

    /// True if the server ignores ranges, so that parts must be read from a copy, and no copy exists.
    package var needsCopy: Bool {
        bodies.file.copy == nil
            && bodies.keeper.opened.beginning.headers.first("Accept-Ranges")?.lowercased() == "none"
    }

    /// The origin that its tiles are stored under, for the current edition.
    public var origin: TileOrigin { bodies.keeper.origin }

    /// The definition that the archive was opened with, completed by the archive.
    public var webDefinition: SourceDefinition? { described }

    /// Returns the origin, which is the same for every layer.
    public func origin(of layer: TileLayer) -> TileOrigin? { origin }

    /// Returns true if the archive has tiles of that zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the address of the archive, which contains the tile.
    public func url(for tile: TileID) -> String? { bodies.file.name }

    /// Returns a tile, read from its part of the file.
    public func response(
        for tile: TileID, urgency: WantedTile.Urgency
    ) async throws(TileFailure) -> StoredResponse? {
        if let refusal, refusal.reason != .vectorTiles {
            throw TileFailure(.refused, refusal.description, retryAfter: .seconds(600))
        }
        return try await bodies.answer(of: tile, urgency.priority)
    }

    /// Returns a tile's body, unpacked but otherwise as it is in the archive; nil if there is no such tile.
    /// - Throws: `TileFailure`.
    public func body(
        of tile: TileID, urgency: WantedTile.Urgency = .visible(view: 0)
    ) async throws(TileFailure) -> [UInt8]? {
        try await response(for: tile, urgency: urgency)?.body
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
