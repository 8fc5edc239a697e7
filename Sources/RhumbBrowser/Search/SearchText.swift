internal import RhumbCore
internal import RhumbEngine

/// The texts of searches.
enum SearchText {
    static func chosen(_ service: String) -> String {
        "Online search: \(service). Press Enter on its line in a search."
    }

    static func asking(_ service: String) -> String { "Asking \(service) …" }

    static func noResults(from provider: String, hasOthers: Bool) -> String {
        "No \(hasOthers ? "other " : "")results from \(provider)"
    }

    static func offline(_ service: String) -> String { "Offline: \(service) is not used" }

    /// The note on coordinates outside the open map that would be inside it in the other order.
    static func swapped(_ place: Coordinate) -> String {
        "This is outside the open map. The latitude comes first: \(PlaceFormat.shortCoordinate(place, decimals: 4))"
    }

    static let localOnly = "Offline results only"

    static func question(_ service: String) -> String { "Search the web with \(service)?" }

    static let viewOffer = "Search the streets in view"
    static let fetchingView = "Fetching the streets in view …"
    static let example = "Turku  ·  via dei neri 12  ·  pharmacy  ·  9GG499QC+X2"
    static let inView = "in this view"
    static let inRegion = "in this region"
    static let goToExample = "60.39, 22.37  ·  60.39,22.37 12  ·  60.39,22.37 7km  ·  Turku"
    static let filterExample = "part of a name"
}
