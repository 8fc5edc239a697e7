internal import RhumbCore

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
