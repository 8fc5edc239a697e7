/// The features that are enabled, those that are prefetched, and those that may use the network while Rhumb
/// is offline, after HERE's `LayerConfiguration`. Features that are not listed are off.
public struct LayerConfiguration: Equatable, Sendable {
    /// The type of a feature.
    public typealias Feature = RhumbEngine.Feature

    /// The features that regions contain and that may be requested. They always include `rendering`.
    public var enabledFeatures: Set<Feature> { didSet { enabledFeatures.insert(.rendering) } }
    /// The features that are cached while the map moves; empty for the least traffic.
    public var implicitlyPrefetchedFeatures: Set<Feature>
    /// The features that may use the network while Rhumb is offline.
    public var passThroughFeatures: Set<Feature>
    /// The features whose tiles are shown from the cache and from regions only. Only downloads of regions and
    /// packages request them from a server.
    public var neverOverTheAir: Set<Feature> = [
        .offlineSearch, .offlineSearchGlobal, .offlineRouting, .offlineBusRouting,
    ]

    private static let prefetched: Set<Feature> = [
        .detailRendering, .navigation, .offlineRouting, .offlineSearch, .rendering, .truck,
    ]

    /// The features that are enabled by default, but not by HERE.
    public static let enabledBeyondHERE: Set<Feature> = [.offlineSearchGlobal]

    /// Creates HERE's defaults, plus search in all stored maps: the map and its details, search, routing and
    /// guidance are enabled, all but the wider search are prefetched, and nothing passes through.
    public init() {
        enabledFeatures = LayerConfiguration.prefetched.union(LayerConfiguration.enabledBeyondHERE)
        implicitlyPrefetchedFeatures = LayerConfiguration.prefetched
        passThroughFeatures = []
    }

    /// Creates a configuration of the given features and `rendering`.
    /// - Parameter implicitlyPrefetchedFeatures: The features to cache ahead; nil for HERE's defaults.
    public init(
        enabledFeatures: some Sequence<Feature>, implicitlyPrefetchedFeatures: (some Sequence<Feature>)?,
        passThroughFeatures: some Sequence<Feature> = []
    ) {
        self.init()
        self.enabledFeatures = Set(enabledFeatures).union([.rendering])
        if let implicitlyPrefetchedFeatures {
            self.implicitlyPrefetchedFeatures = Set(implicitlyPrefetchedFeatures)
        }
        self.passThroughFeatures = Set(passThroughFeatures)
    }

    /// Creates a configuration of the given features and `rendering`, with HERE's defaults otherwise.
    public init(enabledFeatures: some Sequence<Feature>) {
        self.init(enabledFeatures: enabledFeatures, implicitlyPrefetchedFeatures: nil as Set<Feature>?)
    }

    /// Sets the enabled features, as the user lists them.
    /// - Throws: `FeatureFailure.baseDisabled` if `rendering` is missing.
    public mutating func enable(exactly features: Set<Feature>) throws(FeatureFailure) {
        guard features.contains(.rendering) else { throw .baseDisabled(listed: features) }
        enabledFeatures = features
    }

    /// Returns the features in a comma-separated list. "none" and an empty text give an empty set, "all"
    /// gives all features.
    /// - Throws: `FeatureFailure.unknown` for the first word that isn't a feature.
    public static func features(_ list: String) throws(FeatureFailure) -> Set<Feature> {
        var features: Set<Feature> = []
        for word in list.split(whereSeparator: { $0 == "," || $0 == " " }) where word != "none" {
            if word == "all" {
                features.formUnion(Feature.all)
            } else {
                features.insert(try .named(String(word)))
            }
        }
        return features
    }

    /// Returns true if tiles of the feature may be fetched before they are in view.
    public func looksAhead(for feature: Feature) -> Bool {
        enabledFeatures.contains(feature) && implicitlyPrefetchedFeatures.contains(feature)
            && !neverOverTheAir.contains(feature)
    }

    /// True if stored maps and the list of places may be searched.
    public var allowsSearch: Bool {
        !enabledFeatures.isDisjoint(with: [.offlineSearch, .offlineSearchGlobal])
    }

    /// Requires that stored maps and the list of places may be searched.
    /// - Throws: `FeatureFailure.disabled`
    public func requireSearch(for wanted: String) throws(FeatureFailure) {
        if !allowsSearch { throw .disabled(.offlineSearch, wanted: wanted) }
    }

    /// Requires that a feature is enabled.
    /// - Throws: `FeatureFailure.disabled` if the feature is off.
    public func require(_ feature: Feature, for wanted: String) throws(FeatureFailure) {
        guard enabledFeatures.contains(feature) else { throw .disabled(feature, wanted: wanted) }
    }
}

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
