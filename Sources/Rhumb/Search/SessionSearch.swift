public import RhumbCore
public import RhumbEngine

/// The search of a session: places by name, features of stored maps, and online services.
public struct SessionSearch: PlaceSearch, MapSearch {
    /// Searches stored data, without a network.
    public let offline: OfflineSearchEngine
    /// Queries services that the user has configured or accepted. Nothing is queried automatically.
    public let online: OnlineSearchEngine
    let placeSearch: LazyPlaceSearch

    /// Searches stored data.
    /// - Throws: `SearchFailure`
    public func search(_ query: MapSearchQuery) throws(SearchFailure) -> SearchResult {
        try offline.search(query)
    }

    /// Searches stored data for a name, a street with a house number, or a kind.
    /// - Parameter near: The position around which the user searches; nil to ignore distances.
    /// - Throws: `SearchFailure`
    public func callAsFunction(_ text: String, near: Coordinate? = nil) throws(SearchFailure) -> SearchResult
    {
        try search(text, near: near)
    }

    /// Searches stored data, queries an online service, and merges the results. If the service fails, the
    /// result contains only stored data, with the reason as its problem.
    /// - Parameter service: The service's name, or its kind and address as in "photon=http://…"; empty for
    ///   the user's own service, or else an accepted one.
    /// - Throws: `SearchFailure` if stored data can't be searched.
    public func search(
        _ query: MapSearchQuery, online service: String
    ) async throws(SearchFailure) -> SearchResult {
        var result = try await BlockingExecutor.run { () throws(SearchFailure) in try offline.search(query) }
        do throws(OnlineSearchFailure) {
            return result.joined(with: try await online.search(query, by: service), to: query)
        } catch .cancelled {
            throw .cancelled
        } catch {
            result.problem = "\(error)"
            return result
        }
    }

    /// Returns the address and features at a coordinate, from stored data.
    /// - Throws: `SearchFailure`
    public func describe(_ coordinate: Coordinate) throws(SearchFailure) -> ReverseGeocodeResult {
        try offline.describe(coordinate)
    }

    /// Returns places by name; see `PlaceSearch`.
    public func places(
        matching text: String, near: Coordinate?, limit: Int, forgives: Bool
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        try placeSearch.places(matching: text, near: near, limit: limit, forgives: forgives)
    }

    /// Returns the settlement nearest to a point; see `PlaceSearch`.
    public func nearest(
        to point: Coordinate, minimumImportance: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing? {
        try placeSearch.nearest(to: point, minimumImportance: minimumImportance)
    }

    /// Returns the most important places in a box; see `PlaceSearch`.
    public func places(
        in bounds: Bounds, minimumImportance: Double, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        try placeSearch.places(in: bounds, minimumImportance: minimumImportance, limit: limit)
    }

    /// Returns the most important places of some kinds in a box; see `PlaceSearch`.
    public func places(
        of kinds: Set<NamedPlace.Kind>, in bounds: Bounds, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        try placeSearch.places(of: kinds, in: bounds, limit: limit)
    }
}

/// An empty list of places, for sessions whose options contain none.
struct NoPlaces: PlaceSearch {
    func places(matching text: String, near: Coordinate?, limit: Int, forgives: Bool) -> [PlaceMatch] { [] }
    func nearest(to point: Coordinate, minimumImportance: Double) -> PlaceBearing? { nil }
    func places(in bounds: Bounds, minimumImportance: Double, limit: Int) -> [NamedPlace] { [] }
}
