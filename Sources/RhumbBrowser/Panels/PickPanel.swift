internal import RhumbCore
internal import RhumbEngine

/// The panel in which the user picks a place, a box, a polygon or a feature on the map. It stays open until
/// the user has answered or cancelled.
struct PickPanel: Panel {
    var entry: PanelEntry { .pick }
    var marksPoint: Bool { true }
    let request: PickRequest
    private var trail = MeasuredPath()
    /// The first corner of a box.
    private var corner: Coordinate?
    var here = HerePanel()
    private var row = 0

    init(_ request: PickRequest) { self.request = request }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        switch key {
        case .escape, .character("q"): return [.effect(.picked(nil))]
        case .character(" "): return click(browser)
        case .backspace, .delete:
            corner = nil
            trail.undo()
        case .tab, .character("."): row += 1
        case .backTab, .character(","): row = max(row - 1, 0)
        default: return nil
        }
        return []
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        [answer(browser).map { .effect(.picked($0)) } ?? .complain(missing)]
    }

    /// Returns the result as it would be printed.
    func copied(_ browser: Browser) -> String {
        answer(browser) ?? ""
    }

    mutating func click(_ browser: Browser) -> [Action]? {
        switch request.kind {
        case .polygon: trail.add(browser.pointedPlace)
        case .bbox:
            if corner != nil { return answer(browser).map { [.effect(.picked($0))] } ?? [] }
            corner = browser.pointedPlace
        case .point, .feature: return [.viewMoved]
        }
        return []
    }

    mutating func ask(_ browser: Browser) -> [Action] {
        switch request.kind {
        case .feature: here.askFeatures(browser)
        case .point: here.askHeight(browser)
        case .bbox, .polygon: []
        }
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        if request.kind == .feature, response[FeatureQuery.self] != nil { row = 0 }
        return here.receive(response, browser)
    }

    // MARK: Answers

    private func answer(_ browser: Browser) -> String? {
        switch request.kind {
        case .point:
            request.answer(
                browser.pointedPlace, height: here.metres(at: browser.pointedPlace), in: browser.map.viewport)
        case .bbox: box(browser).map { request.answer($0) }
        case .polygon: closed.map { request.answer($0) }
        case .feature: chosen.map { request.answer($0, at: browser.pointedPlace) }
        }
    }

    private var missing: String {
        switch request.kind {
        case .polygon: PickText.tooFewPoints
        default: PickText.nothing
        }
    }

    private var closed: MeasuredPath? {
        var trail = trail
        trail.close()
        return trail.isClosed ? trail : nil
    }

    private var found: [MapFeature] {
        if case .success(let found)? = here.features.current { found } else { [] }
    }
    private var chosen: MapFeature? { found.isEmpty ? nil : found[row % found.count] }

    /// Returns the box between the corner and the mark, or the whole view without a corner.
    private func box(_ browser: Browser) -> Bounds? {
        guard let corner else { return try? browser.seenBounds() }
        let other = browser.pointedPlace
        let isEastward = Coordinate.wrapped(longitude: other.longitude - corner.longitude) >= 0
        let (west, east) = isEastward ? (corner, other) : (other, corner)
        return Bounds(
            west: west.longitude, south: min(corner.latitude, other.latitude), east: east.longitude,
            north: max(corner.latitude, other.latitude))
    }

    // MARK: Appearance

    func keys(_ browser: Browser) -> [PanelKey] {
        switch request.kind {
        case .point: [PanelKey("Enter", PickText.thisPlace)]
        case .bbox:
            corner == nil
                ? [PanelKey("Enter", PickText.thisView), PanelKey("Space", PickText.corner)]
                : [PanelKey("Enter", PickText.thisBox), PanelKey("Backspace", "undo")]
        case .polygon:
            [PanelKey("Space", PickText.point), PanelKey("Backspace", "undo"), PanelKey("Enter", "done")]
        case .feature: [PanelKey("Enter", "this"), PanelKey("Tab", "next")]
        }
    }

    func rings(_ browser: Browser) -> [[Position]] {
        switch request.kind {
        case .bbox: corner.flatMap { _ in box(browser) }.map { [$0.ring] } ?? []
        case .polygon: [trail.outline(to: browser.pointedPlace)]
        case .point, .feature: []
        }
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        PanelText(title: title, lines: lines(browser))
    }

    private var title: String {
        switch request.kind {
        case .point: PickText.place
        case .bbox: corner == nil ? PickText.box : PickText.oppositeCorner
        case .polygon: PickText.polygon(trail.points.count)
        case .feature: PickText.feature
        }
    }

    private func lines(_ browser: Browser) -> [PanelText.Line] {
        switch request.kind {
        case .point: browser.wrapped(request.answer(browser.pointedPlace, in: browser.map.viewport))
        case .bbox:
            box(browser).map {
                browser.wrapped(PickRequest(.bbox)?.answer($0).replacing(",", with: " ") ?? "")
            } ?? []
        case .polygon:
            [.fact("perimeter", PlaceFormat.length((closed ?? trail).metres, browser.map.settings.units))]
                + (closed.map {
                    [.fact("area", PlaceFormat.area($0.squareMetres, browser.map.settings.units))]
                }
                    ?? [])
        case .feature: featureLines(browser)
        }
    }

    private func featureLines(_ browser: Browser) -> [PanelText.Line] {
        guard !found.isEmpty else {
            return [.init(text: here.features.current == nil ? "…" : PickText.unnamed)]
        }
        return found.prefix(6).enumerated().map { at, feature in
            let name = feature.attributes.first?.value ?? feature.layer
            return .row(name, right: feature.layer, isSelected: at == row % found.count)
        }
    }
}

extension PanelEntry {
    static let pick = PanelEntry("pick") { _ in [] }
}

extension Browser {
    /// Starts a pick. The answer is returned as an effect, and the panel stays open until then.
    public mutating func begin(picking request: PickRequest) {
        panels.push(PickPanel(request))
        panels.pinOpen()
        input.isPicking = true
    }
}

/// The texts of the panel in which the user picks a place for another program.
enum PickText {
    static let tooFewPoints = "A polygon needs at least three points. Press Space to add one."
    static let nothing = "Nothing here"
    static let unnamed = "Nothing named here"
    static let thisPlace = "this place"
    static let thisView = "this view"
    static let corner = "a corner"
    static let thisBox = "this box"
    static let point = "a point"
    static let place = "Pick a place"
    static let box = "Pick a box: this view, or its corners"
    static let oppositeCorner = "Pick the opposite corner"

    static func polygon(_ points: Int) -> String {
        "Pick a polygon · \(AmountText.count(points, "point"))"
    }

    static let feature = "Pick a feature"
}
