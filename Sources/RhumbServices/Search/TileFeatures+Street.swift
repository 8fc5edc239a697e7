internal import RhumbBase
public import RhumbGeo
public import RhumbVector

extension TileFeatures {
    /// Returns the name of the street nearest to a place in a tile.
    /// - Parameter reach: Maximum distance, in sides of the tile.
    /// - Returns: nil if there is none.
    public static func nearestStreet(
        _ bytes: VectorTile, at tile: TileID, to place: Coordinate, within reach: Double
    ) -> String? {
        let world = Mercator.world(place), side = Double(1 << tile.zoom)
        let spot = IndexedFeature.Place(
            Int32(clamping: (world.x * side - Double(tile.x)) * Double(extent)),
            Int32(clamping: (world.y * side - Double(tile.y)) * Double(extent)))
        let streets = streets(
            bytes, StreetMerger(tile: tile, reach: Int32(min(max(reach, 0), 1) * Double(extent))), at: tile)
        let name = streets.named([HouseNumber("", street: "", at: spot)]).first?.street ?? ""
        return name.isEmpty ? nil : name
    }

    /// Returns the segments of a street in a tile, each with its two ends.
    public static func lines(ofStreet name: String, in bytes: VectorTile, at tile: TileID) -> [[WorldPoint]] {
        streets(bytes, StreetMerger(tile: tile), at: tile).segments(of: name).map {
            [world($0.from, in: tile), world($0.to, in: tile)]
        }
    }

    /// Adds the streets of a tile to `streets`.
    private static func streets(_ bytes: VectorTile, _ streets: StreetMerger, at tile: TileID) -> StreetMerger
    {
        var streets = streets, found = TileFeatures(tile: tile)
        for name in bytes.layerNames where SearchLayer(name: name) == .streets {
            guard let layer = (try? bytes.layer(named: name)).flatMap(\.self) else { continue }
            var reader = SearchLayerReader(layer, .streets)
            reader.read(into: &found, &streets)
        }
        return streets
    }
}
