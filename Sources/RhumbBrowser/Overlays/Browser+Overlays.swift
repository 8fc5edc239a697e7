public import RhumbCore
public import RhumbEngine

/// The live layers: overlays of features.
extension Browser {
    /// Moves the view to the features of the live layers once they are loaded, unless the user moves it
    /// first.
    public mutating func framesOverlays() { overlays.awaitsFrame = true }

    /// The view that shows all features of live layers; nil if there are none.
    public var overlayHome: Camera? {
        var whole = WorldBoxUnion()
        for layer in map.layers { if let box = layer.live?.index.box { whole.add(box) } }
        return whole.box.flatMap { camera(over: $0) }
    }

    /// Returns the view of a box with a margin.
    func camera(over box: WorldBox) -> Camera? {
        guard let bounds = box.bounds else { return nil }
        let camera = map.viewport.fitted(to: bounds, margin: 0.85)
        return camera.zoomed(to: min(camera.zoom, 15))
    }

    mutating func receive(_ status: OverlayStatus) -> [Effect] {
        let before = overlays.statuses[status.id]
        overlays.statuses[status.id] = status
        if let silence = status.silence { overlays.heard[status.id] = map.now - .seconds(silence) }
        var effects: [Effect] = []
        if let problem = status.problem, problem != before?.problem { effects += complain(problem) }
        effects += reportFaults(status)
        if let note = status.note, note != before?.note { effects += say(note) }
        if let remark = status.remark, remark != before?.remark { effects += say(remark) }
        if let path = status.recording.path, path != before?.recording.path {
            effects += say(OverlayText.recording(in: path))
        }
        if let problem = status.recording.problem, problem != before?.recording.problem {
            effects += complain(problem)
        }
        effects += frameOverlays(status)
        if status.isSilent { effects += watchPosition() }
        return effects + status.fixes.flatMap { receive($0) }
    }

    /// Reports skipped lines such as "walk.gpx: 3 skipped, line 7: …", those of a file once it has been read,
    /// and those of live data at once. Later ones update the notice.
    private mutating func reportFaults(_ status: OverlayStatus) -> [Effect] {
        let reported = overlays.reported[status.id] ?? OverlayFaults()
        guard status.isWhole || status.isLive, !status.isEmpty, let first = status.faults.first.first,
            !reported.includes(status.faults)
        else { return [] }
        overlays.reported[status.id] = status.faults
        let name = map.layers.first { $0.id == status.id }?.info.name ?? "overlay"
        let text = "\(name): \(status.faults.count) skipped, \(first)"
        map.notices.add(recurring: Notice(text, isProblem: true, time: map.now), isTotal: true)
        return wakeAfterNotice
    }

    /// Shows all features until the user moves the view.
    private mutating func frameOverlays(_ status: OverlayStatus) -> [Effect] {
        guard overlays.awaitsFrame else { return [] }
        guard map.viewport.camera == overlays.framed ?? movement.startCamera, movement.flight == nil else {
            overlays.awaitsFrame = false
            return []
        }
        let place = status.fixes.last?.place.map { Camera(center: $0, zoom: 14) }
        guard status.count > 0 && (status.isWhole || status.isLive) || place != nil else { return [] }
        if status.isWhole && !status.isLive { overlays.awaitsFrame = false }
        guard overlays.framed == nil || !showsAllOverlays, let camera = overlayHome ?? place else {
            return []
        }
        map.viewport = map.viewport.with(camera).keptOnMap()
        overlays.framed = map.viewport.camera
        return [.updateView]
    }

    private var showsAllOverlays: Bool {
        let view = map.viewport.box
        return map.layers.compactMap { $0.live?.index.box }.allSatisfy { box in
            let turns = (map.viewport.camera.center.x - (box.minX + box.maxX) / 2).rounded()
            return box.minX + turns >= view.minX && box.maxX + turns <= view.maxX && box.minY >= view.minY
                && box.maxY <= view.maxY
        }
    }

    // MARK: Walking

    /// Returns the actions that go to the next or previous feature of the topmost live layer with features.
    func walkingOverlay(by step: Int) -> [Action] {
        guard
            let layer = map.layers.last(where: { $0.isVisible && $0.live?.index.features.isEmpty == false }),
            let live = layer.live
        else {
            return [.say(TrackText.nothingToStep)]
        }
        let features = live.index.features, last = overlays.walked
        let slot = last?.layer == layer.id ? last.map { $0.slot + step } ?? 0 : step > 0 ? 0 : -1
        let at = (slot % features.count + features.count) % features.count
        return [.walkedFeature(layer.id, slot: at)]
            + going(to: features[at], "\(at + 1) of \(features.count)")
    }

    /// Returns the actions that go to a feature, and show its number.
    func going(to feature: OverlayFeature, _ number: String) -> [Action] {
        let others = feature.attributes.pairs.prefix(3).map { "\($0.name) \($0.value)" }.joined(
            separator: ", ")
        let text = feature.name.isEmpty ? others : feature.name
        let title = "\(number)\(text.isEmpty ? "" : ": ")\(SafeText.sanitised(text, limit: 120))"
        let target: Camera? =
            feature.kind == .point
            ? Camera(center: feature.middle.wrapped, zoom: map.viewport.camera.zoom)
            : camera(over: feature.box)
        let flight = target.map { [Action.fly(to: $0)] } ?? []
        return [.markCenter] + flight + [.say(title), .effect(.wake(after: Notice.life))]
    }

    // MARK: Panel

    /// Schedules the next drawing of a panel that shows ages of data or messages, each second.
    mutating func watchAges() -> [Effect] {
        let hasDataAges =
            (panels.top is LayersPanel || panels.top is HerePanel)
            && (!overlays.heard.isEmpty || position.fix != nil)
        guard map.now >= overlays.nextAge,
            hasDataAges || panels.top is MessagesPanel && !map.notices.all.isEmpty
        else { return [] }
        overlays.nextAge = map.now + .seconds(1)
        return [.wake(after: .seconds(1))]
    }

    /// Returns the state of a live layer: the number of features, its age and its errors.
    func overlayLines(_ layer: TileLayer, indent: Int = 4) -> [PanelText.Line] {
        let margin = String(repeating: " ", count: indent)
        guard let status = overlays.statuses[layer.id] else { return [.init(text: margin + "…")] }
        var words = [AmountText.count(status.count, "feature")]
        if status.isLive, let heard = overlays.heard[layer.id] {
            let age = AmountText.age(Int64((map.now - heard) / .seconds(1)))
            words = status.isSilent ? [OverlayText.silent(for: age)] : words + ["updated \(age) ago"]
        }
        var lines = [PanelText.Line(text: margin + words.joined(separator: "  "))]
        func add(_ text: String, indent: Int) {
            lines += wrapped(text, indent: indent).map {
                .init(text: String(repeating: " ", count: indent) + $0.text)
            }
        }
        let recording = status.recording.path.map { OverlayText.recording(in: $0) }
        for sentence in [
            status.isSilent ? nil : status.problem, status.note, status.remark, status.recording.problem,
            recording,
        ] {
            if let sentence { add(sentence, indent: indent) }
        }
        if status.faults.count > 0 {
            add("skipped: \(AmountText.count(status.faults.count))", indent: indent)
            for fault in status.faults.first.prefix(3) { add("\(fault)", indent: indent + 2) }
        }
        return lines
    }

    /// The legend of the topmost layer that is coloured by a value; nil if none is shown.
    private var overlayLegend: OverlayLegend? {
        guard traffic.status == nil, tileLegendBox == nil, panels.isEmpty || map.columns >= 100,
            let legend = map.layers.filter(\.isVisible).compactMap({ $0.live?.legend ?? $0.legend }).last,
            map.viewport.rows > legend.entries.count + 4
        else { return nil }
        return legend
    }

    /// The cells that the legend of the overlay covers, at the lower left of the map; nil if none is shown.
    var overlayLegendBox: CellBox? {
        overlayLegend.map { legend in
            let longest = max(legend.entries.map(\.text.width).max() ?? 0, legend.title.width)
            let top = map.viewport.rows - legend.entries.count - 1
            return CellBox(columns: 0..<min(longest + 5, map.viewport.columns), rows: top..<map.viewport.rows)
        }
    }

    func drawOverlayLegend(on screen: inout CellGrid) {
        guard let legend = overlayLegend, let box = overlayLegendBox else { return }
        let width = box.columns.count, top = box.rows.lowerBound
        func line(_ text: String, _ row: Int, _ style: Cell.Style) {
            let shown = map.settings.isUnicode ? text : Transliteration.ascii(text.replacing("≥", with: ">="))
            let line = shown.padded(to: width).clipped(to: width)
            screen.write(line, row: row, column: 0, paper: .terminal, style: style)
        }
        line(" " + legend.title, top, .bold)
        for (at, entry) in legend.entries.enumerated() {
            line("   " + entry.text, top + 1 + at, [])
            guard map.settings.depth != .mono else { continue }
            let ink: CellColor =
                map.settings.depth == .indexed16 ? .indexed(Palette16.nearest(entry.ink)) : .rgb(entry.ink)
            screen.write(
                map.settings.isUnicode ? "●" : "*", row: top + 1 + at, column: 1, ink: ink, paper: .terminal,
                style: .bold)
        }
    }
}

/// The texts about live layers.
enum OverlayText {
    static func recording(in path: String) -> String {
        "Recording the track in \(SafeText.sanitised(path))"
    }

    static func silent(for age: String) -> String { "connected, but has sent nothing for \(age)" }
}

extension Browser {
    /// The first server that is connected, but has sent no data, and the time of its silence; nil for none.
    var silentOverlay: (name: String, silence: Duration, age: String)? {
        map.layers.firstNonNil { layer in
            guard overlays.statuses[layer.id]?.isSilent == true, let heard = overlays.heard[layer.id] else {
                return nil
            }
            let silence = map.now - heard
            return (layer.info.name, silence, AmountText.age(Int64(silence / .seconds(1))))
        }
    }
}

/// The state of the live layers, apart from their features.
struct OverlayState: Sendable {
    var statuses: [TileLayer.ID: OverlayStatus] = [:]
    var reported: [TileLayer.ID: OverlayFaults] = [:]
    /// The time of the last status of each layer.
    var heard: [TileLayer.ID: Duration] = [:]
    /// The time when the shown ages change.
    var nextAge = Duration.zero
    /// True if the view moves to the layers' features once they are loaded.
    var awaitsFrame = false
    /// The last camera that this move has set.
    var framed: Camera?
    /// The last visited feature.
    var walked: (layer: TileLayer.ID, slot: Int)?
}

/// The position that a receiver reports, and the state of following it.
struct PositionState: Sendable {
    /// The last fix with a place.
    var fix: PositionFix?
    /// The time of the last fix.
    var heard = Duration.zero
    /// True if the receiver has a fix now.
    var isFixed = false
    var following = Following.off
    /// True if following is suspended, because the user has moved the view.
    var isSuspended = false
    /// The time of the next check of the fix's age.
    var nextCheck = Duration.zero

    /// The location of the position in a view that follows it.
    enum Following: Sendable { case off, middle, lowerThird }

    /// The ages from which a fix is reported as old, and from which it is drawn in grey.
    static let late = Duration.seconds(5), stale = Duration.seconds(30)
}

/// A feature of a live layer that was found by its name.
public struct OverlayMatch: Sendable {
    let feature: OverlayFeature
    let layer: String
}

/// A query for the features of live layers whose names contain a text, ignoring case.
public struct OverlayNamesQuery: Query {
    let text: String

    static let limit = 8
    /// The number of features that are searched before the next frame. More take a query: to search the names
    /// of 300,000 points after each key stopped the screen for a second.
    static let searchedAtOnce = 2_000

    /// Returns the first matches, those of the topmost layer first.
    public func matches(in layers: [TileLayer]) -> [OverlayMatch] {
        let wanted = Array(text.lowercased().utf8)
        guard wanted.count >= 2 else { return [] }
        var found: [OverlayMatch] = []
        for layer in layers.reversed() where layer.isVisible {
            for (index, feature) in (layer.live?.index.features ?? []).enumerated() {
                if index % 1024 == 0, Task.isCancelled { return found }
                guard feature.name.lowercased().contains(wanted) else { continue }
                found.append(OverlayMatch(feature: feature, layer: layer.info.name))
                if found.count == Self.limit { return found }
            }
        }
        return found
    }

    public typealias Response = [OverlayMatch]
}

extension String {
    /// Returns true if the text contains the bytes. `contains` of strings compares characters, which takes
    /// thirty times as long.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool {
        var text = self
        return text.withUTF8 { all in
            guard let first = bytes.first, all.count >= bytes.count else { return bytes.isEmpty }
            for start in 0...(all.count - bytes.count) where all[start] == first {
                if all[start..<(start + bytes.count)].elementsEqual(bytes) { return true }
            }
            return false
        }
    }
}

extension Browser {
    /// The number of features with names that a search reads.
    var searchableFeatures: Int {
        map.layers.reduce(0) { $0 + ($1.isVisible ? $1.live?.index.features.count ?? 0 : 0) }
    }
}
