internal import CLinux
internal import Dispatch
internal import Glibc
public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
internal import Synchronization

/// Reads the features of an origin into a live layer, on its own thread, until it is stopped.
public final class OverlayFeed: Sendable {
    /// A function that loads web documents.
    public typealias Loading = @Sendable (_ address: String, _ isReload: Bool) async -> OverlayDocument

    /// The origin of the features.
    public let origin: OverlayOrigin
    /// The layer that receives the features.
    public let live: LiveLayer
    /// The time in seconds after which a feature without an update expires; nil for never.
    public let timeToLive: Double?
    /// The styling that colours features by an attribute; nil for their own colours.
    let styling: OverlayStyling?
    /// False if the first failure of a connection is the result.
    let reconnects: Bool
    /// Records the way of a receiver; nil to record nothing.
    let recorder: TrackRecorder?
    let load: Loading
    let isOffline: @Sendable () -> Bool
    private let queue: DispatchQueue
    private let isStopped = Mutex(false)
    private let stopPipe: (reading: Int32, writing: Int32)
    private let status: Mutex<OverlayStatus>
    private let seen = Mutex<(place: Coordinate, metres: Double)?>(nil)

    /// - Parameters:
    ///   - number: The number of the overlay, which selects its colours.
    ///   - reconnects: False if a caller reports the first failure of a connection, and doesn't wait for
    ///     another.
    ///   - recorder: Records the way of a receiver; nil to record nothing. Files and web documents have none.
    ///   - load: Loads web documents.
    ///   - isOffline: Returns true if no server may be contacted.
    public init(
        _ origin: OverlayOrigin, number: Int, overlayTheme: LiveLayer.OverlayTheme, timeToLive: Double? = nil,
        styling: OverlayStyling? = nil, reconnects: Bool = true, recorder: TrackRecorder? = nil,
        load: @escaping Loading = { _, _ in OverlayDocument(problem: "URLs are not supported here") },
        isOffline: @escaping @Sendable () -> Bool = { false }
    ) {
        self.origin = origin
        self.timeToLive = timeToLive
        self.styling = styling
        self.reconnects = reconnects
        self.recorder = origin.isFile || origin.isAddress ? nil : recorder
        self.load = load
        self.isOffline = isOffline
        live = LiveLayer(
            id: "over.\(number)", name: origin.name, palette: OverlayPalette(number),
            overlayTheme: overlayTheme)
        queue = DispatchQueue(label: "rhumb.overlay.\(number)", qos: .userInitiated)
        status = Mutex(OverlayStatus(id: live.id, isLive: !origin.isFile))
        var ends: [Int32] = [-1, -1]
        _ = pipe2(&ends, O_CLOEXEC)
        stopPipe = (ends[0], ends[1])
    }

    deinit {
        close(stopPipe.reading)
        close(stopPipe.writing)
    }

    /// A map layer that shows the features.
    public var layer: TileLayer {
        var layer = OverlayDrawing.layer(live)
        layer.openedBy = origin.specifier
        return layer
    }

    /// The circle in view, for origins that request only features within it.
    public var view: (place: Coordinate, metres: Double)? {
        get { seen.withLock { $0 } }
        set { seen.withLock { $0 = newValue } }
    }

    /// The current status.
    public var current: OverlayStatus { status.withLock { $0 } }

    /// Starts reading.
    /// - Parameter onChange: Called when the status changes; `redraws` is true if lines or areas have
    ///   changed.
    public func begin(_ onChange: @escaping @Sendable (OverlayStatus, _ redraws: Bool) -> Void) {
        queue.async { [self] in
            var reading = OverlayReading(self) { [self] new, redraws in
                status.withLock { $0 = new }
                onChange(new, redraws)
            }
            reading.run()
        }
    }

    /// Reads an origin that ends, once.
    /// - Returns: The status at the end of the origin or after the time limit.
    public func whole(within limit: Duration) async -> OverlayStatus {
        begin { _, _ in }
        let end = ContinuousClock.now + limit
        while !current.isWhole, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(4)) }
        return current
    }

    /// Stops reading soon, and ends the started programs immediately.
    public func stop() {
        isStopped.withLock { $0 = true }
        _ = write(stopPipe.writing, [1], 1)
    }

    /// True after `stop()`.
    var isOver: Bool { isStopped.withLock { $0 } }

    /// Waits until data can be read, the feed is stopped, or the time is over.
    /// - Returns: True if data can be read.
    func waits(for descriptor: Int32?, milliseconds: Int32) -> Bool {
        var entries = [pollfd(fd: stopPipe.reading, events: Int16(POLLIN), revents: 0)]
        if let descriptor { entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0, !isOver else { return false }
        return entries.count > 1 && entries[1].revents != 0
    }
}

/// A failure of an origin, as a sentence.
public struct OverlayProblem: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// - Parameter text: A sentence, which is sanitised.
    public init(_ text: String) { description = SafeText.sanitised(text, limit: 240) }
}
