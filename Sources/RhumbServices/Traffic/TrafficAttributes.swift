internal import RhumbBase
public import RhumbVector

/// The attributes of a feature in a vector tile of traffic, as named by TomTom. Numbers may be strings. If
/// incidents are merged, the attributes of the first one are used.
struct TrafficAttributes {
    private let values: [String: VectorValue]

    /// Texts that mean true.
    static let yes = ["true", "1", "yes"]

    init(_ values: [String: VectorValue]) { self.values = values }

    /// Speed in km/h or relative to free flow, depending on the request; nil if unknown.
    var level: Double? {
        number("traffic_level").flatMap { $0.isFinite && (0...1000).contains($0) ? $0 : nil }
    }

    /// True if the road is closed.
    var isClosed: Bool {
        switch values["road_closure"] {
        case .bool(let flag): flag
        case .number(let number): number != 0
        case .integer, .unsigned: true
        case .string(let text): TrafficAttributes.yes.contains(text.lowercased())
        case .nested, nil: false
        }
    }

    /// The road type, such as "Motorway" or "Local road"; nil if unknown.
    var roadType: String? { text("road_type") }
    /// True if the values apply to only one direction.
    var isOneSided: Bool { text("traffic_road_coverage") == "one_side" }

    var category: TrafficIncident.Category? {
        number("icon_category").map { Int(exactly: $0).flatMap(TrafficIncident.Category.init) ?? .unknown }
    }
    var magnitude: TrafficIncident.Magnitude? {
        number("magnitude").map { Int(exactly: $0).flatMap(TrafficIncident.Magnitude.init) ?? .unknown }
    }
    /// Delay in seconds; nil if there is none or it is unknown.
    var delay: Double? { number("delay").flatMap { $0.isFinite && $0 > 0 ? min($0, 1e6) : nil } }
    /// The reason in the provider's words; nil if unknown.
    var reason: String? { text("description") }

    private func number(_ name: String) -> Double? {
        if case .string(let text) = first(name) { return Double(text) }
        return first(name)?.double
    }

    private func text(_ name: String) -> String? {
        if case .string(let text) = first(name), !text.isEmpty { text } else { nil }
    }

    private func first(_ name: String) -> VectorValue? { values[name] ?? values[name + "_0"] }
}

extension MapFeature {
    /// Returns the attributes of a traffic feature in readable form.
    /// - Parameter mode: The mode of the flow's measure; nil for incidents.
    public static func trafficAttributes(_ values: [String: VectorValue], _ mode: FlowMode?) -> [Attribute] {
        let attributes = TrafficAttributes(values)
        let pairs = mode.map { flow(attributes, $0) } ?? incident(attributes)
        return pairs.compactMap { name, value in value.map { Attribute(name, $0) } }
            + shown(values.filter { !isTold($0.key) }, limit: 4)
    }

    private static func flow(_ road: TrafficAttributes, _ mode: FlowMode) -> [(String, String?)] {
        let measured = road.level.map { level in
            [mode.text(level), mode.level(of: level)?.text].compactMap(\.self).joined(separator: ", ")
        }
        return [
            ("name", road.roadType), ("traffic", road.isClosed ? "closed" : measured ?? "unknown"),
            ("for", road.isOneSided ? "one direction" : nil),
        ]
    }

    private static func incident(_ incident: TrafficAttributes) -> [(String, String?)] {
        let minutes = incident.delay.map { "\(max(Int(clamping: ($0 / 60).rounded(.down)), 1)) min" }
        let delay = [minutes, incident.magnitude?.text].compactMap(\.self).joined(separator: ", ")
        return [
            ("name", incident.category?.text), ("reason", incident.reason),
            ("delay", delay.isEmpty ? nil : delay),
            ("road", incident.roadType),
            ("for", incident.isOneSided ? "one direction" : nil),
        ]
    }

    private static func isTold(_ name: String) -> Bool {
        let told = [
            "traffic_level", "road_closure", "road_type", "traffic_road_coverage", "left_hand_traffic",
            "icon_category",
            "description", "magnitude", "delay", "id",
        ]
        return told.contains { name == $0 || name.hasPrefix($0 + "_") }
    }
}

extension TrafficLevel {
    /// The level in words.
    var text: String {
        switch self {
        case .free: "free"
        case .slow: "slow"
        case .heavy: "heavy"
        case .jam: "jam"
        case .closed: "standing"
        }
    }
}
