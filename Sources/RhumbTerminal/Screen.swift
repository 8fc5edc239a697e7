public import RhumbCore

/// The terminal while a program has it to itself: alternate screen, keys as they are typed, mouse.
///
/// Used from the main thread; one at a time. However the program ends, the terminal is given back.
public final class Screen {
    /// The terminal's abilities.
    public let profile: TerminalProfile
    /// At least 1 × 1.
    public private(set) var size: (columns: Int, rows: Int)
    /// Height of a cell divided by its width; nil while unknown.
    public private(set) var cellAspect: Double?
    /// The last frame that was started: its bytes, and the time until the terminal had taken all of them; nil
    /// before the first, and while one is on its way.
    public var lastFrame: FrameCost? { output.lastFrame }
    /// The bytes in the system's buffer, which a serial line still has to carry; 0 for a pseudo-terminal,
    /// where `lastFrame` shows a slow reader.
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
    /// Signals taken but not yet reported.
    var waitingSignals: [Int32] = []
    /// True if the terminal reported that it accepts text for the clipboard; many accept it without a report.
    public private(set) var takesClipboard = false
    /// The terminal has yet to answer.
    private var isAnswering = false
    private var isOpen = false
    /// The unsent text for the terminal's clipboard.
    var clipboard: [UInt8] = []
    /// The terminal's colours changed.
    private var wantsBackground = false

    nonisolated(unsafe) private static var isTaken = false

    /// Takes the terminal.
    /// - Throws: The fault of the terminal, which is left unchanged.
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
            capabilities, depth: profile.colors, isUTF8: profile.isUTF8, columns: columns, rows: rows)
        decoder = KeyDecoder(isUTF8: profile.isUTF8)
        output = FrameOutput()
        self.profile = profile
        self.options = options
        self.capabilities = capabilities
        self.device = device
        Rescue.arm(
            descriptor: device.descriptor, modes: device.savedModes,
            bytes: TerminalModes.interruptsFrame + TerminalModes.off(options)
                + Array("\u{1B}[?25h".utf8) + restoring)
        takeModes()
        ask()
    }

    deinit { close() }

    /// Gives the terminal back: modes, main screen, cursor. Does nothing the second time.
    public func close() {
        guard isOpen else { return }
        awaitAnswers()
        giveBack()
        Rescue.disarm()
        Screen.isTaken = false
    }

    /// Shows a grid, from the top left; the bytes go out as fast as the terminal takes them, and
    /// while it lags behind only the newest grid is kept.
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

    /// Frames wanted but not wholly taken by the terminal.
    public var isDrawing: Bool { output.isBusy }

    /// Makes the next frame paint everything, for when something else has written on the screen.
    public func redraw() { painter.forget() }

    /// Gives the terminal back, stops the program as Ctrl-Z does, and takes the terminal again
    /// once continued; the next frame paints everything.
    public func suspend() {
        guard isOpen else { return }
        giveBack()
        signals.stop()
        waitingSignals += signals.take().filter { $0 != Signal.continued && $0 != Signal.stopped }
        retake()
    }

    // MARK: Taking and giving back

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

    /// Leaves ncurses' part out where the terminal takes no bytes: ncurses would wait for ever.
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

    /// Reads the size again; after a change everything is drawn.
    func measure() {
        guard let now = device.size else { return }
        cellAspect = now.cellAspect ?? cellAspect
        size = (now.columns, now.rows)
        curses.resize(columns: now.columns, rows: now.rows)
        painter = Painter(
            capabilities, depth: profile.colors, isUTF8: profile.isUTF8, columns: now.columns,
            rows: now.rows)
    }

    // MARK: Frames

    /// Sends the rest of the last frame and, after it, the newest grid.
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

    // MARK: Answers

    private func ask() {
        guard options.queries, profile.answersQueries else { return }
        isAnswering = device.write(
            TerminalModes.questions(cellSize: cellAspect == nil)[...], patience: 500)
    }

    /// Queries the background colour, which says more than light or dark, once no frame is on its way.
    private func askBackground() {
        guard wantsBackground, profile.answersQueries, !output.isBusy else { return }
        wantsBackground = false
        _ = device.write(Array(TerminalModes.backgroundQuestion.utf8)[...], patience: 500)
    }

    /// Handles a report; returns an event for the program if it has one.
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

    /// An answer that came after the program has gone would land at the shell's prompt.
    private func awaitAnswers() {
        while isAnswering, !device.isLost, device.isReady(TerminalDevice.readable, within: 100) {
            for report in decoder.read(device.read()) { _ = note(report) }
        }
    }
}
