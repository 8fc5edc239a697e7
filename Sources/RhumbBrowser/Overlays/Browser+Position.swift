internal import Glibc
public import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Sets the initial position, and the own layer sets of the chosen style.
    public mutating func begin(at fix: PositionFix?, _ sets: LayerSetStyle?) {
        if let fix { _ = receive(fix) }
        appearance.chosenSets = sets
    }

    mutating func receive(_ fix: PositionFix) -> [Effect] {
        position.isFixed = fix.place != nil
        guard fix.place != nil else { return [] }
        position.fix = fix
        position.heard = map.now
        guide(along: fix)
        return followPosition() + watchPosition()
    }

    /// Schedules the regular checks of the position's age.
    mutating func watchPosition() -> [Effect] {
        guard position.fix != nil || silentOverlay != nil, map.now >= position.nextCheck else { return [] }
        position.nextCheck = map.now + PositionState.late
        return [.wake(after: PositionState.late)]
    }

    /// Handles `f`, which switches from following in the centre to the lower third, and then to not
    /// following. After a pan, it resumes following.
    mutating func changeFollowing() -> [Effect] {
        guard position.fix != nil else {
            let silent = silentOverlay.map { PositionText.noPosition(from: $0.name, $0.age) }
            return say(silent ?? PositionText.none)
        }
        if position.isSuspended {
            position.isSuspended = false
        } else {
            switch position.following {
            case .off: position.following = .middle
            case .middle: position.following = .lowerThird
            case .lowerThird: position.following = .off
            }
        }
        let text =
            switch position.following {
            case .off: PositionText.notFollowing
            case .middle: PositionText.following
            case .lowerThird: PositionText.followingBelow
            }
        return followPosition() + say(text)
    }

    /// Suspends following after the user has moved the view.
    mutating func suspendFollowing() {
        if position.following != .off { position.isSuspended = true }
    }

    /// Moves the view by whole cells, so that most of the picture stays unchanged.
    private mutating func followPosition() -> [Effect] {
        guard position.following != .off, !position.isSuspended, movement.flight == nil,
            let place = position.fix?.place
        else { return [] }
        let cell = map.viewport.cell(of: Mercator.world(place))
        let row = Double(map.viewport.rows) * (position.following == .middle ? 0.5 : 2.0 / 3)
        let right = Int((cell.column - Double(map.viewport.columns) / 2).rounded()),
            down = Int((cell.row - row).rounded())
        guard right != 0 || down != 0 else { return [] }
        map.viewport = map.viewport.panned(columns: right, rows: down)
        return [.updateView]
    }

    /// The course of the followed position in degrees clockwise from north; nil if no position is followed or
    /// the course is unknown.
    public var course: Double? {
        guard position.following != .off, !position.isSuspended, !isPositionStale else { return nil }
        return position.fix?.heading
    }

    private var positionAge: Duration { map.now - position.heard }
    var isPositionStale: Bool { positionAge >= PositionState.stale || !position.isFixed }

    /// The text about the position in the status line; empty if there is nothing to report.
    var positionWords: String {
        guard position.fix != nil else {
            guard let silent = silentOverlay, silent.silence >= PositionState.late else { return "" }
            return PositionText.silent(silent.name, silent.age)
        }
        let age = Int(positionAge / .seconds(1))
        if !position.isFixed { return PositionText.noFix(age) }
        if positionAge >= PositionState.late { return PositionText.old(age) }
        guard position.following != .off else { return "" }
        guard position.isSuspended else { return PositionText.isFollowing }
        // An open panel takes the key.
        return panels.isEmpty ? PositionText.follow : PositionText.notFollowingNow
    }

    /// The receiver's speed, course, height and accuracy, and the age of the position, if it is at the point
    /// that `i` describes; nil otherwise.
    var positionFacts: String? {
        guard let fix = position.fix, let place = fix.place else { return nil }
        let cell = map.viewport.cell(of: Mercator.world(place)), units = map.settings.units
        guard abs(cell.column - point.column) <= 2, abs(cell.row - point.row) <= 1 else { return nil }
        let accuracy = fix.accuracy.map { PlaceFormat.height(Int(clamping: $0), units) }
        let facts = [
            fix.speed.map { PlaceFormat.speed($0, units) },
            fix.heading.map { PositionText.course($0) },
            fix.height.map { HereText.height($0, units) },
            accuracy.map { (map.settings.isUnicode ? "±" : "+-") + $0 },
            PositionText.age(Int(positionAge / .seconds(1))),
        ]
        return PositionText.position + facts.compactMap(\.self).joined(separator: ", ")
    }

    /// Draws the position with its heading.
    func drawPosition(on screen: inout CellGrid) {
        guard let fix = position.fix, let place = fix.place, !isTooSmall else { return }
        let cell = map.viewport.cell(of: Mercator.world(place))
        let row = Int(cell.row.rounded(.down)), column = Int(cell.column.rounded(.down))
        guard (0..<map.viewport.rows).contains(row), (0..<map.viewport.columns).contains(column) else {
            return
        }
        let glyph = fix.heading.map { chevron($0) } ?? (map.settings.isUnicode ? "◉" : "@")
        if let mark = markStyle(fix.heading == nil ? .position : .chevron, isDimmed: isPositionStale) {
            let sign = fix.heading == nil ? nil : glyph
            MarkPen(settings: map.settings, theme: theme)
                .write(mark, sign, row: row, column: column, isBold: !isPositionStale, on: &screen)
        } else if map.settings.depth == .mono {
            screen.write(
                glyph, row: row, column: column, paper: .terminal,
                style: isPositionStale ? .bold : [.bold, .reverse])
        } else {
            screen.write(
                glyph, row: row, column: column, ink: .indexed(15), paper: .indexed(isPositionStale ? 8 : 12),
                style: .bold)
        }
    }

    private func chevron(_ degrees: Double) -> String {
        guard map.settings.isUnicode else { return Heading.arrow(degrees, isUnicode: false) }
        let glyphs = ["▲", "◥", "▶", "◢", "▼", "◣", "◀", "◤"]
        return glyphs[Int(clamping: degrees / 45) % 8 & 7]
    }

    /// The radius of the position's circle in columns; nil if the accuracy is unknown or the circle is too
    /// small. A lost position has a circle only in styles with a dimmed one.
    var positionRadius: Double? {
        guard let fix = position.fix, let place = fix.place, let metres = fix.accuracy, metres < 100_000,
            !isPositionStale || circleStyle != nil
        else { return nil }
        let scale = Mercator.metresPerPixel(latitude: place.latitude, zoom: map.viewport.camera.zoom)
        let radius = metres / scale / Viewport.pixelsPerColumn
        return radius > 3 ? radius : nil
    }

    /// The outline of the circle of the position's accuracy; empty if there is none.
    var positionCircle: [Position] {
        guard positionRadius != nil, let place = position.fix?.place, let metres = position.fix?.accuracy
        else { return [] }
        let north = metres / 111_320, east = north / max(cos(place.latitude.radians), 0.01)
        return (0..<48).map { step in
            let turn = Double(step) / 24 * .pi
            return Position(
                longitude: place.longitude + east * cos(turn),
                latitude: min(max(place.latitude + north * sin(turn), -90), 90))
        }
    }

    /// Fills the circle of the position's accuracy, if the style has a colour for it and the terminal has
    /// enough colours.
    func tintPositionCircle(on screen: inout CellGrid) {
        if !map.settings.depth.needsGlyphs { PositionShade(self)?.tint(&screen) }
    }

    /// Draws the edge of the circle of the position's accuracy.
    /// - Parameter avoided: The indices of cells that must not be drawn in, row by row.
    func drawPositionCircle(avoiding avoided: Set<Int>, on screen: inout CellGrid) {
        let outline = positionCircle, circle = circleStyle
        guard !outline.isEmpty else { return }
        let ink = circle.map { $0.rim ?? $0.fill }
        OutlinePainter(map.viewport, map.settings, theme, avoiding: avoided, colour: ink).draw(
            [outline], on: &screen)
    }
}

/// The texts about the GPS position, and the guidance from it.
enum PositionText {
    static let none = "No GPS position. Connect to a receiver with :over gpsd:HOST."
    static func noPosition(from name: String, _ age: String) -> String {
        "No GPS position: \(name) is \(OverlayText.silent(for: age))"
    }

    static func silent(_ name: String, _ age: String) -> String { "\(name) silent for \(age)" }

    static let notFollowing = "Not following the position"
    static let following = "Following the position"
    static let followingBelow = "Following, with the position in the lower third"

    static func noFix(_ seconds: Int) -> String { "no fix for \(seconds) s" }

    static func old(_ seconds: Int) -> String { "position \(seconds) s old" }

    static let position = "your position: "

    static func course(_ degrees: Double) -> String {
        "course \(Int(clamping: degrees.rounded()))° \(PlaceBearing.compass(degrees))"
    }

    static func age(_ seconds: Int) -> String { "\(seconds) s ago" }

    static let follow = "f: follow"
    static let notFollowingNow = "not following"
    static let isFollowing = "following"
    static let routeFromHere = "a route from your position"
    static let arrived = "Destination reached"
    static let arrivedBriefly = "arrived"

    /// Returns the wordings about a position beside the route, longest first.
    static func offRoute(_ metres: Double) -> [String] {
        let distance = AmountText.metres(metres)
        return ["\(distance) off route · R, \(reroute)", "\(distance) off route", "\(distance) off"]
    }

    static let reroute = "a: reroute from here"
}
