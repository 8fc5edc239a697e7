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
    /// The size of the last frame in bytes; nil before the first and while one is being sent.
    public var lastSize: Int? { output.lastSize }
    /// The rate in bytes per second of a slow line, over which frames in cells are sent in pieces; nil for no
    /// limit. The next piece is one of the newest frame.
    public var rate: Double?

    let device: TerminalDevice
    let signals: SignalPipe
    private let curses: CursesSession
    private let options: ScreenOptions
    private let capabilities: Capabilities
    private var painter: Painter
    var output: FrameOutput
    var decoder: KeyDecoder
    /// The time of the last input, and of the beginning of an unfinished sequence.
    var lastInput = ContinuousClock.now, sequenceStart: ContinuousClock.Instant?
    var hasReportedLoss = false
    /// Signals received but not yet reported.
    var waitingSignals: [Int32] = []
    /// True if the terminal has reported clipboard support. Many support it without reporting it.
    public private(set) var takesClipboard = false
    /// True until the terminal has answered the startup queries.
    private(set) var isAnswering = false
    /// The time of the startup queries.
    private(set) var asked = ContinuousClock.now
    private var isOpen = false
    /// The bytes that leave the alternate screen.
    private let restoring: [UInt8]
    /// The pending clipboard sequence; empty if none.
    var clipboard: [UInt8] = []
    /// The terminal's support for images, as known so far.
    public private(set) var graphics = GraphicsSupport()
    /// The support as reported by the responses so far, until the last one.
    private var reported = GraphicsSupport()
    /// The images of the kitty protocol; nil without an encoder.
    private var images: KittyImages?
    /// The images of other protocols; nil without an encoder.
    private var inlineImages: InlineImages?
    /// The number of images that the terminal has lost.
    private var lostImages = 0
    /// The number of losses after which the map is drawn in cells.
    private static let lossLimit = 40
    /// True if images that an earlier process left must be deleted.
    private var hasStrayImages = true
    /// True once an image was sent.
    private var hasSentImages = false
    /// The question to tmux about its terminal, until the answer.
    var tmuxQuestion: Tmux.Question?
    /// True if the background colour must be queried again, because the terminal's colours changed.
    private var wantsBackground = false

    nonisolated(unsafe) private static var isTaken = false
    /// One step of the 5 bits of green in which maps are drawn. It is hardly visible, and saves two fifths
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
        images = options.encodePNG.map { KittyImages(encode: $0) }
        inlineImages = options.encodePNG.map { InlineImages(encode: $0) }
        self.profile = profile
        self.options = options
        self.capabilities = capabilities
        self.device = device
        self.restoring = restoring
        armRestore()
        takeModes()
        ask()
    }

    /// Prepares the bytes that restore the terminal after a crash.
    private func armRestore() {
        let deleting = Array(KittyGraphics.deleteAll.utf8)
        let images =
            !hasSentImages
            ? [] : graphics.usesPlaceholders ? KittyPlaceholder.passedThrough(deleting) : deleting
        TerminalRestore.arm(
            descriptor: device.descriptor, modes: device.savedModes,
            bytes: TerminalModes.interruptsFrame + images + TerminalModes.off(options)
                + Array("\u{1B}[?25h".utf8) + restoring)
    }

    deinit { close() }

    /// Restores the terminal: modes, main screen and cursor. Does nothing when called again.
    public func close() {
        guard isOpen else { return }
        deleteImages()
        awaitAnswers(within: 100)
        giveBack()
        TerminalRestore.disarm()
        Screen.isTaken = false
    }

    /// Draws a grid from the top left without blocking. If the terminal is slow, only the newest grid is
    /// queued.
    /// - Parameters:
    ///   - pixels: The images below blank cells; nil for none.
    ///   - kind: The protocol of the images.
    public func draw(_ grid: CellGrid, _ pixels: PixelFrame? = nil, as kind: PixelProtocol = .kitty) {
        guard isOpen else { return }
        output.want(grid, pixels, kind)
        sendFrames()
    }

    /// Gives all cells their exact colours. Does nothing while a frame is being sent or images are shown,
    /// which cells could erase.
    public func sharpen() {
        guard isOpen, !output.isBusy, !hasSentImages, inlineImages?.isShown != true else { return }
        let bytes = painter.sharpen()
        guard !bytes.isEmpty else { return }
        output.begin(bytes)
        output.send(to: device)
    }

    /// Returns the costs of the frames sent since the last call that measure the line.
    public func takeCosts() -> [FrameCost] { output.takeCosts() }

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
        _ = device.write(TerminalModes.on(options)[...], timeout: 500)
    }

    func retake() {
        curses.retake()
        takeModes()
        measure()
        painter.forget()
        if options.pixels { ask() }
        sendFrames()
    }

    /// Restores the terminal. Skips ncurses if the terminal accepts no bytes, because ncurses would wait
    /// forever.
    func giveBack() {
        guard isOpen else { return }
        isOpen = false
        var unfinished = output.abandon() ? TerminalModes.interruptsFrame : []
        if hasSentImages { unfinished += images?.deleteAll() ?? [] }
        painter.forget()
        if device.write((unfinished + TerminalModes.off(options))[...], timeout: 500) {
            curses.giveBack(erasesLine: restoring.isEmpty)
        }
        device.restoreModes()
    }

    // MARK: Size

    /// Reads the size again. The next frame paints every cell.
    func measure() {
        guard let now = device.size else { return }
        cellAspect = now.cellAspect ?? cellAspect
        graphics.cell = now.cell ?? graphics.cell
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
        if let (grid, pixels, kind) = output.takeWanted() {
            begin(grid, kind == .kitty ? pixels : nil, inline: kind == .kitty ? nil : pixels, kind)
            output.send(to: device)
        }
        askBackground()
        sendClipboard()
    }

    /// Encodes a frame. Images are stored before the cells change, but after a clear, which deletes them.
    /// - Parameter inline: The images of another protocol than kitty's.
    private func begin(
        _ grid: CellGrid, _ pixels: PixelFrame?, inline: PixelFrame?, _ kind: PixelProtocol
    ) {
        painter.pieceSize = nil
        if inlineImages?.isShown == true || inline != nil { return begin(grid, inline: inline, kind) }
        guard var images, pixels != nil || hasSentImages else { return begin(grid) }
        let clears = painter.clears
        images.usesPlaceholders = graphics.usesPlaceholders
        var unseen: [UInt8] = []
        if hasStrayImages, pixels != nil, !images.usesPlaceholders { unseen += KittyGraphics.deleteAll.utf8 }
        if clears { images.forgetShown() }
        painter.scrolls = pixels == nil && !images.usesPlaceholders
        let shift = images.usesPlaceholders ? nil : pixels.flatMap { images.shift(to: $0.tiles) }
        let cells = painter.frame(grid, movedBy: shift, in: pixels?.cells)
        let (storing, showing) = images.frame(
            pixels?.tiles ?? [], over: grid, erased: painter.changedRows, move: capabilities.address)
        if !showing.isEmpty {
            painter.forgetCursor()
            if images.usesPlaceholders { painter.forgetPen() }
        }
        self.images = images
        output.begin(
            cells + (clears ? storing : []) + showing, after: unseen + (clears ? [] : storing))
        guard pixels != nil, !hasSentImages else { return }
        hasSentImages = true
        hasStrayImages = false
        armRestore()
    }

    /// Encodes a frame without images, or a piece of it that occupies a slow line for a tenth of a second.
    private func begin(_ grid: CellGrid) {
        painter.pieceSize = rate.map { max(Int($0 / 10), 500) }
        let bytes = painter.frame(grid)
        output.begin(bytes, rest: painter.isInterrupted ? grid : nil)
    }

    /// Encodes a frame with images that text erases: the cells, the images, and the text over them.
    private func begin(_ grid: CellGrid, inline pixels: PixelFrame?, _ kind: PixelProtocol) {
        guard var inline = inlineImages else { return output.begin(painter.frame(grid)) }
        defer { inlineImages = inline }
        painter.scrolls = pixels == nil
        if painter.clears { inline.forget() }
        guard let pixels else {
            inline.forget()
            let whole = CellBox(columns: 0..<size.columns, rows: 0..<size.rows)
            painter.forget(whole, onlyText: false)
            return output.begin(painter.frame(grid))
        }
        inline.limit = graphics.sixelLimit ?? InlineImages.usualLimit
        var bytes = painter.frame(grid)
        let rows = inline.rowsToDraw(pixels, textChanged: painter.changedRows)
        guard !rows.isEmpty else { return output.begin(bytes) }
        bytes += inline.frame(pixels, rows: rows, as: kind, move: capabilities.address)
        painter.forgetCursor()
        painter.forget(CellBox(columns: pixels.cells.columns, rows: rows), onlyText: true)
        output.begin(bytes + painter.frame(grid))
    }

    /// Returns true if the terminal stores all images of a frame, so that showing it takes few bytes.
    public func stores(_ pixels: PixelFrame) -> Bool { images?.stores(pixels.tiles) == true }

    /// Returns true if the terminal stores the image with this content.
    public func stores(_ content: UInt64) -> Bool { images?.stores(content) == true }

    /// Stores an image that a later frame may show.
    /// - Returns: False if it can't, or if a frame is being sent.
    public func store(_ tile: PixelFrame.Tile) -> Bool {
        guard isOpen, hasSentImages, !output.isBusy, let bytes = images?.store(tile), !bytes.isEmpty else {
            return false
        }
        output.begin([], after: bytes)
        sendFrames()
        return true
    }

    /// Deletes all images, and queries DA1, so that no error about an image arrives after the end.
    private func deleteImages() {
        guard hasSentImages, !device.isLost else { return }
        let unfinished = output.abandon() ? TerminalModes.interruptsFrame : []
        let fence = profile.answersQueries ? Array(TerminalModes.fence.utf8) : []
        isAnswering =
            device.write((unfinished + (images?.deleteAll() ?? []) + fence)[...], timeout: 500)
            && !fence.isEmpty
        if isAnswering { awaitAnswers(within: 1000) }
    }

    // MARK: Query responses

    private func ask() {
        guard profile.answersQueries else { return }
        reported = GraphicsSupport()
        reported.multiplexer = options.pixels ? profile.multiplexer : nil
        reported.cell = device.size?.cell
        asked = .now
        isAnswering = device.write(
            TerminalModes.questions(
                cellSize: cellAspect == nil, pixels: options.pixels, multiplexer: profile.multiplexer)[...],
            timeout: 500)
    }

    /// Queries the size of a cell after a resize, because the font may have changed.
    func askCellSize() {
        guard hasSentImages, profile.answersQueries, !output.isBusy else { return }
        _ = device.write(Array(TerminalModes.cellSizeQuestion.utf8)[...], timeout: 500)
    }

    /// Queries the background colour between frames. The colour says more than the reported light or dark
    /// scheme.
    private func askBackground() {
        guard wantsBackground, profile.answersQueries, !output.isBusy else { return }
        wantsBackground = false
        _ = device.write(Array(TerminalModes.backgroundQuestion.utf8)[...], timeout: 500)
    }

    /// Processes tmux's answer about its terminal.
    func noteTmux() -> ScreenEvent {
        graphics.tmux = tmuxQuestion.take()?.answer()
        reported.tmux = graphics.tmux
        return .graphics
    }

    /// Processes a report and returns its event; nil if the program needn't know.
    func note(_ report: TerminalReport) -> ScreenEvent? {
        switch report {
        case .key(let key): return .key(key)
        case .background(let color): return .background(color)
        case .synchronizedFrames(let isSupported): output.synchronizes = isSupported
        case .colourScheme:
            wantsBackground = true
            askBackground()
        case .attributes(let hasClipboard, _):
            isAnswering = false
            takesClipboard = hasClipboard
            reported.note(report)
            if isOpen, reported.isBehindTmux { tmuxQuestion = Tmux.Question() }
            if options.pixels, isOpen, reported.hasSixel, reported.sixelLimit == nil, !output.isBusy {
                _ = device.write(Array(TerminalModes.sixelQuestion.utf8)[...], timeout: 500)
            }
            guard options.pixels, isOpen, reported != graphics else { break }
            graphics = reported
            return .graphics
        case .cellSize(let width, let height):
            let aspect = Double(height) / Double(width)
            reported.note(report)
            let isNew = graphics.isComplete && graphics.cell != reported.cell
            if graphics.isComplete { graphics.cell = reported.cell }
            guard cellAspect != aspect else { return isNew ? .graphics : nil }
            cellAspect = aspect
            return .resized(columns: size.columns, rows: size.rows)
        case .image(let id, isStored: false) where id != KittyGraphics.ids.upperBound:
            images?.lose(id: id)
            lostImages += 1
            graphics.losesImages = lostImages > Screen.lossLimit
            return .graphics
        case .sixelLimit:
            reported.note(report)
            graphics.sixelLimit = reported.sixelLimit
            return .graphics
        case .name, .image: reported.note(report)
        }
        return nil
    }

    /// Waits for pending responses, which would otherwise appear at the shell's prompt after exit.
    /// - Parameter milliseconds: The maximum pause between two responses.
    private func awaitAnswers(within milliseconds: Int32) {
        while isAnswering, !device.isLost, device.isReady(TerminalDevice.readable, within: milliseconds) {
            for report in decoder.read(device.read()) { _ = note(report) }
        }
    }
}
