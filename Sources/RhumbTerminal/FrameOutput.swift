internal import RhumbCore

/// The size and transmission time of a frame.
public struct FrameCost: Equatable, Sendable {
    /// The number of bytes sent for the frame.
    public let bytes: Int
    /// The time that the line took for as many bytes; long on a slow line.
    public let duration: Duration
}

/// The output queue for frames: the one being sent, and the newest one to send after it.
struct FrameOutput {
    /// True if the terminal supports synchronized output (mode 2026).
    var synchronizes = false
    /// The size of the last frame in bytes; nil before the first and while one is being sent.
    private(set) var lastSize: Int?
    /// The costs of the frames that were sent since the last `takeCosts()`.
    private var costs: [FrameCost] = []

    private var wanted: (grid: CellGrid, pixels: PixelFrame?, kind: PixelProtocol)?
    private var unsent: ArraySlice<UInt8> = []
    private var begun = ContinuousClock.now
    private var size = 0
    /// True if the next piece continues the frame.
    private var isInterrupted = false
    /// The bytes sent since the buffers of the line were full; nil while they accept everything.
    private var blocked: FullLine?

    var isBusy: Bool { hasUnsent || wanted != nil }
    var hasUnsent: Bool { !unsent.isEmpty }

    mutating func want(_ grid: CellGrid, _ pixels: PixelFrame?, _ kind: PixelProtocol) {
        wanted = (grid, pixels, kind)
    }

    /// Returns the next frame to paint; nil if there is none or a frame is still being sent.
    mutating func takeWanted() -> (grid: CellGrid, pixels: PixelFrame?, kind: PixelProtocol)? {
        guard unsent.isEmpty else { return nil }
        defer { wanted = nil }
        return wanted
    }

    mutating func takeCosts() -> [FrameCost] {
        defer { costs = [] }
        return costs
    }

    /// Queues the bytes of a frame, or of a piece of it.
    /// - Parameters:
    ///   - unseen: Bytes without a visible effect, sent before the frame.
    ///   - rest: The frame again if this is a piece of it. A newer one replaces it.
    mutating func begin(_ bytes: [UInt8], after unseen: [UInt8] = [], rest: CellGrid? = nil) {
        let isHeld = synchronizes && !bytes.isEmpty
        let whole =
            unseen + (isHeld ? TerminalModes.frameBegins + bytes + TerminalModes.frameEnds : bytes)
        unsent = whole[...]
        if !isInterrupted {
            begun = ContinuousClock.now
            blocked = nil
            size = 0
        }
        size += whole.count
        if let rest { want(rest, nil, .kitty) }
        isInterrupted = rest != nil
        lastSize = whole.isEmpty && !isInterrupted ? size : nil
    }

    mutating func send(to device: TerminalDevice) {
        guard !unsent.isEmpty else { return }
        let count = device.write(unsent)
        unsent = device.isLost ? [] : unsent.dropFirst(count)
        blocked?.accept(count, at: .now)
        if hasUnsent {
            blocked = blocked ?? FullLine(.now)
        } else if !isInterrupted {
            lastSize = size
            if let cost { costs.append(cost) }
        }
    }

    /// The cost of the frame that was sent; nil if it doesn't measure the line.
    private var cost: FrameCost? {
        guard let blocked else { return FrameCost(bytes: size, duration: .now - begun) }
        return blocked.timePerByte.map { FrameCost(bytes: size, duration: $0 * size) }
    }

    /// Drops unsent bytes and returns true if this truncated a frame.
    mutating func abandon() -> Bool {
        defer {
            unsent = []
            isInterrupted = false
        }
        return !unsent.isEmpty
    }
}

/// Measures a line whose buffers are full, which accept as many bytes as the line sends. Before, they accept
/// bytes faster.
struct FullLine {
    /// The number of bytes that measures a line. The buffer of a pseudo-terminal accepts some at once.
    private static let telling = 4096

    private var last: ContinuousClock.Instant
    private var bytes = 0, time = Duration.zero
    /// The longest step. It may be the pause of a busy terminal, after which the line is fast.
    private var longest = (bytes: 0, time: Duration.zero)

    /// - Parameter start: The time at which the buffers were full first.
    init(_ start: ContinuousClock.Instant) { last = start }

    /// Records accepted bytes.
    mutating func accept(_ count: Int, at now: ContinuousClock.Instant) {
        let pause = now - last
        if pause > longest.time { longest = (count, pause) }
        bytes += count
        time += pause
        last = now
    }

    /// The time for a byte without the longest step; nil if unknown.
    var timePerByte: Duration? {
        guard bytes >= Self.telling, bytes > longest.bytes else { return nil }
        return (time - longest.time) / (bytes - longest.bytes)
    }
}
