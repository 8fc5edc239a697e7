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

    public typealias Response = Result<FoundRoute, RouteFailure>
}

/// A query for the engines that can find routes: stored maps, and services that need no key.
public struct RouteEnginesQuery: Query {
    /// Creates a query.
    public init() {}

    public typealias Response = [ServiceOffer]
}

/// A query that selects the routing engines, if they are known.
public struct ChooseRouteEngines: Query {
    /// The engines, by name or address; empty for the best one available.
    public let engines: [String]

    public static var scheduling: QueryScheduling { .inOrder("route engines") }

    public typealias Response = Result<Void, Notice.Problem>
}

/// A query that cancels the search for routes.
public struct CancelRouteQuery: Query {
    public static var scheduling: QueryScheduling { RouteQuery.scheduling }

    public typealias Response = Never
}

/// A query for the areas that can be reached within some minutes.
public struct IsochroneQuery: Query {
    /// The travel times in minutes.
    public let minutes: [Double]
    /// The start, as both ends, and the mode.
    public let request: RouteRequest
    /// The routing engines, by name or address; empty for the best one available.
    public let engines: [String]

    public typealias Response = Result<TileLayer, RouteFailure>
}

/// A query for the layers that show routes.
public struct RouteLayersQuery: Query {
    /// The routes.
    public let answer: RouteAnswer
    /// The index of the selected route.
    public let chosen: Int

    public typealias Response = [TileLayer]
}

/// A query for the heights along a route.
public struct RouteHeightsQuery: Query {
    /// The line of the route.
    public let line: [Coordinate]
    /// The routing engines, by name or address; empty for the best one available.
    public let engines: [String]
    /// The number of the request for the route.
    let number: Int

    public typealias Response = Result<AttributedHeights, RouteFailure>
}

/// A query that stores routes, if their provider allows it. They replace stored routes for the same request.
public struct StoreRoutes: Query {
    /// The routes.
    public let answer: RouteAnswer

    public static var scheduling: QueryScheduling { .inOrder("stored routes") }

    public typealias Response = Never
}

/// A query for the stored routes, newest first.
public struct StoredRoutesQuery: Query {
    public static var scheduling: QueryScheduling { StoreRoutes.scheduling }

    public typealias Response = [FoundRoute]
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

    public typealias Response = Result<String, Notice.Problem>
}
