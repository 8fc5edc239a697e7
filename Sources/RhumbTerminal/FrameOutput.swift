internal import RhumbCore

/// The size and transmission time of a frame.
public struct FrameCost: Equatable, Sendable {
    /// The number of bytes sent for the frame.
    public let bytes: Int
    /// The time from writing the first byte to writing the last; long on a slow line.
    public let duration: Duration
}

/// The output queue for frames: the one being sent, and the newest one to send after it.
struct FrameOutput {
    /// True if the terminal supports synchronized output (mode 2026).
    var synchronizes = false
    private(set) var lastFrame: FrameCost?

    private var wanted: (grid: CellGrid, pixels: PixelFrame?, kind: PixelProtocol)?
    private var unsent: ArraySlice<UInt8> = []
    private var begun = ContinuousClock.now
    private var size = 0

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

    /// Queues the bytes of a frame.
    /// - Parameter unseen: Bytes without a visible effect, sent before the frame.
    mutating func begin(_ bytes: [UInt8], after unseen: [UInt8] = []) {
        let isHeld = synchronizes && !bytes.isEmpty
        let whole =
            unseen + (isHeld ? TerminalModes.frameBegins + bytes + TerminalModes.frameEnds : bytes)
        unsent = whole[...]
        size = whole.count
        begun = ContinuousClock.now
        lastFrame = whole.isEmpty ? FrameCost(bytes: 0, duration: .zero) : nil
    }

    mutating func send(to device: TerminalDevice) {
        guard !unsent.isEmpty else { return }
        unsent = unsent.dropFirst(device.write(unsent))
        if device.isLost { unsent = [] }
        if unsent.isEmpty {
            lastFrame = FrameCost(bytes: size, duration: ContinuousClock.now - begun)
        }
    }

    /// Drops unsent bytes and returns true if this truncated a frame.
    mutating func abandon() -> Bool {
        defer { unsent = [] }
        return !unsent.isEmpty
    }
}
