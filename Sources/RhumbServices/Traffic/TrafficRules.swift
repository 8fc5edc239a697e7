/// The intervals at which traffic is requested.
public struct TrafficRules: Hashable, Sendable {
    /// The provider of each kind. Kinds without a provider are never requested.
    public var providers: [TrafficKind: TrafficProvider]
    /// The interval between requests for the model.
    public var pollInterval = Duration.seconds(30)
    /// The time for which a model remains usable after its last confirmation.
    public var modelLife = Duration.seconds(120)
    /// The interval between sets of flow tiles.
    public let flowInterval: Duration
    /// The timeout for a model request.
    public var pollTimeout = Duration.seconds(60)

    /// The minimum of `flowInterval`.
    public static let flowFloor = Duration.seconds(60)

    /// Creates rules.
    /// - Parameter flowInterval: Interval between sets of flow tiles, at least a minute; nil for the
    ///   provider's default: one minute for HERE, whose tiles support conditional requests, three for TomTom.
    public init(providers: [TrafficKind: TrafficProvider], flowInterval: Duration? = nil) {
        self.providers = providers
        let usual = Duration.seconds(providers[.flow] == .here ? 60 : 180)
        self.flowInterval = max(flowInterval ?? usual, TrafficRules.flowFloor)
    }
}
