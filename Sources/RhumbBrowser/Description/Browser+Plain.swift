internal import RhumbCore
internal import RhumbEngine

/// The state of the program as lines of text, for the program without a screen.
extension Browser {
    /// The topmost panel: its title and its lines; empty if no panel is open.
    public var panelTextLines: [String] {
        guard let panel = panels.top else { return [] }
        let text = panel.text(self, Scene(layers: []))
        let rows = text.lines.map { line in
            (line.style.contains(.reverse) ? "selected: " : "") + (line.cells.isEmpty ? line.plain : "")
        }
        let answers = (panel as? Consent).map { " y \($0.yes), n \($0.no)" } ?? ""
        let footer = text.footer.isEmpty ? "" : text.footer + answers
        return ([text.title] + rows + [footer]).map(\.spoken).filter { !$0.isEmpty }
    }

    /// The problem of the typed line; nil if there is none.
    public var promptProblem: String? { input.prompt?.complaint?.description.spoken }

    /// True while a prompt is open.
    public var isAsking: Bool { input.prompt != nil }

    /// The question that waits for `y` or `n`; nil if there is none.
    public var openQuestion: String? { (panels.top as? Consent)?.question.spoken }

    /// True while Enter waits for the result of a search, for a place or for an end of a route.
    public var isFindingPlace: Bool {
        (panels.top as? SearchPanel)?.earlyEnter.isPressed ?? (panels.top as? RoutePanel)?.isFindingPlace
            ?? false
    }

    /// True while the open search awaits its first answer.
    public var isSearching: Bool {
        (panels.top as? SearchPanel).map { $0.found.asked != nil && $0.settled == nil } ?? false
    }

    /// True if the open search found no place.
    public var hasFoundNothing: Bool {
        (panels.top as? SearchPanel).map { $0.matches.isEmpty && $0.own.isEmpty && $0.spot == nil } ?? false
    }

    /// True if the place of a route is still to be named.
    public var lacksRoutePlace: Bool { (panels.top as? RoutePanel)?.field != nil }

    /// The reason why the last search found nothing, or is not complete; nil for none.
    public var searchNote: String? {
        let panel = panels.top as? SearchPanel
        return (panel?.problem ?? panel?.found.current?.problem ?? panel?.found.current?.indexingNote)?.spoken
    }

    /// The reason why there is no route; nil if there is one, or if the panel offers a choice.
    public var routeProblem: String? {
        guard panels.top is RoutePanel, let problem = route.problem, problem != .noEngine else { return nil }
        return FailureText.notice(problem).spoken
    }

    /// True if there is a route.
    public var hasRoute: Bool { route.route != nil }

    /// The description of the point that `i` describes; nil until it is known, and while `i` is closed.
    public var pointDescription: DescriptionText? {
        guard let panel = panels.top as? HerePanel, let found = panel.surroundings.current.flatMap(\.self)
        else {
            return nil
        }
        return DescriptionText(found, units: map.settings.units, heading: course, nextStep: panel.routeAhead)
    }

    /// Returns the next step of the shown route from a place; nil without a route.
    func routeAhead(from place: Coordinate) -> RouteAhead? {
        guard let shown = route.route, shown.line.count > 1 else { return nil }
        var guide = RouteGuide(shown)
        guard let progress = guide.move(to: place) else {
            return RouteAhead(metres: nil, instruction: "The shown route does not pass here")
        }
        guard !progress.hasArrived, let next = progress.next, shown.steps.indices.contains(next) else {
            return RouteAhead(metres: nil, instruction: "The shown route ends here")
        }
        let words = shown.steps[next].instruction(stop: shown.stop(next))
        return RouteAhead(metres: progress.distanceToNext, instruction: words)
    }

    /// True if `i` is open, and its description can't be read.
    public var hasNoDescription: Bool {
        (panels.top as? HerePanel)?.surroundings.current.map { $0 == nil } ?? false
    }

    /// True while a route is calculated.
    public var isRouting: Bool { route.asked != nil }

    /// True if the panel of a route is open and shows one.
    public var showsRoute: Bool { openPanel == .route && route.route != nil }

    /// The selected step of the route, or the first one: "Step 2 of 9: Turn left onto Via Roma, 350 m."; nil
    /// without a route.
    public var stepLine: String? {
        guard let shown = route.route, !shown.steps.isEmpty else { return nil }
        let at = min(route.step ?? 0, shown.steps.count - 1), step = shown.steps[at]
        let distance = step.distance > 0 ? ", then \(AmountText.metres(step.distance))" : ""
        return "Step \(at + 1) of \(shown.steps.count): \(step.instruction(stop: shown.stop(at)))\(distance)."
            .spoken
    }

    /// True while this program downloads a region.
    public var isDownloading: Bool { stored.regions.contains(where: \.isUnderWay) }

    /// The names on the map from north to south, each with its part of the picture, for a legend.
    public var legendOfNames: [String] {
        guard let (labels, box) = shownLabels else { return [] }
        let view = map.viewport
        var seen: Set<String> = []
        let names = labels.compactMap { label -> (row: Int, text: String)? in
            guard !label.text.isEmpty, seen.insert(label.text).inserted else { return nil }
            let row = label.row - box.rows.lowerBound
            let column = (label.columns.lowerBound + label.columns.upperBound) / 2 - box.columns.lowerBound
            let east = Double(column) / Double(view.columns) - 0.5
            let south = Double(row) / Double(view.rows) - 0.5
            let isCentral = max(abs(east), abs(south)) < 0.17
            let way = isCentral ? "centre" : PlaceBearing.compassWord(WorldPoint(x: east, y: south).degrees)
            return (row, "\(label.text): \(way)".spoken)
        }
        return names.sorted { ($0.row, $0.text) < ($1.row, $1.text) }.map(\.text)
    }
}

extension WorldPoint {
    /// The direction from the origin in degrees clockwise from north.
    fileprivate var degrees: Double {
        Coordinate(latitude: 0, longitude: 0).bearing(to: Coordinate(latitude: -y, longitude: x))
    }
}

extension String {
    private static let units = [
        "m": ("metre", "metres"), "km": ("kilometre", "kilometres"), "mi": ("mile", "miles"),
        "ft": ("foot", "feet"), "s": ("second", "seconds"), "min": ("minute", "minutes"),
        "h": ("hour", "hours"),
    ]
    private static let compass = [
        "N": "north", "NE": "north-east", "E": "east", "SE": "south-east", "S": "south", "SW": "south-west",
        "W": "west", "NW": "north-west",
    ]

    /// The text with commands of the program without a screen instead of keys: "type key d" for "press d".
    public var withTypedKeys: String {
        var words = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for at in words.indices.dropLast() where words[at].lowercased() == "press" {
            guard words[at + 1].prefix(while: { !",.;:)".contains($0) }).count == 1 else { continue }
            words[at] = words[at].hasPrefix("P") ? "Type key" : "type key"
        }
        return words.joined(separator: " ")
    }

    /// The text with the units after numbers spelled out, because a screen reader says "180 em" for "180 m",
    /// and with the compass points after them.
    public var withUnitsInWords: String {
        var words: [String] = [], isAmount = false
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let name = word.prefix { $0.isLetter }, rest = word.dropFirst(name.count)
            let last = words.last ?? "", isPlain = rest.allSatisfy { ",.;:)".contains($0) }
            let isNumber =
                last.last?.isNumber == true && last.allSatisfy { $0.isNumber || ".,(\u{2212}-".contains($0) }
            if isNumber, isPlain, let unit = Self.units[String(name)] {
                words.append((last.drop { $0 == "(" } == "1" ? unit.0 : unit.1) + rest)
                isAmount = true
                continue
            }
            let point = isAmount && isPlain ? Self.compass[String(name)] : nil
            words.append(point.map { $0 + rest } ?? String(word))
            isAmount = false
        }
        return words.joined(separator: " ")
    }

    /// The text for a screen reader: without control characters, arrows, boxes, blocks, symbols and braille.
    public var spoken: String {
        let words: [Unicode.Scalar: String] = ["\u{2248}": "about ", "\u{2026}": "...", "\u{B7}": ","]
        let parts = unicodeScalars.map { scalar in
            if let word = words[scalar] { return word }
            let isSign = (0x2190...0x2BFF).contains(scalar.value)
            let isUnprintable = [.control, .format, .privateUse].contains(scalar.properties.generalCategory)
            return isSign || isUnprintable ? " " : String(Character(scalar))
        }
        return parts.joined().split(separator: " ").joined(separator: " ").replacing(" ,", with: ",")
    }
}
