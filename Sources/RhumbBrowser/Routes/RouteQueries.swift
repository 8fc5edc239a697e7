public import RhumbCore
public import RhumbEngine

/// A query for routes.
public struct RouteQuery: Query {
    /// The places and the mode.
    public let request: RouteRequest
    /// The routing engines, by name or address; empty for the best one available.
    public let engines: [String]
    /// The source whose terms the user accepts first; nil for none.
    public let acceptedTerms: String?
    /// The number of the request.
    let number: Int

    public static var scheduling: QueryScheduling { .latest("route") }

    public func receive(_ outcome: Result<FoundRoute, RouteFailure>, in browser: inout Browser) -> [Effect] {
        guard browser.route.asked == number else { return [] }
        browser.route.asked = nil
        switch outcome {
        case .success(let found):
            browser.map.notices.dismiss()
            return browser.show(found, movesView: browser.openPanel == .route)
        case .failure(.cancelled): return []
        case .failure(let failure):
            browser.route.problem = failure
            if case .notAgreed(let id, let name, let rules) = failure {
                let offer = browser.route.offers.first { $0.id == id }
                browser.panels.push(
                    Consent.routing(
                        offer ?? ServiceOffer(id: id, name: name, rules: rules, isAccepted: false)))
                return []
            }
            if failure == .noEngine, browser.panels.top is RoutePanel { return [] }
            return browser.complain(FailureText.notice(failure))
        }
    }
}

/// A query for the engines that can find routes: stored maps, and services that need no key.
public struct RouteEnginesQuery: Query {
    /// Creates a query.
    public init() {}

    /// Offers the engines in the route panel and in the command line.
    public func receive(_ offers: [ServiceOffer], in browser: inout Browser) -> [Effect] {
        browser.route.offers = offers
        return []
    }
}

/// A query that selects the routing engines, if they are known.
public struct ChooseRouteEngines: Query {
    /// The engines, by name or address; empty for the best one available.
    public let engines: [String]

    public static var scheduling: QueryScheduling { .inOrder("route engines") }

    /// Selects the engines for the next route, or reports the unknown one.
    public func receive(_ outcome: Result<Void, Notice.Problem>, in browser: inout Browser) -> [Effect] {
        if case .success = outcome { browser.route.engines = engines }
        return browser.report(outcome.map { RoutesText.engines(engines) })
    }
}

extension Consent {
    /// Returns the question whether routes may be requested from a service.
    static func routing(_ service: ServiceOffer) -> Consent {
        Consent(
            entry: .route, question: "Find routes with \(service.name)?",
            facts: service.facts(sent: "the start, the destination"), yes: "find the route",
            accept: { $0.askRoute(acceptingTermsOf: service.id) })
    }
}

/// A query that cancels the search for routes.
public struct CancelRouteQuery: Query {
    public static var scheduling: QueryScheduling { RouteQuery.scheduling }

    public func receive(_ response: Never, in browser: inout Browser) -> [Effect] {}
}

/// A query for the areas that can be reached within some minutes.
public struct IsochroneQuery: Query {
    /// The travel times in minutes.
    public let minutes: [Double]
    /// The start, as both ends, and the mode.
    public let request: RouteRequest
    /// The routing engines, by name or address; empty for the best one available.
    public let engines: [String]

    public func receive(_ outcome: Result<TileLayer, RouteFailure>, in browser: inout Browser) -> [Effect] {
        switch outcome {
        case .success(let layer): browser.show(reachableAreas: layer)
        case .failure(.cancelled): []
        case .failure(let failure): browser.complain(FailureText.notice(failure))
        }
    }
}

/// A query for the layers that show routes.
public struct RouteLayersQuery: Query {
    /// The routes.
    public let answer: RouteAnswer
    /// The index of the selected route.
    public let chosen: Int

    public func receive(_ drawn: [TileLayer], in browser: inout Browser) -> [Effect] {
        guard browser.route.found != nil else { return [] }
        browser.map.layers.removeAll(where: \.isRouteLayer)
        browser.map.layers = (browser.map.layers + drawn).stacked
        return [.updateView]
    }
}

/// A query for the heights along a route.
public struct RouteHeightsQuery: Query {
    /// The line of the route.
    public let line: [Coordinate]
    /// The routing engines, by name or address; empty for the best one available.
    public let engines: [String]
    /// The number of the request for the route.
    let number: Int

    public func receive(
        _ outcome: Result<AttributedHeights, RouteFailure>, in browser: inout Browser
    ) -> [Effect] {
        browser.receive(outcome, number)
    }
}

/// A query that stores routes, if their provider allows it. They replace stored routes for the same request.
public struct StoreRoutes: Query {
    /// The routes.
    public let answer: RouteAnswer

    public static var scheduling: QueryScheduling { .inOrder("stored routes") }

    public func receive(_ response: Never, in browser: inout Browser) -> [Effect] {}
}

/// A query for the stored routes, newest first.
public struct StoredRoutesQuery: Query {
    public static var scheduling: QueryScheduling { StoreRoutes.scheduling }

    public func receive(_ routes: [FoundRoute], in browser: inout Browser) -> [Effect] {
        browser.route.kept = routes
        return []
    }
}

/// A query that writes a route to a file. The file name extension selects the format.
public struct ExportRoute: Query {
    /// The routes.
    public let answer: RouteAnswer
    /// The index of the selected route.
    public let chosen: Int
    /// The path, which may begin with `~`.
    public let file: String

    public static var scheduling: QueryScheduling { .each }

    /// Reports the path of the file.
    public func receive(_ outcome: Result<String, Notice.Problem>, in browser: inout Browser) -> [Effect] {
        browser.reportSaved(outcome)
    }
}
