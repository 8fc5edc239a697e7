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
        pointing.pointer = nil
        movement.centerMarkUntil = map.now + .seconds(1)
        return move(to: map.viewport.panned(columns: columns, rows: rows)) + [.wake(after: .seconds(1))]
    }

    private func step(_ stride: Command.Stride) -> (columns: Int, rows: Int) {
        switch stride {
        case .eighth: (max(map.viewport.columns / 8, 1), max(map.viewport.rows / 8, 1))
        case .half: (max(map.viewport.columns / 2, 1), max(map.viewport.rows / 2, 1))
        case .cell: (1, 1)
        }
    }

    mutating func zoom(by steps: Double) -> [Effect] {
        rememberBeforeMoving()
        return move(to: map.viewport.zoomed(to: stepped(by: steps)))
    }

    /// Returns the zoom after a step. From a fractional zoom, a whole step leads to the next integer.
    func stepped(by steps: Double) -> Double {
        let zoom = settled.zoom
        guard steps.rounded() == steps else { return ((zoom + steps) * 4).rounded() / 4 }
        let near = zoom.rounded(3)
        return steps > 0 ? near.rounded(.down) + steps : near.rounded(.up) + steps
    }

    /// The camera, or the end of the current flight.
    private var settled: Camera { movement.flight?.move.end ?? map.viewport.camera }

    mutating func move(to target: Viewport) -> [Effect] {
        movement.flight = nil
        movement.lastMove = map.now
        guard target != map.viewport else { return [] }
        map.viewport = target
        return [.updateView]
    }

    // MARK: Flights

    /// Moves smoothly to a camera, in less than 400 ms.
    mutating func fly(to camera: Camera) -> [Effect] {
        let target = map.viewport.with(camera).keptOnMap().camera
        suspendFollowing()
        remember()
        return startFlight(to: target)
    }

    private mutating func startFlight(to target: Camera) -> [Effect] {
        guard target != settled else { return [] }
        guard map.settings.animates, !map.isLineSlow else { return move(to: map.viewport.with(target)) }
        let move = CameraMove(from: map.viewport.camera, to: target, duration: 0.35)
        movement.flight = Movement.Flight(move: move, start: map.now)
        return [.wake(after: Browser.frame)]
    }

    /// The interval between the frames of a flight.
    static let frame = Duration.milliseconds(25)

    mutating func advanceFlight() -> [Effect] {
        guard let flight = movement.flight else { return [] }
        let passed = (map.now - flight.start) / Duration.seconds(1)
        map.viewport = map.viewport.with(flight.move.camera(after: passed))
        guard passed < flight.move.duration else {
            self.movement.flight = nil
            return [.updateView]
        }
        return [.updateView, .wake(after: Browser.frame)]
    }

    // MARK: History

    mutating func goBack() -> [Effect] {
        movement.history.back(from: settled).map { startFlight(to: $0) } ?? say(NoticesText.noWayBack)
    }

    mutating func goForward() -> [Effect] {
        movement.history.forward(from: settled).map { startFlight(to: $0) } ?? say(NoticesText.noWayForward)
    }

    /// Stores the view before a move, unless the move closely follows another.
    mutating func rememberBeforeMoving() {
        if map.now - movement.lastMove >= Movement.pauseBetweenViews { remember() }
    }

    mutating func remember() {
        movement.history.push(settled)
        movement.lastMove = map.now
    }
}
