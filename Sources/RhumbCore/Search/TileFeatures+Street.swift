extension TileFeatures {
    /// The name of the street whose line is nearest to a place of a tile.
    /// - Parameter reach: no farther, in sides of the tile.
    /// - Returns: nil where none is.
    public static func nearestStreet(_ bytes: VectorTile, at tile: TileID, to place: Coordinate, within reach: Double) -> String? {
        let world = Mercator.world(place), side = Double(1 << tile.zoom)
        let spot = IndexedFeature.Place(
            Int32(((world.x * side - Double(tile.x)) * Double(extent)).rounded()), Int32(((world.y * side - Double(tile.y)) * Double(extent)).rounded()))
        var streets = StreetPieces(tile: tile, reach: Int32(min(max(reach, 0), 1) * Double(extent)))
        var found = TileFeatures(tile: tile)
        for name in bytes.layerNames where SearchLayer(name: name) == .streets {
            guard let layer = (try? bytes.layer(named: name)).flatMap(\.self) else { continue }
            var reader = SearchLayerReader(layer, .streets)
            reader.read(into: &found, &streets)
        }
        let name = streets.named([HouseNumber("", street: "", at: spot)]).first?.street ?? ""
        return name.isEmpty ? nil : name
    }
}
