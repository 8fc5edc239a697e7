internal import RhumbCore

/// The cost of a frame.
public struct FrameCost: Equatable, Sendable {
    /// The sent bytes.
    public let bytes: Int
    /// From the first byte's writing to the last byte's; long where the line is slow.
    public let duration: Duration
}

/// The frames on their way to the terminal: the one being sent, and the newest one after it.
struct FrameOutput {
    /// The terminal can hold a frame back until it is whole (mode 2026).
    var synchronizes = false
    private(set) var lastFrame: FrameCost?

    private var wanted: CellGrid?
    private var unsent: ArraySlice<UInt8> = []
    private var begun = ContinuousClock.now
    private var size = 0

    var isBusy: Bool { hasUnsent || wanted != nil }
    var hasUnsent: Bool { !unsent.isEmpty }

    mutating func want(_ grid: CellGrid) { wanted = grid }

    /// The grid to paint now, if there is one and the line is free.
    mutating func takeWanted() -> CellGrid? {
        guard unsent.isEmpty else { return nil }
        defer { wanted = nil }
        return wanted
    }

    mutating func begin(_ bytes: [UInt8]) {
        let isHeld = synchronizes && !bytes.isEmpty
        let whole =
            isHeld ? TerminalModes.frameBegins + bytes + TerminalModes.frameEnds : bytes
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

    /// Drops unsent bytes; returns true if a frame was cut off.
    mutating func abandon() -> Bool {
        defer { unsent = [] }
        return !unsent.isEmpty
    }
}
