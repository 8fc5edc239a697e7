internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

/// The main loop of the program on a terminal. Each turn waits, handles all events, performs the browser's
/// effects, and draws once.
final class Runtime {
    /// The maximum time a frame waits for tiles from memory or disk, so that a pan is drawn completely the
    /// first time.
    static let frameWait = Duration.milliseconds(12)
    /// The maximum time that a response waits for the labels around its marks, so that both are drawn in one
    /// frame.
    static let layoutWait = Duration.milliseconds(5)
    /// The maximum time that the first frame waits.
    static let firstFrameWait = Duration.milliseconds(150)
    /// The time from the start after which an incomplete map in cells gives way to pixels.
    static let cellWait = Duration.milliseconds(500)
    /// The maximum time that the first map in pixels waits for its tiles while the map in cells is shown.
    static let pixelWait = Duration.milliseconds(250)
    /// The maximum time for handling keys before a frame is drawn.
    static let keyWait = Duration.milliseconds(50)
    /// The interval at which tiles that arrive one by one are drawn together.
    static let trickle = Duration.milliseconds(40)

    let program: Program
    private let screen: Screen
    private var painters: [Side: MapPainter] = [:]
    private var governor: BandwidthGovernor
    private var pixelPainter = PixelPainter()
    private var lastDrawing = Duration.zero
    /// True until the map was drawn in cells, and its first tiles for pixels were requested.
    private var startsWithCells = true
    /// The time by which the first map in pixels is drawn; nil if none is awaited.
    private var pixelsDue: Duration?
    private var hasUndrawnTiles = false
    /// The time of the first change of the screen since cells got their exact colours; nil for none.
    private var changedAt: Duration?
    /// The time of the last key.
    private var lastKey = Duration.zero
    /// True if a response was received that is drawn without waiting for tiles and labels.
    private var hasUndrawnAnswer = false
    /// True if the last frame responded to a key or showed a response. Its missing parts are drawn as soon as
    /// all of them are available.
    private var isAnswering = true
    /// The keys that are not handled yet.
    private var keys: [Key] = []
    /// The last copied text, if the terminal has not confirmed that it supports the clipboard.
    private(set) var copied: String?

    init(_ program: Program, on screen: Screen, budget: BandwidthGovernor.Budget) {
        self.program = program
        self.screen = screen
        governor = BandwidthGovernor(budget)
    }

    /// Runs until the user quits or the terminal is closed.
    /// - Returns: The exit status.
    func run() -> Int32 {
        CrashReport.prepareThread()
        program.begin()
        draw(wait: Runtime.firstFrameWait, needsLabels: true)
        requestPixels()
        // The terminal may receive the first frame piece by piece.
        while program.exitStatus == nil, screen.isDrawing, program.now - lastDrawing < Runtime.firstFrameWait
        {
            program.wake(after: Runtime.frameWait)
            turn()
        }
        program.beginBackgroundWork()
        while program.exitStatus == nil { turn() }
        program.stopListening()
        screen.close()
        program.finishFiles()
        return program.exitStatus ?? 0
    }

    private func turn() {
        let isBehind = !keys.isEmpty
        let happened = screen.wait(
            upTo: isBehind ? .zero : timeout, wakeup: program.inbox.waker.descriptor)
        let isTick = program.sendDueTick()
        // Coarse blocks would be sent only to be replaced.
        var needsDrawing = isTick && (pixelsDue.map { program.now >= $0 } ?? true)
        for event in happened {
            switch event {
            case .woken: hasUndrawnTiles = true
            case .key(let key): keys.append(key)
            case .resized(let columns, let rows):
                program.send(.resized(columns: columns, rows: rows, cellAspect: screen.cellAspect))
                needsDrawing = true
            case .graphics:
                needsDrawing = needsDrawing || !startsWithCells
                if startsWithCells, pixels != nil { program.wake(after: Runtime.cellWait) }
            case .background(let colour): program.send(.background(colour))
            case .resumed:
                sendSize()
                needsDrawing = true
            case .terminated(let signal): program.exitStatus = 128 + signal
            }
            if program.exitStatus != nil { return }
        }
        if isBehind { keys.removeFirst(program.browser.overtaken(in: keys[...])) }
        needsDrawing = handleKeys() || needsDrawing
        if program.exitStatus != nil { return }
        let received = program.receiveEvents()
        hasUndrawnTiles = hasUndrawnTiles || received.count > 0
        hasUndrawnAnswer = hasUndrawnAnswer || received.mustDraw
        performScreenEffects()
        for sent in screen.takeCosts() {
            governor.note(bytes: sent.bytes, seconds: sent.duration / .seconds(1))
        }
        if needsDrawing {
            draw(wait: Runtime.frameWait)
            isAnswering = true
        } else if hasUndrawnTiles, !screen.isDrawing, isDue {
            isAnswering = hasUndrawnAnswer
            draw(wait: isAnswering ? Runtime.layoutWait : .zero, needsLabels: isAnswering)
        }
        requestPixels()
        sharpenAtRest()
    }

    /// Gives the cells their exact colours once the map and the keys have rested, unless the line is slow.
    private func sharpenAtRest() {
        guard let changedAt, !screen.isDrawing, !hasUndrawnTiles,
            governor.maySharpen(at: program.now, since: [changedAt, program.lastMove, lastKey])
        else { return }
        self.changedAt = nil
        screen.sharpen()
    }

    /// Handles the pending keys until the next frame is due.
    /// - Returns: True if there was a key.
    private func handleKeys() -> Bool {
        let end = program.now + Runtime.keyWait
        var count = 0
        while count < keys.count, program.exitStatus == nil, count == 0 || program.now < end {
            let times = program.browser.repeats(of: keys[count...])
            program.send(.key(keys[count], times: times))
            performScreenEffects()
            count += times
        }
        keys.removeFirst(count)
        guard count > 0 else { return false }
        lastKey = program.now
        if changedAt != nil { program.wake(after: BandwidthGovernor.sharpeningWait) }
        return true
    }

    /// True if the received tiles and responses should be drawn.
    private var isDue: Bool {
        if let pixelsDue { return program.now >= pixelsDue || program.isViewComplete }
        return hasUndrawnAnswer || program.now - lastDrawing >= Runtime.trickle
            || isAnswering && program.isViewComplete
    }

    /// Requests the tiles of the first map in pixels, once the map in cells is drawn. Cells are ready and
    /// sent several times faster.
    private func requestPixels() {
        guard startsWithCells, pixels != nil, !hasUndrawnTiles, !screen.isDrawing,
            program.isViewComplete || program.now >= Runtime.cellWait
        else { return }
        startsWithCells = false
        program.cellPixels = screen.graphics.cell
        pixelsDue = program.now + Runtime.pixelWait
        hasUndrawnTiles = true
    }

    /// The maximum wait for an event; nil for no limit.
    private var timeout: Duration? {
        let now = program.now
        let drawing =
            pixelsDue
            ?? max(lastDrawing + Runtime.trickle, now + (screen.isDrawing ? Runtime.frameWait : .zero))
        let due = program.wakes + (hasUndrawnTiles ? [drawing] : [])
        return due.min().map { max($0 - now, .zero) }
    }

    private func performScreenEffects() {
        for effect in program.takeScreenEffects() {
            switch effect {
            case .copy(let text): copy(Output.hidden(text))
            case .repaint: screen.redraw()
            case .suspend:
                program.setSuspended(true)
                screen.suspend()
                program.setSuspended(false)
                sendSize()
            default: break
            }
        }
    }

    private func copy(_ text: String) {
        screen.copy(text)
        copied = screen.takesClipboard ? nil : text
        program.send(.copied(text, isSure: screen.takesClipboard))
    }

    /// Sends the terminal's size, which may have changed while the program was suspended.
    private func sendSize() {
        let (columns, rows) = screen.size
        program.send(.resized(columns: columns, rows: rows, cellAspect: screen.cellAspect))
    }

    // MARK: Drawing

    /// Draws once, waiting briefly for tiles that are about to arrive.
    /// - Parameter needsLabels: True to wait for labels too.
    private func draw(wait: Duration, needsLabels: Bool = false) {
        program.cellPixels = pixels == nil || startsWithCells ? nil : screen.graphics.cell
        pixelsDue = nil
        // The map is painted while its labels are laid out. Painting the same scene again takes no time.
        var scene = program.awaitScene(wait, needsLabels: needsLabels) { scene in
            guard program.cellPixels == nil, program.browser.sides(of: scene) == nil else { return }
            _ = map(of: scene, .whole)
        }
        performScreenEffects()
        // Images of half-faded tiles would be sent only to be replaced.
        if program.browser.map.settings.mayFadeTiles && governor.isUnlimited && program.cellPixels == nil {
            scene = program.scene(fadingAt: program.now)
            if scene.isFading { program.wake(after: TileBoard.fadeStep) }
        }
        hasUndrawnTiles = false
        hasUndrawnAnswer = false
        if let cell = program.cellPixels, let pixels, drawPixels(scene, cell, as: pixels) {
            lastDrawing = program.now
            return
        }
        if governor.isSlow != program.browser.map.isLineSlow { program.send(.slowLine(governor.isSlow)) }
        screen.rate = governor.slowRate
        screen.draw(frame(of: scene))
        lastDrawing = program.now
        // A frame without bytes changed nothing.
        guard screen.lastSize != 0 else { return }
        changedAt = changedAt ?? lastDrawing
        program.wake(after: BandwidthGovernor.sharpeningWait)
    }

    /// The protocol for images; nil for cells.
    private var pixels: PixelProtocol? {
        let settings = program.browser.map.settings
        guard settings.pixels != .off, !settings.depth.needsGlyphs, !program.browser.isTooSmall else {
            return nil
        }
        return screen.graphics.choice(settings.pixels.asked).protocol
    }

    /// Draws the map in pixels.
    /// - Returns: False if the line is too slow while the view moves. Pixels are drawn once it is at rest.
    private func drawPixels(_ scene: Scene, _ cell: PixelSize, as kind: PixelProtocol) -> Bool {
        let browser = program.browser
        guard browser.sides(of: scene) == nil else { return false }
        let isMoving = program.now - program.lastMove < BandwidthGovernor.rest
        let isFine = cell.width >= TileLayer.fineWidth
        let sharpening = governor.sharpening(isMoving: isMoving, isFine: isFine)
        let (pixels, ground) = pixelPainter.paint(
            scene, viewport: browser.map.viewport, settings: browser.map.settings, theme: browser.theme,
            cell: cell,
            shapes: browser.pixelShapes(scene, cell: cell),
            sharpening: governor.isUnlimited || !screen.isDrawing ? sharpening : 0)
        guard
            governor.showsPixels(
                isMoving: isMoving, isStored: screen.stores(pixels), canMove: kind == .kitty)
        else {
            program.wake(after: BandwidthGovernor.rest)
            return false
        }
        screen.draw(browser.view(scene.withoutBackdrop, overPixels: ground), pixels, as: kind)
        if isMoving {
            program.wake(after: BandwidthGovernor.rest)
        } else if kind == .kitty, scene.isComplete {
            improve(pixels, cell, mayBeSharper: sharpening > 0)
        }
        return true
    }

    /// Uses an idle line for sharper blocks, and then for blocks around the view.
    private func improve(_ pixels: PixelFrame, _ cell: PixelSize, mayBeSharper: Bool) {
        let browser = program.browser
        guard !screen.isDrawing, pixels.isSharp || !mayBeSharper else {
            return program.wake(after: Runtime.trickle)
        }
        let wide = PixelPainter.widened(browser.map.viewport, cell: cell)
        guard governor.maySendAhead,
            let tile = pixelPainter.paintAhead(
                program.scene(of: wide), wide: wide, settings: browser.map.settings, theme: browser.theme,
                cell: cell,
                unless: screen.stores)
        else { return }
        if screen.store(tile) { program.wake(after: Runtime.trickle) }
    }

    private func frame(of scene: Scene) -> CellGrid {
        let browser = program.browser
        guard let sides = browser.sides(of: scene) else {
            return browser.view(scene.withoutBackdrop, map: map(of: scene, .whole))
        }
        var map = map(of: sides.first, .first)
        let second = self.map(of: sides.second, .second)
        for row in 0..<map.rows {
            for column in sides.edge..<map.columns { map[row, column] = second[row, column] }
        }
        return browser.view(scene.withoutBackdrop, map: map)
    }

    private func map(of scene: Scene, _ side: Side) -> CellGrid {
        let browser = program.browser
        return painters[side, default: MapPainter()].paint(
            scene, viewport: browser.map.viewport, settings: browser.map.settings, theme: browser.theme)
    }

    /// The whole map, or an archive of a comparison. Each has a painter of its own.
    private enum Side { case whole, first, second }
}
