public import RhumbCore

/// How a live layer stands.
public struct OverlayStatus: Sendable, Equatable {
    /// The layer.
    public let id: TileLayer.ID
    /// How many features it has.
    public var count = 0
    /// What was wrong with its input.
    public var faults = OverlayFaults()
    /// Why nothing comes; nil when all is well.
    public var problem: String?
    /// Whether its features come and go, rather than lie in a file.
    public var isLive: Bool
    /// Whether everything there was has been read once.
    public var isWhole = false
    /// Seconds since what is shown was heard of, when this status was made; nil: nothing was heard.
    public var silence: Double?
    /// Where somebody is, the newest last; since the last status.
    public var fixes: [PositionFix] = []
    /// What the document calls itself; may be empty.
    public var title = ""

    /// Nothing is known yet.
    public init(id: TileLayer.ID, isLive: Bool) { (self.id, self.isLive) = (id, isLive) }
}
