internal import RhumbCore

/// Measures the rate of the terminal's line, and limits the output over a slow one.
public struct BandwidthGovernor: Sendable {
    /// The limit of bytes sent per second.
    public enum Budget: Equatable, Sendable {
        /// The measured rate of the terminal.
        case automatic
        case bytesPerSecond(Int)
    }

    /// The time without a move after which a view is at rest.
    public static let rest = Duration.milliseconds(350)
    /// The shortest transfer, in seconds, that measures the line.
    private static let noticeable = 0.03

    /// The limit of bytes sent per second.
    public let budget: Budget
    /// The measured rate of the terminal in bytes per second; nil while it does not limit frames.
    private(set) var rate: Double?
    /// True if the last frame that could tell took long. Small frames fit into the buffers of a slow line.
    private var wasSlow = false
    /// The frames with new images since the view began to move.
    private var costlyFrames = 0
    /// Creates a governor without measurements.
    public init(_ budget: Budget) { self.budget = budget }

    /// Records a frame that the terminal has accepted.
    /// - Parameters:
    ///   - bytes: The size of the frame.
    ///   - seconds: The time until the terminal had accepted the last byte.
    public mutating func note(bytes: Int, seconds: Double) {
        guard bytes > 200 else { return }
        guard seconds <= BandwidthGovernor.noticeable else {
            let measured = Double(bytes) / seconds
            rate = measured
            wasSlow = measured < Self.sharpeningRate
            return
        }
        if bytes >= Self.tellingSize { wasSlow = false }
        // A line that was slow once may have become fast. The buffers of a slow line hide small frames.
        guard let slow = rate else { return }
        let risen = slow * (bytes > Self.bufferSize ? 1.5 : 1.05)
        rate = risen > 5_000_000 ? nil : risen
    }

    /// Returns true if the next frame of a map in pixels shows pixels, and false if it shows cells.
    ///
    /// On a limited line, a moving view shows pixels if they take few bytes. Its first frame always shows
    /// them, because a single step should not change the map's appearance.
    /// - Parameters:
    ///   - isStored: True if the terminal stores all images of the frame.
    ///   - canMove: True if the terminal can move stored images.
    public mutating func showsPixels(isMoving: Bool, isStored: Bool, canMove: Bool) -> Bool {
        guard isMoving, limit != nil else {
            costlyFrames = 0
            return true
        }
        if isStored && canMove { return true }
        costlyFrames += 1
        return canMove && costlyFrames == 1
    }

    /// The approximate size of a block of the map in pixels, in bytes.
    private static let blockSize = 12_000.0
    /// The longest time for which sharper blocks may occupy a slow line, in seconds.
    private static let sharpeningTime = 0.25

    /// Returns the number of blocks that the next frame of a map in pixels may show in full quality.
    /// - Parameter isFine: True if a pixel is hardly visible, so that a slow line never needs full quality.
    public func sharpening(isMoving: Bool, isFine: Bool) -> Int {
        guard let limit else { return .max }
        return isMoving || isFine ? 0 : max(Int(limit * Self.sharpeningTime / Self.blockSize), 1)
    }

    /// True if an image that may be needed later delays a key by little.
    public var maySendAhead: Bool { limit.map { $0 * Self.sharpeningTime >= Self.blockSize } ?? true }

    /// The maximum rate in bytes per second; nil for no limit.
    private var limit: Double? {
        switch budget {
        case .automatic: rate
        case .bytesPerSecond(let bytes): min(Double(bytes), rate ?? .infinity)
        }
    }

    /// The rate, in bytes per second, below which each frame of a flight delays the view. A frame of 80×24
    /// cells has about 20 kB in truecolor.
    private static let flightRate = 60_000.0

    /// True if a moving view is better shown at its end only.
    public var isSlow: Bool { limit.map { $0 < Self.flightRate } ?? false }

    /// The lowest rate in bytes per second at which cells get exact colours at rest. A wide street map takes
    /// 200 kB for them, and a key waits until they are sent.
    private static let sharpeningRate = 1_000_000.0
    /// The size in bytes of frames that no buffer hides, and of the buffers of a pseudo-terminal.
    private static let tellingSize = 65_536, bufferSize = 16_384

    /// True if the line is fast enough for the exact colours of all cells.
    public var maySharpen: Bool { !wasSlow && limit.map { $0 >= Self.sharpeningRate } ?? true }

    /// The time without a movement or a key after which cells get their exact colours. While the map moves,
    /// colours that hardly differ stay, which saves two fifths of the bytes.
    public static let sharpeningWait = Duration.seconds(1)

    /// Returns true if cells get their exact colours now. The response to a key would wait behind them.
    /// - Parameter events: The times of the last key, the last movement, and the first inexact cell.
    public func maySharpen(at now: Duration, since events: [Duration]) -> Bool {
        maySharpen && events.allSatisfy { now - $0 >= Self.sharpeningWait }
    }

    /// The rate in bytes per second of a line that is too slow for whole frames; nil for a fast line. Frames
    /// for a slow line take half of the bytes, but some milliseconds more.
    public var slowRate: Double? { limit.flatMap { $0 < Self.sharpeningRate ? $0 : nil } }

    /// True if neither the budget nor a measurement limits the line.
    public var isUnlimited: Bool { limit == nil }
}
