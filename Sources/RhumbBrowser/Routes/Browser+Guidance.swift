internal import RhumbCore
internal import RhumbEngine

/// Guidance along the shown route, based on the position, while the feature is enabled.
extension Browser {
    /// True if the guidance feature is enabled.
    var mayGuide: Bool { stored.configuration.enabledFeatures.contains(.navigation) }

    /// Moves the guide to a position. Guidance begins once the position is on the route.
    mutating func guide(along fix: PositionFix) {
        guard let shown = route.route, shown.line.count > 1, let place = fix.place else { return }
        if route.guide == nil { route.guide = RouteGuide(shown) }
        route.guide?.move(to: place, accuracy: fix.accuracy, heading: fix.heading)
    }

    /// The position along the route; nil without a position or a route, if the position is stale, and while
    /// guidance is off.
    var routeProgress: RouteProgress? { isPositionStale || !mayGuide ? nil : route.guide?.progress }

    /// Returns the actions that request a route from the position through the remaining places.
    func planningRouteFromPosition() -> [Action] {
        do throws(FeatureFailure) {
            try stored.configuration.require(.navigation, for: PositionText.routeFromHere)
        } catch {
            return [.complain(FailureText.notice(error))]
        }
        guard let place = position.fix?.place, !isPositionStale else { return [.say(PositionText.none)] }
        return planningRoute {
            $0.via.removeFirst(min($0.guide?.progress?.legsGone ?? 0, $0.via.count))
            $0.from = stop(at: place)
        }
    }

    /// The texts of the status line about the next manoeuvre, longest first.
    var guidanceWordings: [String] {
        guard let progress = routeProgress, let shown = route.route else { return [""] }
        if progress.hasArrived { return [PositionText.arrived, PositionText.arrivedBriefly] }
        guard !progress.isOff else {
            let words = PositionText.offRoute(progress.distanceFromLine)
            // An open panel takes the keys.
            return panels.isEmpty ? words : Array(words.dropFirst())
        }
        let left = AmountText.metres(progress.distanceLeft), time = AmountText.seconds(progress.timeLeft)
        guard let next = progress.next, shown.steps.indices.contains(next) else {
            return ["\(left) left, \(time)", left]
        }
        let step = shown.steps[next],
            road = map.settings.isUnicode ? step.road : Transliteration.ascii(step.road)
        let sign =
            "\(step.manoeuvre.sign(isUnicode: map.settings.isUnicode)) \(AmountText.metres(progress.distanceToNext))"
        return [
            [sign, road.clipped(to: 24), "\(left) left, \(time)"].filter { !$0.isEmpty }.joined(
                separator: "  "),
            "\(sign)  \(left) left, \(time)", "\(sign)  \(left) left", sign,
        ]
    }
}

extension RoutePanel {
    /// Returns the next step, the distance and the remaining time, shown above the steps; empty without a
    /// position on the route.
    func guidanceLines(_ route: Route, _ browser: Browser) -> [PanelText.Line] {
        if !browser.mayGuide, browser.route.guide?.progress != nil, !browser.isPositionStale {
            let problem = FeatureFailure.disabled(.navigation, wanted: "guidance")
            return browser.wrapped(FailureText.notice(problem)) + [.init(text: "")]
        }
        guard let progress = browser.routeProgress else { return [] }
        let words: [String]
        if progress.hasArrived {
            words = [PositionText.arrived]
        } else if progress.isOff {
            words = [PositionText.offRoute(progress.distanceFromLine)[1], PositionText.reroute]
        } else {
            let left =
                "\(AmountText.metres(progress.distanceLeft)), \(AmountText.seconds(progress.timeLeft)) left"
            words = [next(progress, route, browser), left].compactMap(\.self)
        }
        let lines = words.enumerated().flatMap { at, words in
            browser.wrapped(words).map { PanelText.Line(text: $0.text, style: at == 0 ? .bold : []) }
        }
        return lines + [.init(text: "")]
    }

    /// Returns a text about the next step, such as "← in 350 m: Turn left onto Avenue Neuve"; nil if there is
    /// none.
    private func next(_ progress: RouteProgress, _ route: Route, _ browser: Browser) -> String? {
        guard let next = progress.next, route.steps.indices.contains(next) else { return nil }
        let step = route.steps[next], isUnicode = browser.map.settings.isUnicode,
            words = step.instruction(stop: route.stop(next))
        return
            "\(step.manoeuvre.sign(isUnicode: isUnicode)) in \(AmountText.metres(progress.distanceToNext)): "
            + (isUnicode ? words : Transliteration.ascii(words))
    }
}
