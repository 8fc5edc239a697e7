internal import RhumbCore
internal import RhumbEngine

/// The heights along the shown route: from its engine if that reports them, otherwise requested with a key.
extension Browser {
    /// Returns the actions that show the profile of the route, once its heights are known.
    func showingRouteProfile() -> [Action] {
        guard let shown = route.route, let found = route.found, route.asked == nil else { return [] }
        guard shown.heights.isEmpty else {
            let credit = found.answer.heightCredit(of: shown)
            let panel = TrackPanel(
                FoundTrack(shown.feature(named: found.answer.title(shown)), "route"),
                heightsBy: map.settings.isUnicode ? credit : Transliteration.ascii(credit.replacingSign))
            return [.push(panel)]
        }
        var plan = route
        plan.heightsAsked = (plan.count, plan.chosen)
        return [
            .route(plan),
            .ask(RouteHeightsQuery(line: shown.line, engines: plan.engines, number: plan.count)),
            .say(RoutesText.lookingUpHeights),
        ]
    }

    /// True if `P` was the last key pressed in the open panel.
    private var isProfileAwaited: Bool {
        input.prompt == nil && (panels.top as? RoutePanel)?.awaitsProfile == true
    }

    mutating func receive(_ outcome: Result<AttributedHeights, RouteFailure>, _ number: Int) -> [Effect] {
        guard let asked = route.heightsAsked, asked.number == number, number == route.count else { return [] }
        route.heightsAsked = nil
        switch outcome {
        case .failure(.cancelled): return []
        case .failure(.unsupported): return complain(RoutesText.noHeights)
        case .failure(let failure): return complain(FailureText.notice(failure))
        case .success(let heights):
            guard var found = route.found, found.answer.routes.indices.contains(asked.chosen),
                found.answer.routes[asked.chosen].line.count == heights.metres.count
            else { return [] }
            found.answer.routes[asked.chosen].set(heights)
            route.found = found
            route.profile = route.route.flatMap { RouteProfile($0) }
            let opensProfile = isProfileAwaited && route.chosen == asked.chosen
            return [.ask(StoreRoutes(answer: found.answer))]
                + (opensProfile ? perform(showingRouteProfile()) : [])
        }
    }
}
