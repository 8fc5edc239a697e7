public import RhumbCore

/// The terminal in full-screen use: alternate screen, unbuffered keys and mouse.
///
/// Used from the main thread; a process can open one at a time. The terminal is restored however the program
/// ends.
public final class Screen {
    /// The capabilities of the terminal.
    public let profile: TerminalProfile
    /// The size in cells, at least 1 × 1.
    public private(set) var size: (columns: Int, rows: Int)
    /// The height of a cell divided by its width; nil if unknown.
    public private(set) var cellAspect: Double?
    /// The size and transmission time of the last frame; nil before the first and while one is being sent.
    public var lastFrame: FrameCost? { output.lastFrame }
    /// The number of bytes in the system's output queue, such as on a serial line. 0 for a pseudo-terminal; a
    /// slow reader shows in `lastFrame` instead.
    public var unsentBytes: Int { device.unsentBytes }

    let device: TerminalDevice
    let signals: SignalPipe
    private let curses: CursesSession
    private let options: ScreenOptions
    private let capabilities: Capabilities
    private var painter: Painter
    var output: FrameOutput
    var decoder: KeyDecoder
    var hasReportedLoss = false
    /// Signals received but not yet reported.
    var waitingSignals: [Int32] = []
    /// True if the terminal has reported clipboard support. Many support it without reporting it.
    public private(set) var takesClipboard = false
    /// True until the terminal has answered the startup queries.
    private var isAnswering = false
    private var isOpen = false
    /// The pending clipboard sequence; empty if none.
    var clipboard: [UInt8] = []
    /// True if the background colour must be queried again, because the terminal's colours changed.
    private var wantsBackground = false

    nonisolated(unsafe) private static var isTaken = false
    /// One step of the 5 bits per channel in which maps are drawn. It is hardly visible, and saves two fifths
    /// of a frame's bytes.
    package static let tolerance: UInt8 = 9

    /// Takes over the terminal.
    /// - Throws: An error if the terminal is unsuitable or already in use. The terminal is then unchanged.
    public init(
        _ profile: TerminalProfile, options: ScreenOptions = ScreenOptions()
    ) throws(TerminalFailure) {
        guard !Screen.isTaken else { throw .alreadyTaken }
        let device = try TerminalDevice(isControlling: options.takesControllingTerminal)
        let name = try Terminfo.usableName(for: profile.term)
        guard let capabilities = Capabilities.load(name, depth: profile.colors) else {
            throw .noDatabase(name)
        }
        let restoring = Terminfo.withEntry(name) { Terminfo.string("rmcup") ?? [] } ?? []
        signals = try SignalPipe()
        curses = try CursesSession(name, on: device.descriptor)
        signals.listen()
        Screen.isTaken = true
        let (columns, rows) = device.size.map { ($0.columns, $0.rows) } ?? (80, 24)
        size = (columns, rows)
        cellAspect = device.size?.cellAspect
        painter = Painter(
            capabilities, depth: profile.colors, isUTF8: profile.isUTF8, columns: columns, rows: rows,
            tolerance: Screen.tolerance)
        decoder = KeyDecoder(isUTF8: profile.isUTF8)
        output = FrameOutput()
        self.profile = profile
        self.options = options
        self.capabilities = capabilities
        self.device = device
        TerminalRestore.arm(
            descriptor: device.descriptor, modes: device.savedModes,
            bytes: TerminalModes.interruptsFrame + TerminalModes.off(options)
                + Array("\u{1B}[?25h".utf8) + restoring)
        takeModes()
        ask()
    }

    deinit { close() }

    /// Restores the terminal: modes, main screen and cursor. Does nothing when called again.
    public func close() {
        guard isOpen else { return }
        awaitAnswers()
        giveBack()
        TerminalRestore.disarm()
        Screen.isTaken = false
    }

    /// Draws a grid from the top left without blocking. If the terminal is slow, only the newest grid is
    /// queued.
    public func draw(_ grid: CellGrid) {
        guard isOpen else { return }
        output.want(grid)
        sendFrames()
    }

    /// Returns the sizes in bytes of grids drawn one after the other, following the frame in flight. Draws
    /// nothing.
    public func sizes(of grids: [CellGrid]) -> [Int] {
        var trial = painter
        return grids.map { trial.frame($0).count }
    }

    /// True while a frame is queued or only partly sent.
    public var isDrawing: Bool { output.isBusy }

    /// Makes the next frame paint every cell. Used after another program has written to the screen.
    public func redraw() { painter.forget() }

    /// Restores the terminal, stops the program as Ctrl-Z does, and takes the terminal again when continued.
    /// The next frame paints every cell.
    public func suspend() {
        guard isOpen else { return }
        giveBack()
        signals.stop()
        waitingSignals += signals.take().filter { $0 != Signal.continued && $0 != Signal.stopped }
        retake()
    }

    // MARK: Taking and restoring the terminal

    private func takeModes() {
        isOpen = true
        _ = device.write(TerminalModes.on(options)[...], patience: 500)
    }

    func retake() {
        curses.retake()
        takeModes()
        measure()
        painter.forget()
        sendFrames()
    }

    /// Restores the terminal. Skips ncurses if the terminal accepts no bytes, because ncurses would wait
    /// forever.
    func giveBack() {
        guard isOpen else { return }
        isOpen = false
        let unfinished = output.abandon() ? TerminalModes.interruptsFrame : []
        painter.forget()
        if device.write((unfinished + TerminalModes.off(options))[...], patience: 500) {
            curses.giveBack()
        }
        device.restoreModes()
    }

    // MARK: Size

    /// Reads the size again. The next frame paints every cell.
    func measure() {
        guard let now = device.size else { return }
        cellAspect = now.cellAspect ?? cellAspect
        size = (now.columns, now.rows)
        curses.resize(columns: now.columns, rows: now.rows)
        painter = Painter(
            capabilities, depth: profile.colors, isUTF8: profile.isUTF8, columns: now.columns,
            rows: now.rows, tolerance: Screen.tolerance)
    }

    // MARK: Frames

    /// Sends the rest of the last frame and then the newest queued grid.
    func sendFrames() {
        guard isOpen else { return }
        output.send(to: device)
        if let grid = output.takeWanted() {
            output.begin(painter.frame(grid))
            output.send(to: device)
        }
        askBackground()
        sendClipboard()
    }

    // MARK: Query responses

    private func ask() {
        guard options.queries, profile.answersQueries else { return }
        isAnswering = device.write(
            TerminalModes.questions(cellSize: cellAspect == nil)[...], patience: 500)
    }

    /// Queries the background colour between frames. The colour says more than the reported light or dark
    /// scheme.
    private func askBackground() {
        guard wantsBackground, profile.answersQueries, !output.isBusy else { return }
        wantsBackground = false
        _ = device.write(Array(TerminalModes.backgroundQuestion.utf8)[...], patience: 500)
    }

    /// Processes a report and returns its event; nil if the program needn't know.
    func note(_ report: TerminalReport) -> ScreenEvent? {
        switch report {
        case .key(let key): return .key(key)
        case .background(let color): return .background(color)
        case .synchronizedFrames(let known): output.synchronizes = known
        case .colourScheme:
            wantsBackground = true
            askBackground()
        case .attributes(let hasClipboard): (isAnswering, takesClipboard) = (false, hasClipboard)
        case .cellSize(let width, let height):
            cellAspect = Double(height) / Double(width)
            return .resized(columns: size.columns, rows: size.rows)
        }
        return nil
    }

    /// Waits for pending responses, which would otherwise appear at the shell's prompt after exit.
    private func awaitAnswers() {
        while isAnswering, !device.isLost, device.isReady(TerminalDevice.readable, within: 100) {
            for report in decoder.read(device.read()) { _ = note(report) }
        }
    }
}
