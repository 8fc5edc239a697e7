/// The user's choice of traffic layers.
public struct TrafficChoice: Hashable, Sendable, CustomStringConvertible {
    /// The flow mode; nil for no flow.
    public var flow: FlowMode?
    /// The incident style; nil for no incidents.
    public var incidents: IncidentStyle?
    /// True to draw vector tiles if the provider has any; otherwise the provider's raster tiles are shown.
    public var isVector: Bool

    /// No traffic.
    public static let off = TrafficChoice()

    /// Creates a choice of flow, incidents, both or neither.
    public init(flow: FlowMode? = nil, incidents: IncidentStyle? = nil, isVector: Bool = false) {
        self.flow = flow
        self.incidents = incidents
        self.isVector = isVector
    }

    /// Parses words separated by spaces or commas: `flow`, `incidents`, `all`, `off`, a flow mode, an
    /// incident style, or `vector`, which by itself means all. nil if a word is unknown.
    public init?(text: String) {
        self.init()
        for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard take(String(word)) else { return nil }
        }
        if isVector && isOff { (flow, incidents) = (.standard, .standard) }
    }

    /// True if no traffic is shown.
    public var isOff: Bool { kinds.isEmpty }

    /// All words that `init(words:)` accepts, for help and completion.
    public static let words =
        ["flow", "incidents", "all", "off", "vector"] + FlowMode.allCases.map(\.rawValue)
        + IncidentStyle.allCases.map(\.rawValue)

    /// The kinds that are shown.
    public var kinds: Set<TrafficKind> {
        Set((flow == nil ? [] : [.flow]) + (incidents == nil ? [] : [.incidents]))
    }

    /// The text of a notice, such as "traffic: flow (speed), incidents".
    public var description: String {
        let parts = [flow.map { "flow (\($0.title))" }, incidents.map { _ in "incidents" }]
        let shown = parts.compactMap(\.self)
        return "traffic: "
            + (shown.isEmpty ? "off" : shown.joined(separator: ", ") + (isVector ? ", vector" : ""))
    }

    /// The entries of a menu: flow in each mode with the default first, incidents, both, and off.
    public static let menu: [TrafficChoice] = {
        let others = FlowMode.allCases.filter { $0 != .standard }
        return ([.standard] + others).map { TrafficChoice(flow: $0) }
            + [
                TrafficChoice(incidents: .standard), TrafficChoice(flow: .standard, incidents: .standard),
                .off,
            ]
    }()

    private mutating func take(_ word: String) -> Bool {
        if let mode = FlowMode(rawValue: word) {
            flow = mode
        } else if let style = IncidentStyle(rawValue: word) {
            incidents = style
        } else {
            switch word {
            case "flow": flow = flow ?? .standard
            case "incidents": incidents = incidents ?? .standard
            case "all": (flow, incidents) = (flow ?? .standard, incidents ?? .standard)
            case "off": self = .off
            case "vector": isVector = true
            default: return false
            }
        }
        return true
    }
}
