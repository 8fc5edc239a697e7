public import RhumbCore
public import RhumbEngine
internal import RhumbStore
internal import Synchronization

/// A list of places that is opened on first use, and is searched only while its feature is enabled.
public final class LazyPlaceSearch: PlaceSearch {
    private let configuration: @Sendable () -> LayerConfiguration
    private let open: @Sendable () throws(PlaceSearchFailure) -> any PlaceSearch
    private let opened = Mutex<(any PlaceSearch)?>(nil)

    /// - Parameters:
    ///   - configuration: Returns the enabled features.
    ///   - open: Opens the list of places; called again after a failure.
    public init(
        _ configuration: @escaping @Sendable () -> LayerConfiguration,
        open: @escaping @Sendable () throws(PlaceSearchFailure) -> any PlaceSearch
    ) {
        self.configuration = configuration
        self.open = open
    }

    /// Returns the places that match any of their names; see `PlaceSearch`.
    public func places(
        matching text: String, near: Coordinate?, limit: Int, forgives: Bool
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        try search().places(matching: text, near: near, limit: limit, forgives: forgives)
    }

    /// Returns the settlement nearest to a point; see `PlaceSearch`.
    public func nearest(
        to point: Coordinate, minimumImportance: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing? {
        try search().nearest(to: point, minimumImportance: minimumImportance)
    }

    /// Returns the most important places in a box; see `PlaceSearch`.
    public func places(
        in bounds: Bounds, minimumImportance: Double, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        try search().places(in: bounds, minimumImportance: minimumImportance, limit: limit)
    }

    /// Returns the most important places of some kinds in a box; see `PlaceSearch`.
    public func places(
        of kinds: Set<NamedPlace.Kind>, in bounds: Bounds, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        try search().places(of: kinds, in: bounds, limit: limit)
    }

    /// The name folding, available even if search is disabled. Without a gazetteer, letters keep their
    /// accents.
    var folding: NameFolding { ((try? openedSearch()) as? Gazetteer)?.folding ?? NameFolding() }

    /// True if there are no places, because the session's options contain no list.
    var isEmpty: Bool { (try? openedSearch()) is NoPlaces }

    private func search() throws(PlaceSearchFailure) -> any PlaceSearch {
        try converting(
            configuration().requireSearch(for: "searching for places"), to: PlaceSearchFailure.disabled)
        return try openedSearch()
    }

    private func openedSearch() throws(PlaceSearchFailure) -> any PlaceSearch {
        try opened.withLock { opened throws(PlaceSearchFailure) in
            if let opened { return opened }
            let search = try open()
            opened = search
            return search
        }
    }
}
