internal import RhumbCore

/// The known traffic services. A definition with the same id in a list of sources replaces the known one, for
/// a service that moved.
enum TrafficDefinitions {
    static let all = [
        tomtomFlow, tomtomIncidents, tomtomVectorFlow, tomtomVectorIncidents, orbisFlow, orbisIncidents,
        hereFlow,
    ]

    static let tomtomFlow = tomtom(
        "tomtom-flow", .flow,
        "{base}/traffic/map/4/tile/flow/{style}/{z}/{x}/{y}.png?key={key}&tileSize={tileSize}{thickness}")

    static let tomtomIncidents = tomtom(
        "tomtom-incidents", .incidents,
        "{base}/traffic/map/4/tile/incidents/{style}/{z}/{x}/{y}.png?key={key}&tileSize={tileSize}")

    static let tomtomVectorFlow = vector(
        "tomtom-flow-vector", .flow,
        "{base}/traffic/map/4/tile/flow/{style}/{z}/{x}/{y}.pbf?key={key}"
            + "&tags=[road_type,traffic_level,road_closure,traffic_road_coverage,left_hand_traffic]")

    static let tomtomVectorIncidents = vector(
        "tomtom-incidents-vector", .incidents,
        "{base}/traffic/map/4/tile/incidents/{z}/{x}/{y}.pbf?key={key}"
            + "&tags=[icon_category,description,delay,magnitude,road_type,traffic_road_coverage,id]&language=en-GB"
    )

    static let orbisFlow = tomtom(
        "tomtom-orbis-flow", .flow,
        "{base}/maps/orbis/traffic/tile/flow/{z}/{x}/{y}.png?apiVersion=1&key={key}&style={light}"
            + "&tileSize={tileSize}")

    static let orbisIncidents = tomtom(
        "tomtom-orbis-incidents", .incidents,
        "{base}/maps/orbis/traffic/tile/incidents/{z}/{x}/{y}.png?apiVersion=1&key={key}&style={light}"
            + "&tileSize={tileSize}")

    static let hereFlow: SourceDefinition = {
        var source = SourceDefinition(
            id: "here-flow", name: "HERE traffic",
            addresses: ["{base}/v3/flow/mc/{z}/{x}/{y}/png?apiKey={key}&size={tileSize}"])
        source.replaceable["base"] = .init(
            environment: "RHUMB_HERE_URL", standard: "https://traffic.maps.hereapi.com")
        source.keys = [.init(token: "key", environment: "HERE_API_KEY", configuration: "here")]
        source.attribution = "© HERE"
        source.zooms = 0...20
        return overlay(source, .flow, policy: "https://legal.here.com/terms")
    }()

    private static func vector(_ id: String, _ kind: TrafficKind, _ address: String) -> SourceDefinition {
        var source = tomtom(id, kind, address)
        source.isVector = true
        return source
    }

    private static func tomtom(_ id: String, _ kind: TrafficKind, _ address: String) -> SourceDefinition {
        var source = SourceDefinition(id: id, name: "TomTom traffic", addresses: [address])
        source.replaceable["base"] = .init(
            environment: "RHUMB_TOMTOM_URL", standard: "https://api.tomtom.com")
        source.keys = [.init(token: "key", environment: "TOMTOM_API_KEY", configuration: "tomtom")]
        source.values = ["style": kind == .flow ? "relative" : "s0", "thickness": "", "light": "light"]
        source.attribution = "© TomTom"
        source.zooms = 0...22
        return overlay(source, kind, policy: "https://developer.tomtom.com/terms-and-conditions")
    }

    /// Returns a source with tiles of 256 pixels, because several sets are in memory at a time.
    private static func overlay(
        _ source: SourceDefinition, _ kind: TrafficKind, policy: String
    ) -> SourceDefinition {
        var source = source
        source.isOverlay = true
        source.feature = kind.feature
        source.policy.offline = .denied
        source.policy.connections = 6
        source.policy.policyURL = policy
        source.bindKeys()
        return source
    }
}
