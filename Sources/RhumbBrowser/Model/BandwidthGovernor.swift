internal import RhumbCore

/// Chooses the quality of a moving view's frames on a slow line. The quality is full while a frame fits the
/// line. During longer movements it is lowered if fewer colours and coarser glyphs save bytes. At rest it is
/// full again.
public struct BandwidthGovernor: Sendable {
    /// The limit of bytes sent per second.
    public enum Budget: Equatable, Sendable {
        /// The measured rate of the terminal.
        case automatic
        case bytesPerSecond(Int)
    }

    /// A level of quality, from full to lowest.
    public enum Tier: Int, CaseIterable, Comparable, Sendable {
        case full, fewerColours, halves, halves256

        public static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }
    }

    /// The desired interval between the frames of a moving view, in seconds.
    static let frameTime = 0.1
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
    /// The bytes sent since the view began to move; nil at rest.
    private var bytesOfMovement: Int?

    /// Creates a governor without measurements.
    public init(_ budget: Budget) { self.budget = budget }

    /// Records a frame that the terminal has accepted.
    /// - Parameters:
    ///   - bytes: The size of the frame.
    ///   - seconds: The time until the terminal had accepted the last byte.
    public mutating func note(bytes: Int, seconds: Double) {
        guard bytes > 200 else { return }
        bytesOfMovement? += bytes
        guard seconds <= BandwidthGovernor.noticeable else {
            let measured = Double(bytes) / seconds
            rate = measured
            wasSlow = measured < Self.sharpeningRate
            return
        }
        if bytes >= Self.tellingSize { wasSlow = false }
        // A line that was slow once may have become fast.
        if let slow = rate { rate = slow * 1.5 > 5_000_000 ? nil : slow * 1.5 }
    }

    /// Returns the quality of the next frame.
    ///
    /// A lowered frame repaints every cell, and so does the full frame that follows it at rest. Both together
    /// must be smaller than the full frames of the movement so far. Therefore a single step is never lowered,
    /// but a held key soon is.
    /// - Parameter sizes: Returns the sizes in bytes of a frame at a quality, and of the full frame after it.
    ///   Called only for a moving view on a limited line.
    public mutating func tier(isMoving: Bool, sizes: (Tier) -> (frame: Int, restoring: Int)) -> Tier {
        bytesOfMovement = isMoving ? bytesOfMovement ?? 0 : nil
        guard let bytesOfMovement, let limit else { return .full }
        let allowance = Int(limit * BandwidthGovernor.frameTime), full = sizes(.full).frame
        guard full > allowance else { return .full }
        for tier in Tier.allCases.dropFirst() {
            let (frame, restoring) = sizes(tier)
            guard frame <= allowance || tier == .halves256 else { continue }
            return frame + restoring < bytesOfMovement + full ? tier : .full
        }
        return .full
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
    private static let slowRate = 60_000.0

    /// True if a moving view is better shown at its end only.
    public var isSlow: Bool { limit.map { $0 < Self.slowRate } ?? false }

    /// The lowest rate in bytes per second at which cells get exact colours at rest. A wide street map takes
    /// 200 kB for them, and a key waits until they are sent.
    private static let sharpeningRate = 1_000_000.0
    /// The size in bytes of frames that no buffer hides.
    private static let tellingSize = 65_536

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

    /// True if neither the budget nor a measurement limits the line.
    public var isUnlimited: Bool { limit == nil }
}

extension Settings {
    /// Returns the settings at a lower quality.
    public func lowered(to tier: BandwidthGovernor.Tier) -> Settings {
        var settings = self
        if tier >= .fewerColours { settings.colourBits = min(settings.colourBits, 4) }
        if tier >= .halves && settings.symbols != .ascii { settings.symbols = .half }
        if tier >= .halves256 && settings.depth == .truecolor { settings.depth = .indexed256 }
        return settings
    }
}
