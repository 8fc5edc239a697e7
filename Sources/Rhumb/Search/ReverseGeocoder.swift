internal import RhumbCore

/// The contents of a tile near a place: its street, its house, and the features there.
struct ReverseGeocoder {
    private(set) var street: FeatureMatch?
    private(set) var house: FeatureMatch?
    private(set) var things: [FeatureMatch] = []

    /// The maximum distances to a street, a house and a feature, in metres.
    private static let reach = (street: 150.0, house: 60.0, thing: 40.0)

    init(_ bytes: VectorTile, at tile: TileID, near place: Coordinate) {
        let read = TileFeatures(bytes, at: tile)
        house = read.houses.map { FeatureMatch($0, in: tile).seen(from: place) }
            .filter { ($0.metres ?? .infinity) < ReverseGeocoder.reach.house }.min {
                ($0.metres ?? 0) < ($1.metres ?? 0)
            }
        street = ReverseGeocoder.street(bytes, tile, place, among: read.features)
        things = read.features.filter { $0.category != .street && !$0.name.isEmpty }
            .map { FeatureMatch($0, in: tile).seen(from: place) }
            .filter { ($0.metres ?? .infinity) < ReverseGeocoder.reach.thing }
            .sorted { ($0.metres ?? 0) < ($1.metres ?? 0) }
    }

    /// Returns the street with the nearest line.
    private static func street(
        _ bytes: VectorTile, _ tile: TileID, _ place: Coordinate, among features: [IndexedFeature]
    ) -> FeatureMatch? {
        let pixel = Mercator.metresPerPixel(latitude: place.latitude, zoom: Double(tile.zoom)) * 256
        guard let name = TileFeatures.nearestStreet(bytes, at: tile, to: place, within: reach.street / pixel)
        else { return nil }
        let feature = features.filter { $0.category == .street && $0.name == name }
            .map { FeatureMatch($0, in: tile).seen(from: place) }
            .min { ($0.metres ?? 0) < ($1.metres ?? 0) }
        return feature
    }
}
