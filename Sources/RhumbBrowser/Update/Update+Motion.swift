internal import RhumbCore

/// The movement of the view.
extension Browser {
    mutating func pan(_ direction: Command.Direction, _ stride: Command.Stride, times: Int) -> [Effect] {
        let step = step(stride)
        let (columns, rows) =
            switch direction {
            case .left: (-step.columns * times, 0)
            case .right: (step.columns * times, 0)
            case .up: (0, -step.rows * times)
            case .down: (0, step.rows * times)
            }
        rememberBeforeMoving()
        pointer = nil
        centerMarkUntil = now + .seconds(1)
        return move(to: viewport.panned(columns: columns, rows: rows)) + [.wake(after: .seconds(1))]
    }

    private func step(_ stride: Command.Stride) -> (columns: Int, rows: Int) {
        switch stride {
        case .eighth: (max(viewport.columns / 8, 1), max(viewport.rows / 8, 1))
        case .half: (max(viewport.columns / 2, 1), max(viewport.rows / 2, 1))
        case .cell: (1, 1)
        }
    }

    mutating func zoom(by steps: Double) -> [Effect] {
        rememberBeforeMoving()
        return move(to: viewport.zoomed(to: stepped(by: steps)))
    }

    /// Returns the zoom after a step. From a fractional zoom, a whole step leads to the next integer.
    func stepped(by steps: Double) -> Double {
        let zoom = settled.zoom
        guard steps.rounded() == steps else { return ((zoom + steps) * 4).rounded() / 4 }
        let near = (zoom * 1000).rounded() / 1000
        return steps > 0 ? near.rounded(.down) + steps : near.rounded(.up) + steps
    }

    /// The camera, or the end of the current flight.
    private var settled: Camera { flight?.move.end ?? viewport.camera }

    mutating func move(to target: Viewport) -> [Effect] {
        flight = nil
        lastMove = now
        guard target != viewport else { return [] }
        viewport = target
        return [.updateView]
    }

    // MARK: Flights

    /// Moves smoothly to a camera, in less than 400 ms.
    mutating func fly(to camera: Camera) -> [Effect] {
        let target = viewport.with(camera).keptOnMap().camera
        suspendFollowing()
        remember()
        return startFlight(to: target)
    }

    private mutating func startFlight(to target: Camera) -> [Effect] {
        guard target != settled else { return [] }
        guard settings.animates else { return move(to: viewport.with(target)) }
        let move = CameraMove(from: viewport.camera, to: target, duration: 0.35)
        flight = Flight(move: move, start: now)
        return [.wake(after: Browser.frame)]
    }

    /// The interval between the frames of a flight.
    static let frame = Duration.milliseconds(25)

    mutating func advanceFlight() -> [Effect] {
        guard let flight else { return [] }
        let passed = (now - flight.start) / Duration.seconds(1)
        viewport = viewport.with(flight.move.camera(after: passed))
        guard passed < flight.move.duration else {
            self.flight = nil
            return [.updateView]
        }
        return [.updateView, .wake(after: Browser.frame)]
    }

    // MARK: History

    mutating func goBack() -> [Effect] {
        history.back(from: settled).map { startFlight(to: $0) } ?? say(NoticesText.noWayBack)
    }

    mutating func goForward() -> [Effect] {
        history.forward(from: settled).map { startFlight(to: $0) } ?? say(NoticesText.noWayForward)
    }

    /// Stores the view before a move, unless the move closely follows another.
    mutating func rememberBeforeMoving() {
        if now - lastMove >= Browser.pauseBetweenViews { remember() }
    }

    mutating func remember() {
        history.push(settled)
        lastMove = now
    }
}
