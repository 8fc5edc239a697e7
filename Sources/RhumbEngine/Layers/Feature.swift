/// A named group of layers or data, after HERE's layer features. Layers belong to one; a
/// configuration says which are enabled, looked ahead for, and let through while offline.
public struct Feature: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// As it is written on the command line and in files.
    public let name: String

    init(_ name: String) { self.name = name }

    /// The base map. It can't be disabled.
    public static let rendering = Feature("rendering")
    /// Buildings and what else is drawn only close up.
    public static let detailRendering = Feature("detailRendering")
    /// Heights of the ground, and shading by them.
    public static let terrain = Feature("terrain")
    /// How fast traffic flows.
    public static let trafficFlow = Feature("trafficFlow")
    /// What happened on the roads.
    public static let trafficIncidents = Feature("trafficIncidents")
    /// Search for places without a network.
    public static let offlineSearch = Feature("offlineSearch")
    /// Search by services on the web.
    public static let onlineSearch = Feature("onlineSearch")
    /// Routes of engines on this machine.
    public static let offlineRouting = Feature("offlineRouting")
    /// Routes of engines elsewhere.
    public static let onlineRouting = Feature("onlineRouting")
    /// What charging stations are told to have: their plugs.
    public static let ev = Feature("ev")
    /// What filling stations are told to sell.
    public static let fuelStationAttributes = Feature("fuelStationAttributes")
    /// How high and heavy trucks may be where they park and fill up.
    public static let truckServiceAttributes = Feature("truckServiceAttributes")

    /// Every feature there is a name for: Rhumb's and HERE's. What no source provides may be named
    /// all the same.
    public static let all: [Feature] = [
        rendering, detailRendering, terrain, trafficFlow, trafficIncidents, offlineSearch, ev, fuelStationAttributes,
        truckServiceAttributes, offlineRouting, onlineRouting, onlineSearch,
    ] + [
        "adas", "detailedTerrain", "ehorizon", "junctionSign16x9",
        "junctionSign3x4", "junctionSign3x5", "junctionSign4x3", "junctionSign5x3",
        "junctionView16x9", "junctionView3x4", "landmarks3d", "navigation", "offlineBusRouting",
        "offlineSearchGlobal", "rdsTraffic", "truck",
    ].map(Feature.init)

    /// The feature of that name.
    /// - Throws: `FeatureFailure.unknown`.
    public static func named(_ name: String) throws(FeatureFailure) -> Feature {
        guard let feature = all.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw .unknown(name)
        }
        return feature
    }

    public var description: String { name }

    public static func < (a: Feature, b: Feature) -> Bool { a.name < b.name }
}

extension Feature {
    /// The name for users; nil if no source provides the feature.
    public var title: String? {
        switch self {
        case .rendering: "base map"
        case .detailRendering: "buildings and details"
        case .terrain: "terrain"
        case .trafficFlow: "traffic flow"
        case .trafficIncidents: "traffic incidents"
        case .offlineRouting: "offline routes"
        case .onlineRouting: "online routes"
        case .offlineSearch: "offline search"
        case .onlineSearch: "online search"
        case .ev: "charging stations"
        case .fuelStationAttributes: "filling stations"
        case .truckServiceAttributes: "truck services"
        default: nil
        }
    }

    /// What it selects in Rhumb, for lists.
    public var provision: String {
        switch self {
        case .rendering: "base maps"
        case .detailRendering: "buildings, points of interest, house numbers, and sources of details"
        case .terrain: "elevation, hillshade and contours"
        case .trafficFlow: "traffic flow layers"
        case .trafficIncidents: "traffic incident layers"
        case .offlineRouting: "routes from local engines"
        case .onlineRouting: "routes from online engines"
        case .offlineSearch: "search for places and in stored maps; points of interest and house numbers"
        case .onlineSearch: "online search services"
        case .ev: "plug types of charging stations in search results"
        case .fuelStationAttributes: "fuel types of filling stations in search results"
        case .truckServiceAttributes: "height and weight limits of truck services in search results"
        default: "no source"
        }
    }

    /// True if a source in Rhumb provides it.
    public var isProvided: Bool { title != nil }
}
