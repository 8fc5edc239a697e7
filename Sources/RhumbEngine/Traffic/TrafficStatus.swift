public import RhumbCore

/// The status of the traffic on the map.
public struct TrafficStatus: Sendable, Equatable {
    /// The age of the oldest shown traffic; nil if none is shown.
    public let age: TrafficAge?
    /// True if data is loading.
    public let isLoading: Bool
    /// The problem, described in one line; nil if there is none.
    public let problem: TrafficFailure?
    /// The meaning of the flow colours; nil if no flow is shown, or in the colours of the user's style.
    public internal(set) var legend: FlowLegend?
    /// The kinds of incidents that are marked in view.
    public var categories: [TrafficIncident.Category] = []
    /// The shown layers that can return the features at a position, the topmost first.
    public var described: [TileLayer.ID] = []
    /// The received data that can't be shown, as a sentence; nil for none.
    public var leftOut: String?

    /// Creates the status.
    public init(
        age: TrafficAge?, isLoading: Bool, problem: TrafficFailure?, legend: FlowLegend? = nil
    ) {
        self.age = age
        self.isLoading = isLoading
        self.problem = problem
        self.legend = legend
    }

    /// The text for the status line: "traffic 40 s old", "traffic …", "traffic stale 6 min, paused".
    public var description: String {
        let state = age.map(\.description) ?? (isLoading && problem == nil ? "traffic …" : "traffic")
        guard let problem else { return state }
        if problem.pausesSource { return age == nil ? "traffic paused" : state + ", paused" }
        return age == nil ? "traffic failed" : state
    }

    /// The time until the text changes; nil if it does not change by itself.
    public var nextChange: Duration? { age?.nextChange }
}
