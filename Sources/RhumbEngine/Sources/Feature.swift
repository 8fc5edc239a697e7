public import RhumbCore

/// A named group of layers, data or services, after HERE's layer features. Each layer belongs to one. A
/// `LayerConfiguration` lists those that are enabled, prefetched, and allowed to use the network while
/// offline.
public struct Feature: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name on the command line and in files.
    public let name: String

    init(_ name: String) { self.name = name }

    /// The base map. It can't be disabled.
    public static let rendering = Feature("rendering")
    /// Buildings and other details at high zooms.
    public static let detailRendering = Feature("detailRendering")
    /// Terrain elevation and hillshading.
    public static let terrain = Feature("terrain")
    /// The flow of traffic.
    public static let trafficFlow = Feature("trafficFlow")
    /// Traffic incidents.
    public static let trafficIncidents = Feature("trafficIncidents")
    /// Search for places without a network.
    public static let offlineSearch = Feature("offlineSearch")
    /// Search by services on the web.
    public static let onlineSearch = Feature("onlineSearch")
    /// Search for features of stored maps far from the view.
    public static let offlineSearchGlobal = Feature("offlineSearchGlobal")
    /// Routes from engines on this machine.
    public static let offlineRouting = Feature("offlineRouting")
    /// Bus routes from engines on this machine.
    public static let offlineBusRouting = Feature("offlineBusRouting")
    /// Truck routes from engines on this machine.
    public static let truck = Feature("truck")
    /// Guidance along a route.
    public static let navigation = Feature("navigation")
    /// Routes from remote engines.
    public static let onlineRouting = Feature("onlineRouting")
    /// The plugs of charging stations.
    public static let ev = Feature("ev")
    /// The fuels of filling stations.
    public static let fuelStationAttributes = Feature("fuelStationAttributes")
    /// The limits of parking and filling stations for trucks.
    public static let truckServiceAttributes = Feature("truckServiceAttributes")

    /// All features. They have HERE's names if HERE has the feature.
    public static let all: [Feature] = [
        rendering, detailRendering, terrain, trafficFlow, trafficIncidents, offlineSearch,
        offlineSearchGlobal, ev,
        fuelStationAttributes, truckServiceAttributes, offlineRouting, offlineBusRouting, truck, navigation,
        onlineRouting,
        onlineSearch,
    ]

    /// The features of HERE that no source provides.
    private static let foreign: Set<String> = [
        "adas", "detailedTerrain", "ehorizon", "junctionSign16x9", "junctionSign3x4", "junctionSign3x5",
        "junctionSign4x3",
        "junctionSign5x3", "junctionView16x9", "junctionView3x4", "landmarks3d", "rdsTraffic",
    ]

    /// Returns the feature with a name, ignoring case.
    /// - Throws: `FeatureFailure.unknown`, `.notProvided`
    public static func named(_ name: String) throws(FeatureFailure) -> Feature {
        let plain = name.lowercased()
        if let feature = all.first(where: { $0.name.lowercased() == plain }) { return feature }
        throw foreign.first { $0.lowercased() == plain }.map { .notProvided($0) } ?? .unknown(name)
    }

    public var description: String { name }

    public static func < (a: Feature, b: Feature) -> Bool { a.name < b.name }

    /// The name for users; nil for a feature that isn't one of `all`.
    public var title: String? { descriptions?.title }

    /// The data that it selects, in words for lists.
    public var provision: String { descriptions?.provision ?? "" }

    private var descriptions: (title: String, provision: String)? {
        switch self {
        case .rendering: ("base map", "base maps")
        case .detailRendering:
            ("buildings and details", "buildings, points of interest, house numbers, and sources of details")
        case .terrain: ("terrain", "elevation, hillshade and contours")
        case .trafficFlow: ("traffic flow", "traffic flow layers")
        case .trafficIncidents: ("traffic incidents", "traffic incident layers")
        case .offlineRouting: ("offline routes", "routes from local engines and stored maps")
        case .offlineBusRouting: ("offline bus routes", "bus routes from local engines")
        case .truck: ("truck routes", "truck routes from local engines")
        case .navigation: ("guidance", "guidance along a route by your position")
        case .onlineRouting: ("online routes", "routes from online engines")
        case .offlineSearch:
            ("offline search", "search for places and in stored maps; points of interest and house numbers")
        case .offlineSearchGlobal: ("search beyond the view", "search in stored maps far from the view")
        case .onlineSearch: ("online search", "online search services")
        case .ev: ("charging stations", "plug types of charging stations in search results")
        case .fuelStationAttributes: ("filling stations", "fuel types of filling stations in search results")
        case .truckServiceAttributes:
            ("truck services", "height and weight limits of truck services in search results")
        default: nil
        }
    }

    /// True if a source in Rhumb provides it, which holds for all features in `all`.
    public var isProvided: Bool { title != nil }
}

/// The reason that a list of features is invalid, or that something is refused because its feature is off.
public enum FeatureFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    case unknown(String)
    /// A feature of HERE that no source in Rhumb provides.
    case notProvided(String)
    /// The base map is always enabled.
    case baseDisabled(listed: Set<Feature>)
    /// The request belongs to a disabled feature.
    case disabled(Feature, wanted: String)

    public var description: String {
        switch self {
        case .unknown(let name):
            "unknown feature \(SafeText.sanitised(name, limit: 60))"
        case .notProvided(let name): "no source provides \(name); remove it from the list"
        case .baseDisabled(let listed):
            "rendering is the base map and can't be disabled; the list must be "
                + listed.union([.rendering]).map(\.name).sorted().joined(separator: ",")
        case .disabled(let feature, let wanted):
            "\(wanted) needs the feature \(feature), which is off"
        }
    }

    /// The suggestion to list the features or to enable the missing one; nil if there is none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .unknown, .notProvided: .listFeatures
        case .baseDisabled: nil
        case .disabled: .enableFeature
        }
    }
}
