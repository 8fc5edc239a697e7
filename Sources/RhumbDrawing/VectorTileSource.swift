public import RhumbCore
public import RhumbEngine

/// A source of pictures that are drawn on demand from vector tiles of another source, crisp also
/// beyond that source's deepest zoom.
public final class VectorTileSource: TileLayerDataSource {
    /// How deep pictures are drawn.
    public static let deepestZoom = TileSize.pixels256.maximumZoom

    /// What is known of it: as of the source of the data, with deeper zooms and its own tile size.
    public let info: TileSourceInfo
    public let painter: VectorPainter
    public let schema: TileSchema
    private let data: any TileLayerDataSource
    let dataZooms: ClosedRange<Int>
    private let decoded: DecodedTiles

    /// - Parameters:
    ///   - data: answers at once with vector tiles as encoded bytes, unpacked.
    ///   - info: what is known of it; its zooms are those that have data.
    public convenience init(
        _ data: any TileLayerDataSource, info: TileSourceInfo, painter: VectorPainter, schema: TileSchema
    ) {
        var drawn = info
        drawn.tileSize = .pixels512
        drawn.zooms = info.zooms.lowerBound...max(info.zooms.upperBound, VectorTileSource.deepestZoom)
        self.init(data, drawn, info.zooms, painter, schema, DecodedTiles())
    }

    private init(
        _ data: any TileLayerDataSource, _ info: TileSourceInfo, _ dataZooms: ClosedRange<Int>,
        _ painter: VectorPainter, _ schema: TileSchema, _ decoded: DecodedTiles
    ) {
        self.data = data
        self.info = info
        self.dataZooms = dataZooms
        self.painter = painter
        self.schema = schema
        self.decoded = decoded
    }

    /// The same tiles drawn in another style.
    public func restyled(_ painter: VectorPainter) -> VectorTileSource {
        VectorTileSource(data, info, dataZooms, painter, schema, decoded)
    }

    public func hasTile(_ tile: TileID) -> Bool {
        info.zooms.contains(tile.zoom) && data.hasTile(part(tile).data)
    }

    /// The picture of a tile.
    /// - Throws: `TileFailure`: `badContent` for bytes that are no vector tile.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        let part = part(tile)
        guard let source = try decodedTile(part.data) else { return .absent }
        let raster = painter.draw(
            part, side: info.tileSize.rawValue, names: source.tile.layerNames, layer: source.layer)
        guard let raster else { throw TileFailure(.sourceFailed, "\(info.name) \(tile): memory ended while drawing it") }
        return .bitmap(.raster(raster))
    }

    private func part(_ tile: TileID) -> TilePart { TilePart(tile, deepest: dataZooms.upperBound) }

    private func decodedTile(_ id: TileID) throws(TileFailure) -> DecodedTile? {
        if let known = decoded.tile(id) { return known }
        guard let fresh = try freshTile(id) else { return nil }
        return decoded.keep(fresh, as: id)
    }

    /// A tile for a single look: what was drawn last stays decoded.
    func passingTile(_ id: TileID) throws(TileFailure) -> DecodedTile? {
        if let known = decoded.tile(id) { return known }
        guard let fresh = try freshTile(id) else { return nil }
        return DecodedTile(fresh)
    }

    private func freshTile(_ id: TileID) throws(TileFailure) -> VectorTile? {
        guard case .bitmap(.encoded(let bytes)) = try data.tile(id) else { return nil }
        do throws(VectorTileFailure) {
            return try VectorTile(bytes)
        } catch {
            throw TileFailure(.badContent, "\(info.name) \(id): \(error)")
        }
    }
}
