public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
public import RhumbStore

/// A PMTiles archive on a web server, read in parts: the first 16 KiB open it, then each tile is
/// one range. Directories and tiles go through the store of answers, so that what was seen once
/// is there offline. A file that changes on the server is noticed by its ETag (or date) with the
/// next part, opened anew, and what was kept of the old one is left aside.
public final class RemotePMTiles: PartTileSource {
    /// What the archive says of itself.
    public let info: TileSourceInfo
    /// The metadata object; empty if it can't be read.
    public let metadata: JSON
    /// Why its tiles are no pictures; nil if they are. Vector tiles come all the same, for a
    /// layer that draws them.
    public let refusal: ArchiveFailure?
    /// The documents it was opened by.
    public let documents: [WebResource]
    /// What it was opened by, with what the archive says of itself; nil if it was opened by a bare
    /// address.
    public let described: SourceDefinition?
    package let bodies: TileBodies

    /// Opens an archive.
    /// - Parameters:
    ///   - resource: the file, without a range.
    ///   - loader: with the client and the store that all its parts go through.
    ///   - probe: tells the tiles' size in pixels; nil: 256 is assumed.
    ///   - prefersStored: whether what is kept will do, whatever its age; the server is then asked
    ///     about it when the first tile is wanted.
    ///   - isReload: asks the server whatever is kept.
    ///   - definition: the source that it is the archive of.
    ///   - sharedAddress: The address that identifies the tiles of all builds of the archive; nil for the
    ///     file's own.
    ///   - onChange: told when the archive turned out to be another on the server: what is drawn of
    ///     it should be forgotten.
    /// - Throws: `ArchiveFailure`, also for a server that sends whole files only.
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
        let edition = try Edition(beginning, of: file)
        let bodies = TileBodies(file: file, keeper: EditionKeeper(file, edition, onChange: onChange))
        let metadata = (try? await edition.metadata()) ?? [:], sample = try? await edition.sample()
        return RemotePMTiles(bodies, edition.index, metadata, sample, probe, definition)
    }

    private init(
        _ bodies: TileBodies, _ index: PMTilesIndex, _ metadata: JSON, _ sample: Edition.Sample?,
        _ probe: TileProbe?,
        _ definition: SourceDefinition?
    ) {
        self.bodies = bodies
        self.metadata = metadata
        let sections = [index.header.metadata] + (sample?.sections ?? [])
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

    /// True if the server ignores ranges, so that parts must be read from a copy, and there is none.
    package var needsCopy: Bool {
        bodies.file.copy == nil
            && bodies.keeper.opened.beginning.headers.first("Accept-Ranges")?.lowercased() == "none"
    }

    /// What its tiles are kept under, besides their numbers: in the edition that holds just now.
    public var origin: TileOrigin { bodies.keeper.origin }

    /// The same for every layer.
    public func origin(of layer: TileLayer) -> TileOrigin? { origin }

    /// Whether the archive has tiles of that zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// The archive, of which a tile is a part.
    public func url(for tile: TileID) -> String? { bodies.file.name }

    /// The tile, read from its part of the file.
    public func answer(of tile: TileID, priority: HTTPPriority) async throws(TileFailure) -> StoredResponse {
        if let refusal, refusal.reason != .vectorTiles {
            throw TileFailure(.refused, refusal.description, retryAfter: .seconds(600))
        }
        return try await bodies.answer(of: tile, priority)
    }

    /// A tile's body as it is in the archive, unpacked; nil if there is no such tile.
    /// - Throws: `TileFailure`.
    public func body(
        of tile: TileID, priority: HTTPPriority = .visible(view: 0)
    ) async throws(TileFailure) -> [UInt8]? {
        try await answer(of: tile, priority: priority).body
    }
}

extension SourceDefinition {
    /// The same source with the ground, the zooms and the kind of tiles that its archive has.
    fileprivate func completed(by info: TileSourceInfo, _ vectorLayers: [String]?) -> SourceDefinition {
        var source = self
        source.isVector = vectorLayers != nil
        source.vectorLayers = vectorLayers ?? []
        source.zooms = info.zooms
        source.bounds = info.bounds
        source.tileSize = info.tileSize
        if source.name == source.id { source.name = info.name }
        if source.attribution.isEmpty { source.attribution = info.attribution }
        return source
    }
}
