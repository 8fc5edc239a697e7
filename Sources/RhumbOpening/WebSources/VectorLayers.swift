internal import RhumbCore
public import RhumbDrawing
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

extension TileLayer {
    /// The declared layers of a source's vector tiles, empty if unknown; nil for a layer of images.
    public var vectorLayerNames: [String]? {
        switch source {
        case let source as WebTileSource where source.definition.holdsVectorTiles:
            source.definition.vectorLayers
        case let archive as RemoteArchive where archive.refusal?.reason == .vectorTiles:
            TileSchema.layerNames(in: archive.metadata)
        case let archive as any TileArchive where archive.refusal?.reason == .vectorTiles:
            TileSchema.layerNames(in: archive.metadata)
        default: nil
        }
    }
}

extension TileArchive {
    /// The layers of its vector tiles: those in the metadata or, if it lists none, in the first tiles. The
    /// style depends on them, so that a copy with complete metadata looks the same.
    var layerNames: [String] {
        let declared = TileSchema.layerNames(in: metadata)
        guard declared.isEmpty else { return declared }
        var names: [String] = [], count = 0
        try? eachTile { tile in
            guard count < 32 else { throw CancellationError() }
            count += 1
            guard case .bitmap(.encoded(let body))? = try self.tile(tile), let decoded = try? VectorTile(body)
            else { return }
            for name in decoded.layerNames where !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension VectorDrawing {
    /// Returns a drawing of tiles that may be compressed with gzip or zlib.
    /// - Parameters: As in the initializer.
    public static func unpacking(
        _ info: TileSourceInfo, layerNames: [String], painters: [TileSchema: VectorPainter],
        hasGround: Bool = true
    ) -> VectorDrawing {
        VectorDrawing(
            info, layerNames: layerNames, painters: painters, hasGround: hasGround, unpack: unpacked)
    }

    /// Returns a tile without the gzip or zlib compression that it may have.
    @Sendable static func unpacked(_ body: [UInt8], _ name: String) throws(TileFailure) -> [UInt8] {
        try converting(Gzip.unwrapped(body, limit: VectorTile.sizeLimit)) { (error: Gzip.Failure) in
            TileFailure(
                .badContent, "\(name): invalid gzip data, or more than \(VectorTile.sizeLimit >> 20) MiB")
        }
    }
}
