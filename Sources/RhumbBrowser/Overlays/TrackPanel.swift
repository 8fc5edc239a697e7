internal import RhumbCore
public import RhumbEngine

/// The height profile of a track across the screen. Its cursor is also shown on the map.
struct TrackPanel: Panel {
    var entry: PanelEntry { .track }
    var spansScreen: Bool { true }
    var arrowsMoveMap: Bool { true }
    private let name: String
    private var paths: [OverlayPath]
    private var profile: TrackProfile?
    private var statistics: TrackStatistics
    /// The query for the track; nil once it is answered.
    private(set) var awaited: TrackQuery?
    /// The statistics of the marked section; nil without a mark.
    private var partStatistics: TrackStatistics?
    /// The heights of the ground, for a track without heights of its own.
    private var ground = Ground.unasked
    /// The position of the cursor on the axis, 0…1.
    private var cursor = 0.0
    /// The start of the marked section on the axis, 0…1; nil for none.
    private var mark: Double?
    /// The numbers of rows of the profile, fewest first.
    private static let (fewRows, someRows, manyRows) = (2, 3, 5)

    /// - Parameter source: The source of its heights; empty if it need not be named.
    init(_ track: FoundTrack, heightsBy source: String = "") {
        (name, paths, profile, statistics) = (track.name, track.paths, track.profile, track.statistics)
        if !source.isEmpty { ground = .known(source) }
    }

    /// Creates a panel without a track, which the answer to a query provides.
    private init(awaiting query: TrackQuery) {
        self.init(FoundTrack(OverlayFeature(.line([])), ""))
        awaited = query
    }

    /// Returns the actions that open the profile of the track nearest to the point that `i` describes.
    fileprivate static func opening(_ browser: Browser) -> [Action] {
        let box = browser.map.viewport.box
        let query = TrackQuery(
            place: Mercator.world(browser.pointedPlace), reach: (box.maxX - box.minX) / 2)
        return [.show(TrackPanel(awaiting: query)), .ask(query)]
    }

    private enum Ground: Sendable { case unasked, asked, none, known(String) }
    /// The reason why heights of the ground are unknown; nil if all are known.
    private var gapReason: String?

    mutating func ask(_ browser: Browser) -> [Action] {
        guard awaited == nil, profile == nil, case .unasked = ground else { return [] }
        ground = .asked
        return [.ask(HeightQuestion(paths: paths))]
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        if let response = response[TrackQuery.self], response.query == awaited {
            guard let track = response.value else {
                return (browser.panels.top is TrackPanel ? [.pop] : []) + [.say(TrackText.noTrack)]
            }
            self = TrackPanel(track)
            return ask(browser)
        }
        if let response = response[HeightQuestion.self] { receive(response.value, to: response.query) }
        return []
    }

    private mutating func receive(_ response: HeightQuestion.Response, to question: HeightQuestion) {
        guard question == HeightQuestion(paths: paths) else { return }
        gapReason = response.gapReason
        let lifted = zip(paths, response.heights).map { OverlayPath($0.points, heights: $1, times: $0.times) }
        guard let source = response.source, let found = TrackProfile(lifted), found.heights != nil else {
            ground = .none
            return
        }
        paths = lifted
        profile = found
        statistics = TrackStatistics(lifted)
        ground = .known(source)
    }

    /// The position of the cursor on the map.
    var spot: WorldPoint? {
        profile.map { profile in
            let point = profile.path.points[profile.point(at: cursor)]
            return WorldPoint(x: point.x, y: point.y)
        }
    }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        let step = 1 / Double(max(width(browser) - 1, 1))
        switch key {
        case .arrow(.left, let isFast): cursor = max(cursor - step * (isFast ? 10 : 1), 0)
        case .arrow(.right, let isFast): cursor = min(cursor + step * (isFast ? 10 : 1), 1)
        case .home: cursor = 0
        case .end: cursor = 1
        case .character(" "): mark = mark == nil ? cursor : nil
        case .tab: return changeAxis(browser)
        default: return nil
        }
        partStatistics = profile.flatMap { profile in
            part(profile).map { TrackStatistics(profile.path, $0.lowerBound..<$0.upperBound + 1) }
        }
        return showCursor(browser)
    }

    /// Moves the map if the cursor has left the view.
    private func showCursor(_ browser: Browser) -> [Action] {
        guard let spot else { return [] }
        let cell = browser.map.viewport.cell(of: spot), view = browser.map.viewport
        let isSeen =
            (1..<Double(view.columns) - 1).contains(cell.column)
            && (1..<Double(browser.wholePanelFrame.row) - 1).contains(cell.row)
        guard !isSeen else { return [] }
        let down = Int((cell.row - Double(browser.wholePanelFrame.row) / 2).rounded())
        let right = Int((cell.column - Double(view.columns) / 2).rounded())
        return [.view(view.panned(columns: right, rows: down))]
    }

    private mutating func changeAxis(_ browser: Browser) -> [Action] {
        guard let changed = TrackProfile(paths, axis: profile?.axis == .distance ? .time : .distance) else {
            return [.say(TrackText.noTimes)]
        }
        profile = changed
        return []
    }

    // MARK: Text

    func keys(_ browser: Browser) -> [PanelKey] {
        guard profile != nil else { return [] }
        return [.init("← →", "move"), .init("Space", TrackText.selectPart), .init("Tab", TrackText.axis)]
    }

    /// Returns the width of the profile in columns, without the axis of heights.
    private func width(_ browser: Browser) -> Int {
        max(browser.wholePanelFrame.columns - 4 - (profile?.heights.map(ProfileBars.axisWidth) ?? 0), 8)
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard awaited == nil else { return PanelText(title: name, lines: browser.wrapped(TrackText.reading)) }
        let zone = browser.map.settings.zone, facts = packed(figures(zone), browser)
        let here = profile.map { packed(self.here($0, zone), browser) } ?? []
        guard let profile, let heights = profile.heights else {
            return PanelText(title: name, lines: facts + here + browser.wrapped(noHeights))
        }
        let notes = [gapReason.map(TrackText.partialElevation), credit].compactMap(\.self)
            .flatMap { browser.wrapped($0) }
        // Statistics that don't fit above the profile are below it.
        let fixed = 3 + here.count + Self.fewRows + notes.count + browser.panelKeyLines.count
        var room = browser.wholePanelFrame.rows - fixed
        func take(_ most: Int) -> Int {
            let taken = min(max(room, 0), most)
            room -= taken
            return taken
        }
        var rows = Self.fewRows + take(Self.someRows - Self.fewRows)
        let above = 1 + take(facts.count - 1)
        rows += take(Self.manyRows - Self.someRows)
        var bars = ProfileBars(columns: profile.columns(width(browser)), heights, rows: rows)
        bars.cursor = cursor
        bars.mark = mark
        let scale = axis(profile, width(browser), indent: ProfileBars.axisWidth(heights))
        return PanelText(
            title: name,
            lines: Array(facts.prefix(above)) + here + bars.lines(browser) + [scale] + notes
                + facts.dropFirst(above)
        )
    }

    /// Returns texts separated by commas, in lines that break between them.
    private func packed(_ parts: [String], _ browser: Browser) -> [PanelText.Line] {
        let columns = browser.map.settings.isSpoken ? Int.max : browser.wholePanelFrame.columns - 4
        let words = parts.dropLast().map { $0 + "," } + parts.suffix(1)
        return words.lines(of: columns).map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
            .flatMap { browser.wrapped($0) }
    }

    private var credit: String? {
        if case .known(let source) = ground { "elevation: \(source)" } else { nil }
    }

    private var noHeights: String {
        if case .asked = ground { return TrackText.elevationAwaited }
        return gapReason.map(TrackText.missingElevation) ?? TrackText.noElevation
    }

    /// The statistics of the marked section, or else of the whole track.
    private func figures(_ zone: ClockZone) -> [String] {
        let facts = (partStatistics ?? statistics).facts(in: zone).map { "\($0.name) \($0.value)" }
        return partStatistics == nil ? facts : facts.prefix(1).map { "part: " + $0 } + facts.dropFirst()
    }

    /// Returns the points between the mark and the cursor; nil without a mark.
    private func part(_ profile: TrackProfile) -> ClosedRange<Int>? {
        mark.map { profile.point(at: min($0, cursor))...profile.point(at: max($0, cursor)) }
    }

    /// Returns the statistics of the whole track or of the marked section, one per line.
    func copied(_ browser: Browser) -> String {
        var title = name, figures = statistics
        if let profile, let part = part(profile), let partStatistics {
            figures = partStatistics
            let ends = [part.lowerBound, part.upperBound].map {
                text(of: profile.position(of: $0), profile.axis)
            }
            title += ", \(ends[0]) to \(ends[1])"
        }
        let facts = figures.facts(in: browser.map.settings.zone).map { "\($0.name): \($0.value)" }
        return ([title] + facts).joined(separator: "\n")
    }

    private func here(_ profile: TrackProfile, _ zone: ClockZone) -> [String] {
        let point = profile.point(at: cursor), height = profile.path.heights[point]
        var parts = ["here: " + text(of: profile.position(of: point), profile.axis)]
        if !height.isNaN { parts.append("height \(Int(clamping: Double(height))) m") }
        if !profile.path.times.isEmpty, !profile.path.times[point].isNaN {
            parts.append("time \(zone.time(profile.path.times[point]))")
        }
        return parts
    }

    private func text(of position: Double, _ axis: TrackProfile.Axis) -> String {
        axis == .distance ? TrackStatistics.length(position) : TrackStatistics.clock(position)
    }

    private func axis(_ profile: TrackProfile, _ width: Int, indent: Int) -> PanelText.Line {
        let start = text(of: 0, profile.axis), middle = text(of: profile.length / 2, profile.axis),
            end = text(of: profile.length, profile.axis)
        let gap = max(width / 2 - start.width - middle.width / 2, 1)
        func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
        return .init(text: blanks(indent) + start + blanks(gap) + middle, right: end, style: .dim)
    }
}

extension PanelEntry {
    static let track = PanelEntry("track") { TrackPanel.opening($0) }
}

extension Browser {
    /// The location of the cursor of the open profile; nil if none is open.
    var trackCursor: WorldPoint? { (panels.top as? TrackPanel)?.spot }

    /// Draws the cursor of the open profile on the map.
    func drawTrackCursor(on screen: inout CellGrid) {
        guard let spot = trackCursor else { return }
        let cell = map.viewport.cell(of: spot), row = Int(cell.row.rounded(.down)),
            column = Int(cell.column.rounded(.down))
        guard (0..<map.viewport.rows).contains(row), (0..<map.viewport.columns).contains(column) else {
            return
        }
        let isMono = map.settings.depth == .mono
        screen.write(
            map.settings.isUnicode ? "◆" : "X", row: row, column: column,
            ink: isMono ? .terminal : .indexed(15),
            paper: isMono ? .terminal : .indexed(1), style: isMono ? [.bold, .reverse] : .bold)
    }
}

/// The heights along a track as columns of blocks, beside an axis of heights.
struct ProfileBars {
    private let columns: [Double?]
    private let heights: ClosedRange<Double>
    private let rows: Int
    /// The share of the axis that the cursor marks, 0…1; nil for none.
    var cursor: Double?
    /// The other end of the highlighted section, 0…1; nil to highlight nothing.
    var mark: Double?
    /// The minimum range of the vertical axis in metres, so that level ground looks level.
    private static let leastSpan = 20.0

    /// - Parameters:
    ///   - columns: The height at each column; nil where unknown.
    ///   - heights: The lowest and the highest of them.
    init(columns: [Double?], _ heights: ClosedRange<Double>, rows: Int) {
        self.columns = columns
        self.heights = heights
        self.rows = rows
    }

    /// - Parameter columns: The width in columns, including the axis.
    /// - Returns: nil if no heights are known.
    init?(_ profile: TrackProfile?, columns: Int, rows: Int) {
        guard let profile, let heights = profile.heights else { return nil }
        self.init(columns: profile.columns(max(columns - Self.axisWidth(heights), 4)), heights, rows: rows)
    }

    private var span: Double { max(heights.upperBound - heights.lowerBound, Self.leastSpan) }

    /// Returns the width of the axis of heights in columns, including a gap.
    static func axisWidth(_ heights: ClosedRange<Double>) -> Int {
        let ends = [heights.lowerBound, max(heights.upperBound, heights.lowerBound + leastSpan)]
        return (ends.map { Self.text($0).width }.max() ?? 0) + 1
    }

    private static func text(_ height: Double) -> String { "\(height.decimals(0)) m" }

    /// Returns a row of the axis, with heights at the top, at the bottom, and in the middle of an odd number
    /// of rows.
    private func axis(_ row: Int) -> [Cell] {
        let share = [0: 1, rows - 1: 0, rows % 2 == 1 ? rows / 2 : -1: 0.5][row]
        let words = share.map { Self.text(heights.lowerBound + span * $0) } ?? ""
        return (words.leftPadded(to: Self.axisWidth(heights) - 1) + " ").unicodeScalars.map {
            Cell($0, style: .dim)
        }
    }

    /// Returns the lines, topmost row first.
    func lines(_ browser: Browser) -> [PanelText.Line] {
        let isUnicode = browser.map.settings.isUnicode, steps = isUnicode ? 8 : 2
        func column(_ share: Double) -> Int { Int(clamping: share * Double(columns.count - 1)) }
        let part = mark.flatMap { mark in cursor.map { column(min(mark, $0))...column(max(mark, $0)) } }
        return (0..<rows).map { row in
            let cells = columns.enumerated().map { at, height in
                let full =
                    height.map {
                        Int(clamping: min(($0 - heights.lowerBound) / span, 1) * Double(rows * steps - 1)) + 1
                    } ?? 0
                var cell = Cell(
                    Self.bar(full - (rows - 1 - row) * steps, isUnicode), ink: browser.face.accent)
                if let part { cell.style = part.contains(at) ? .bold : .dim }
                if at == cursor.map(column) { cell.style.insert(.reverse) }
                return cell
            }
            return PanelText.Line(text: "", cells: axis(row) + cells)
        }
    }

    private static func bar(_ fill: Int, _ isUnicode: Bool) -> Unicode.Scalar {
        guard isUnicode else { return fill <= 0 ? " " : fill == 1 ? "." : ":" }
        let bars: [Unicode.Scalar] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return bars[min(max(fill, 0), 8)]
    }
}

/// A query for the track near a location, with its profile. Long tracks take a while.
public struct TrackQuery: Query {
    let place: WorldPoint
    /// The radius of the search in widths of the world.
    let reach: Double

    /// Returns the nearest track of the topmost live layer with a track; nil if there is none. Tracks with
    /// heights take precedence over others.
    public func track(in layers: [TileLayer]) -> FoundTrack? {
        for layer in layers.reversed() {
            guard let index = layer.live?.index, index.hasShapes, layer.isVisible else { continue }
            let near = index.features(at: place, reach: reach, limit: .max, withPoints: false)
            let lines =
                near.map { index.features[$0] }.filter { $0.kind == .line }
                + index.features.lazy.filter { $0.kind == .line }
            guard let track = lines.first(where: \.hasHeights) ?? lines.first else { continue }
            return FoundTrack(track, layer.info.name)
        }
        return nil
    }

    /// The track; nil if there is none.
    public typealias Response = FoundTrack?
}

/// A track with its profile and statistics.
public struct FoundTrack: Sendable {
    let name: String
    let paths: [OverlayPath]
    /// The profile; nil without heights.
    let profile: TrackProfile?
    let statistics: TrackStatistics

    /// - Parameter layer: The name of the layer, for a track without a name.
    init(_ feature: OverlayFeature, _ layer: String) {
        name = feature.name.isEmpty ? layer : feature.name
        paths = feature.paths
        profile = TrackProfile(paths)
        statistics = TrackStatistics(paths)
    }
}

extension OverlayFeature {
    fileprivate var hasHeights: Bool { paths.contains { !$0.heights.isEmpty } }
}

/// The texts of the panel of a track.
enum TrackText {
    static let noTimes = "Track has no timestamps"
    static let selectPart = "select a part"
    static let axis = "distance or time"
    static let elevationAwaited = "Track has no elevation; looking it up …"
    static let noElevation = "Track has no elevation, and no elevation source covers it"
    static func missingElevation(_ reason: String) -> String { "Track has no elevation: \(reason)" }
    static func partialElevation(_ reason: String) -> String { "Elevation is incomplete: \(reason)" }
    static let reading = "Reading the track …"
    static let noneRecorded = "No track is recorded. Connect to a receiver with :over gpsd:HOST."
    static let onlyGPX = "A recorded track is saved as GPX. Use a name that ends in .gpx."
    static let noTrack = "No track loaded. Add one with :over FILE.gpx"
    static let nothingToStep = "Nothing to step through. Search with /, or add data with :over FILE"
}
