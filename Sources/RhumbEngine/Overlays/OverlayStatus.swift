public import RhumbCore

/// The status of a live layer.
public struct OverlayStatus: Sendable, Equatable {
    /// The layer.
    public let id: TileLayer.ID
    /// The number of features.
    public var count = 0
    /// The faults in its input.
    public var faults = OverlayFaults()
    /// The reason why there is no data; nil if there is no problem.
    public var problem: String?
    /// A sentence about data that is complete but not shown; nil if all is shown.
    public var note: String?
    /// A sentence about data that is shown, such as an assumption; nil for none.
    public var remark: String?
    /// True if the data was read and contains nothing to show, for the reason in `problem`.
    public var isEmpty = false
    /// True if its features change, unlike those of a file.
    public var isLive: Bool
    /// True if all data has been read once.
    public var isWhole = false
    /// The seconds between the last data and this status. Without data, they count from the connection to a
    /// server; nil without one.
    public var silence: Double?
    /// True if a server is connected, but no data has arrived.
    public var isSilent = false
    /// The positions since the last status, the newest last.
    public var fixes: [PositionFix] = []
    /// True once a position has been received.
    public var hasPosition = false
    /// The title of the document; may be empty.
    public var title = ""
    /// The recording of the receiver's way.
    public var recording = TrackRecording()

    /// Creates the status before anything is known.
    public init(id: TileLayer.ID, isLive: Bool) { (self.id, self.isLive) = (id, isLive) }
}

/// The recording of a receiver's way in a file.
public struct TrackRecording: Sendable, Equatable {
    /// The GPX file; nil before there are two points, and if nothing is recorded.
    public var path: String?
    /// The reason why points are not written; nil if there is no problem.
    public var problem: String?

    /// Creates the status before anything is recorded.
    public init() {}
}
