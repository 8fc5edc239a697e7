/// Which features are enabled, which are fetched before they are looked at, and which may use the
/// network while Rhumb is offline (after HERE's LayerConfiguration). A whitelist: what isn't
/// named is off.
public struct LayerConfiguration: Equatable, Sendable {
    /// What a region contains, and what may be asked for.
    public private(set) var enabledFeatures: Set<Feature>
    /// What moving about pulls into the cache; empty means as little traffic as possible.
    public var implicitlyPrefetchedFeatures: Set<Feature>
    /// What the network may be used for while Rhumb is switched offline.
    public var passThroughFeatures: Set<Feature>
    /// What is read from the cache and from regions only, never from a server.
    public var neverOverTheAir: Set<Feature> = []

    private static func named(_ names: [String]) -> Set<Feature> { Set(Feature.all.filter { names.contains($0.name) }) }

    private static let prefetched = named([
        "detailRendering", "navigation", "offlineRouting", "offlineSearch", "rendering", "truck",
    ])

    /// HERE's defaults: the map and its details, search and routing are enabled, and all of these but
    /// landmarks fetched ahead; nothing passes through.
    public init() {
        enabledFeatures = LayerConfiguration.prefetched.union(LayerConfiguration.named(["landmarks3d"]))
        implicitlyPrefetchedFeatures = LayerConfiguration.prefetched
        passThroughFeatures = []
    }

    /// - Throws: `FeatureFailure.baseDisabled` where `rendering` is not among the enabled ones.
    public init(
        enabledFeatures: Set<Feature>, implicitlyPrefetchedFeatures: Set<Feature>,
        passThroughFeatures: Set<Feature> = []
    ) throws(FeatureFailure) {
        guard enabledFeatures.contains(.rendering) else { throw .baseDisabled }
        self.enabledFeatures = enabledFeatures
        self.implicitlyPrefetchedFeatures = implicitlyPrefetchedFeatures
        self.passThroughFeatures = passThroughFeatures
    }

    /// Changes what is enabled.
    /// - Throws: `FeatureFailure.baseDisabled`.
    public mutating func enable(exactly features: Set<Feature>) throws(FeatureFailure) {
        guard features.contains(.rendering) else { throw .baseDisabled }
        enabledFeatures = features
    }

    /// The features of a comma-separated list; "none" and an empty text are the empty list, "all"
    /// is all of them.
    /// - Throws: `FeatureFailure.unknown` for the first word that names none.
    public static func features(_ list: String) throws(FeatureFailure) -> Set<Feature> {
        var features: Set<Feature> = []
        for word in list.split(whereSeparator: { $0 == "," || $0 == " " }) where word != "none" {
            if word == "all" { features.formUnion(Feature.all) } else { features.insert(try .named(String(word))) }
        }
        return features
    }

    /// - Throws: `FeatureFailure.disabled` where the feature is off.
    public func require(_ feature: Feature, for wanted: String) throws(FeatureFailure) {
        guard enabledFeatures.contains(feature) else { throw .disabled(feature, wanted: wanted) }
    }
}
