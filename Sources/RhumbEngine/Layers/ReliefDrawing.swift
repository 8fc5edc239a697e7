public import RhumbCore

/// Draws tiles as another drawing does, with the light and shade of hills over them. The relief comes as grey
/// pictures: 128 for flat ground, brighter towards the light.
public struct ReliefDrawing: TileDrawing {
    /// A tile of the relief as it is stored; nil where there is none.
    public typealias Source = @Sendable (TileID) throws(TileFailure) -> [UInt8]?

    private let base: any TileDrawing
    private let relief: Relief

    /// - Parameters:
    ///   - base: draws the ground.
    ///   - zooms: of the relief; beyond the deepest it is enlarged, and fades out within two zooms more.
    ///   - shades: how strong light and shade are.
    ///   - decoder: makes pictures of the relief's tiles.
    ///   - source: reads the relief's tiles.
    public init(
        over base: any TileDrawing, zooms: ClosedRange<Int>, shades: ReliefShades, decoder: any ImageDecoder,
        source: @escaping Source
    ) {
        self.base = base
        relief = Relief(zooms: zooms, shades: shades, decoder: decoder, source: source)
    }

    /// Those of the ground.
    public var dataZooms: ClosedRange<Int> { base.dataZooms }
    /// That of the ground.
    public var content: ExpectedContent { base.content }
    /// Whether the ground's style writes any labels.
    public var writesLabels: Bool { base.writesLabels }
    /// Whether the ground tells what lies at a place.
    public var isDescribed: Bool { base.isDescribed }

    /// A tile of the ground.
    public func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile {
        ShadedTile(ground: try base.tile(data, from: bytes), relief: relief)
    }

    /// A tile of the ground that is kept decoded, else nil.
    public func keptTile(_ data: TileID) -> (any DrawnTile)? {
        base.keptTile(data).map { ShadedTile(ground: $0, relief: relief) }
    }

    /// Lets go of the decoded tiles.
    public func forgetTiles() {
        base.forgetTiles()
        relief.decoded.removeAll()
    }
}

/// A tile of the ground under light and shade.
private struct ShadedTile: DrawnTile {
    let ground: any DrawnTile
    let relief: Relief

    func picture(of tile: TileID, side: Int) throws(TileFailure) -> Raster {
        relief.shaded(try ground.picture(of: tile, side: side), of: tile)
    }

    func picture(of tile: TileID, side: Int, seen: PixelBox) throws(TileFailure) -> Raster? {
        try ground.picture(of: tile, side: side, seen: seen).map { relief.shaded($0, of: tile) }
    }

    func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel] { ground.labels(at: zoom, in: language) }

    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] {
        ground.features(at: place, zoom: zoom, reach: reach)
    }
}

/// The tiles of a relief, decoded once.
private struct Relief: Sendable {
    let zooms: ClosedRange<Int>
    let shades: ReliefShades
    let decoder: any ImageDecoder
    let source: ReliefDrawing.Source
    let decoded = DecodedTiles<ReliefTile>(byteLimit: 1 << 20)

    /// The picture under light and shade; as it is where there is no relief.
    func shaded(_ picture: Raster, of tile: TileID) -> Raster {
        let strength = strength(at: tile.zoom)
        guard strength > 0 else { return picture }
        let levels = max(tile.zoom - zooms.upperBound, 0)
        guard let data = tile.ancestor(levels: levels), let relief = self.tile(data) else { return picture }
        return relief.shading(picture, of: tile, from: data, shades.table(strength: strength))
    }

    private func strength(at zoom: Int) -> Double {
        guard zoom >= zooms.lowerBound else { return 0 }
        return [1, 1, 0.5][min(max(zoom - zooms.upperBound, 0), 3), default: 0]
    }

    private func tile(_ id: TileID) -> ReliefTile? {
        if let known = decoded[id] { return known }
        guard let bytes = (try? source(id)) ?? nil else { return nil }
        return try? decoded.tile(id, from: bytes) { () throws(TileFailure) in
            do throws(ImageFailure) {
                let tile = ReliefTile(try decoder.decode(bytes, limits: .tile))
                return (tile, tile.grey.count)
            } catch {
                throw TileFailure(.badContent, "relief \(id): \(error)")
            }
        }
    }
}

extension [Double] {
    fileprivate subscript(index: Int, default value: Double) -> Double { indices.contains(index) ? self[index] : value }
}
