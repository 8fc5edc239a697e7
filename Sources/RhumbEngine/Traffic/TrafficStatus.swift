public import RhumbCore

/// What is to be said of the traffic on the map.
public struct TrafficStatus: Sendable, Equatable {
    /// Of the oldest of what is shown; nil while nothing is.
    public let age: TrafficAge?
    /// Whether something is on its way.
    public let isLoading: Bool
    /// Why it is not as it should be, in one line by its description; nil if it is.
    public let problem: TrafficFailure?
    /// What the colours of flow mean; nil where no flow is shown, or in colours of a person's style.
    public internal(set) var legend: FlowLegend?
    /// The kinds of incidents that are marked in view.
    public var categories: [TrafficIncident.Category] = []
    /// The layers shown that can be asked what lies at a place, the topmost first.
    public var described: [TileLayer.ID] = []
    /// What came and can't be shown, in a sentence; nil: nothing of the kind.
    public var leftOut: String?

    /// How traffic stands.
    public init(
        age: TrafficAge?, isLoading: Bool, problem: TrafficFailure?, legend: FlowLegend? = nil
    ) {
        self.age = age
        self.isLoading = isLoading
        self.problem = problem
        self.legend = legend
    }

    /// For the status line: "traffic 40 s old", "traffic …", "traffic stale 6 min, paused".
    public var description: String {
        let state = age.map(\.description) ?? (isLoading && problem == nil ? "traffic …" : "traffic")
        guard let problem else { return state }
        if problem.pausesSource { return age == nil ? "traffic paused" : state + ", paused" }
        return age == nil ? "traffic failed" : state
    }

    /// When the text is another one, from now; nil if it does not change by itself.
    public var nextChange: Duration? { age?.nextChange }
}
