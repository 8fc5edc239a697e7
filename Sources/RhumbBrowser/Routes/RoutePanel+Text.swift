internal import RhumbCore
internal import RhumbEngine

/// The text of the route panel.
extension RoutePanel {
    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        if field != nil, browser.input.prompt != nil || earlyEnter.isPressed { return placeText(browser) }
        guard let route = browser.route.route, let found = browser.route.found else {
            return formText(browser)
        }
        let next = browser.route.step == nil ? browser.routeProgress?.next : nil
        var lines = guidanceLines(route, browser), chosen = 0
        for (at, step) in route.steps.enumerated() {
            if at == browser.route.step ?? next { chosen = lines.count }
            lines += stepLines(at, step, route, browser)
        }
        lines.append(.init(text: ""))
        lines +=
            profileLines(found.answer.heightCredit(of: route), browser) + times(route, found, browser)
            + facts(browser, isShown: true) + [.fact("engine", found.answer.provider)]
        if let age = found.age { lines.append(.fact("age", AmountText.age(age))) }
        lines += route.remarks.flatMap { browser.wrapped($0) }
        return PanelText(title: title(route, found, browser), lines: lines, focus: chosen)
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        if field != nil, browser.input.prompt != nil {
            return [.init("Enter", "take"), .init("↑ ↓", "choose")]
        }
        if browser.route.asked != nil { return [.init("Esc", "cancel")] }
        if offers(browser) != nil { return [.init("Enter", "use"), .init("↑ ↓", "choose")] }
        let places = [
            PanelKey("t", "to"), .init("f", "from"), .init("F T V", "from, to, via here"), .init("v", "via"),
        ]
        let changes = [PanelKey("b", "reverse"), .init("m", "mode"), .init("1–3", "avoid")]
        guard browser.route.found != nil else { return [.init("Enter", "find")] + places + changes }
        let others =
            (browser.route.found?.answer.routes.count ?? 0) > 1 ? [PanelKey("Tab", "other route")] : []
        let again = browser.position.fix == nil ? [] : [PanelKey("a", "reroute")]
        return [.init("↑ ↓", "steps"), .init("w", "whole route")] + again + others + [
            .init("d", "download"), .init("P", "profile"),
        ] + places + changes
            + [.init("x", "clear")]
    }

    /// Returns the height profile and its attribution, if stored.
    private func profileLines(_ credit: String, _ browser: Browser) -> [PanelText.Line] {
        guard let stored = browser.route.profile,
            let bars = ProfileBars(stored.profile, columns: max(browser.panelFrame.columns - 4, 8), rows: 3)
        else { return [] }
        let source = browser.wrapped(
            "elevation: \(browser.map.settings.isUnicode ? credit : Transliteration.ascii(credit.replacingSign))"
        )
        .map { PanelText.Line(text: $0.text, style: .dim) }
        return [.init(text: stored.climb, style: .dim)] + bars.lines(browser) + source + [.init(text: "")]
    }

    // MARK: The route

    /// The columns of the title's frame, and of a hint about lines out of view.
    private static let (frameOfTitle, hintOfTitle) = (6, 12)

    /// Returns the title, such as "12.3 km · 14 min · 1/2 · 17:04 · car", with as many parts as fit.
    private func title(_ route: Route, _ found: FoundRoute, _ browser: Browser) -> String {
        let dot = browser.map.settings.isUnicode ? " · " : ", ", count = found.answer.routes.count
        let number = count > 1 ? "\(browser.route.chosen + 1)/\(count)" : ""
        let times = times(route, found, browser).map(\.right)
        let parts =
            [AmountText.metres(route.distance), AmountText.seconds(route.duration), number] + times
            + [browser.route.mode.rawValue]
        let room = browser.wholePanelFrame.columns - Self.frameOfTitle - Self.hintOfTitle
        return parts.filter { !$0.isEmpty }.reduce("") { title, part in
            let longer = title.isEmpty ? part : title + dot + part
            return title.isEmpty || longer.width <= room ? longer : title
        }
    }

    /// Returns the times of the shown route.
    private func times(_ route: Route, _ found: FoundRoute, _ browser: Browser) -> [PanelText.Line] {
        let chosen = browser.route.chosen
        let arrival = found.arrivals.indices.contains(chosen) ? found.arrivals[chosen] : nil
        let delay = route.delay.flatMap { $0 >= 30 ? "+\(AmountText.seconds($0)) traffic" : nil }
        return [("arrival", arrival), ("delay", delay)].compactMap { label, value in
            value.map { .fact(label, $0) }
        }
    }

    /// Returns the lines of a step: its sign, instruction, and distance to the next step.
    private func stepLines(
        _ at: Int, _ step: RouteStep, _ route: Route, _ browser: Browser
    ) -> [PanelText.Line] {
        let isUnicode = browser.map.settings.isUnicode
        let words = step.instruction(stop: route.stop(at)),
            shown = isUnicode ? words : Transliteration.ascii(words)
        let sign = step.manoeuvre.sign(isUnicode: isUnicode)
        let distance = step.distance > 0 ? AmountText.metres(step.distance) : ""
        let isNext = browser.routeProgress.map { !$0.isOff && $0.next == at } ?? false
        let style: Cell.Style = browser.route.step == at ? .reverse : isNext ? .bold : []
        var lines = browser.wrapped(shown, indent: max(distance.width + 3, 9)).map { line in
            PanelText.Line(text: "  " + line.text, style: style)
        }
        lines[0].text = "\(sign) " + lines[0].text.dropFirst(2)
        lines[0].right = distance
        return lines
    }

    // MARK: The request

    /// - Parameter isShown: True for the shown route, whose places may differ from the planned ones.
    private func facts(_ browser: Browser, isShown: Bool = false) -> [PanelText.Line] {
        let plan = browser.route, shown = isShown ? plan.shownStops : []
        let stops = shown.count > 1 ? shown.map(Optional.some) : [plan.from] + plan.via + [plan.to]
        func fact(_ label: String, _ stop: RouteStop?) -> PanelText.Line {
            let name = stop?.name ?? "?",
                shown = browser.map.settings.isUnicode ? name : Transliteration.ascii(name)
            return .fact(label, shown)
        }
        let size = plan.request?.vehicle.text ?? ""
        let avoided = RouteAvoidance.allCases.filter(plan.avoids.contains).map(\.rawValue)
        return [fact("from", stops[0])] + stops.dropFirst().dropLast().map { fact("via", $0) } + [
            fact("to", stops[stops.count - 1]), .fact("mode", plan.mode.rawValue),
        ]
            + (size.isEmpty ? [] : [.fact("size", size)])
            + (avoided.isEmpty ? [] : [.fact("avoid", avoided.joined(separator: ", "))])
    }

    private func formText(_ browser: Browser) -> PanelText {
        var lines = facts(browser) + [.init(text: "")]
        if browser.route.asked != nil {
            lines.append(.init(text: "Calculating …"))
        } else if let offers = offers(browser) {
            if let problem = browser.route.problem, problem != .noEngine {
                lines += browser.wrapped(FailureText.notice(problem))
            }
            lines.append(.init(text: "Find the route with:", style: .dim))
            lines += offers.enumerated().map { at, offer in
                .row(offer.name, right: offer.host, isSelected: at == storedRow)
            }
            lines += browser.wrapped("A service receives the start and the destination; Rhumb asks first.")
                .map {
                    .init(text: $0.text, style: .dim)
                }
        } else if let problem = browser.route.problem {
            lines += browser.wrapped(FailureText.notice(problem).withHostsOnly)
        } else if !browser.route.stored.isEmpty {
            lines.append(.init(text: "Recent routes:", style: .dim))
            lines += browser.route.stored.enumerated().map { at, found in
                let title = found.answer.routes.first.map { found.answer.title($0) } ?? ""
                let age = found.age.map { AmountText.age($0) } ?? ""
                return .row(title, right: age, isSelected: at == storedRow && browser.route.request == nil)
            }
        }
        return PanelText(title: "Route", lines: lines)
    }

    private func placeText(_ browser: Browser) -> PanelText {
        var lines = matches.prefix(20).map { $0.line(browser) }
        for at in lines.indices { lines[at].isRow = true }
        if lines.indices.contains(row) { lines[row].style = .reverse }
        if lines.isEmpty { lines = facts(browser) }
        if let note = found.current?.indexingNote {
            lines += browser.wrapped(note).map { .init(text: $0.text, style: .dim) }
        }
        return PanelText(title: "Route", lines: lines)
    }
}

/// The notices about routes.
enum RoutesText {
    static func engines(_ engines: [String]) -> String {
        "Routing engine: "
            + (engines.isEmpty
                ? "automatic" : SafeText.sanitised(engines.joined(separator: " "), limit: 80))
    }

    static let cancelled = "Route request cancelled"
    static let noMatch = "No match. You can also enter coordinates."
    static let noAlternative = "No alternative route"
    static let noVia = "This route has no via points"
    static let noneToSave = "No route to save. Press R to plan one."
    static let noneToDownload = "No route to download along. Press R to plan one."
    static let noHeights =
        "No heights along this route. Show hills with :hills on, or download the area with heights: d, then h."
    static let lookingUpHeights = "Looking up the elevation of the route …"

    static func cached(_ seconds: Int64) -> String { "Route from cache, \(AmountText.age(seconds)) old" }

    static func calculatingReach(_ mode: RouteMode) -> String {
        "Calculating reachable area by \(mode.rawValue) …"
    }

    static func mode(_ mode: RouteMode) -> String { "Mode: \(mode.rawValue)" }

    static func avoidance(_ avoidance: RouteAvoidance, isOn: Bool) -> String {
        "\(avoidance.rawValue) \(isOn ? "are avoided" : "are allowed")"
    }

    static func reached(_ layer: String) -> String { "\(layer) · m: hide it" }
}
