/// The intervals of traffic requests.
public struct TrafficRules: Hashable, Sendable {
    /// The provider of each kind; a kind without a provider is never requested.
    public var providers: [TrafficKind: TrafficProvider]
    /// Between two questions for the model.
    public var pollInterval = Duration.seconds(30)
    /// The time for which a model is used after it was last confirmed.
    public var modelLife = Duration.seconds(120)
    /// Between two sets of flow.
    public let flowInterval: Duration
    /// The time after which a request for the model without a response is given up.
    public var pollPatience = Duration.seconds(60)

    /// No provider's data is renewed more often.
    public static let flowFloor = Duration.seconds(60)

    /// - Parameter flowInterval: nil for what suits the provider: HERE, whose tiles can be asked
    ///   about by conditional requests, each minute, TomTom each three; never less than a minute.
    public init(providers: [TrafficKind: TrafficProvider], flowInterval: Duration? = nil) {
        self.providers = providers
        let usual = Duration.seconds(providers[.flow] == .here ? 60 : 180)
        self.flowInterval = max(flowInterval ?? usual, TrafficRules.flowFloor)
    }
}
