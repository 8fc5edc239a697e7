/// The layers of vector tiles that belong to features, by their names in OpenMapTiles, Shortbread, Protomaps
/// and Mapbox.
extension Feature {
    private static let groups: [(names: Set<String>, features: Set<Feature>)] = [
        (["building", "buildings", "building_part", "building_parts"], [.detailRendering]),
        (["poi", "pois", "poi_label"], [.detailRendering, .offlineSearch]),
        (["housenumber", "housenum_label", "addresses"], [.detailRendering, .offlineSearch]),
        (["contour", "contours", "hillshade", "elevation"], [.terrain]),
    ]

    /// The features that select layers of vector tiles. The others select no data of regions and packages.
    public static let ofVectorTiles = groups.reduce(into: Set<Feature>()) { $0.formUnion($1.features) }

    /// Returns the features that a layer of vector tiles serves. A region contains the layer if any of them
    /// is enabled. If empty, the layer belongs to the base map, and all regions contain it.
    public static func features(ofVectorLayer name: String) -> Set<Feature> {
        groups.first { $0.names.contains(name) }?.features ?? []
    }
}
