public import RhumbCore
public import RhumbEngine

/// A query for the places and map features with a given name.
public struct SearchMap: Query {
    /// The words, and the area to search.
    public let query: MapSearchQuery

    /// Updates the panels that search.
    public func receive(
        _ outcome: Result<SearchResult, Notice.Problem>, in browser: inout Browser
    ) -> [Effect] {
        browser.withEach(SearchPanel.self) { $0.receive(outcome, to: query, &$1) }
            + browser.withEach(RoutePanel.self) { $0.receive(outcome, to: query, &$1) }
    }
}

/// A request for the tiles of a view, so that its streets can be searched.
public struct FetchStreetsQuery: Query {
    /// The id of the layer.
    public let layer: TileLayer.ID
    /// The view.
    public let box: Bounds
    /// The zoom of the tiles.
    public let zoom: Int

    /// Repeats the search.
    /// - Parameter outcome: The number of fetched tiles, or the reason why there are none.
    public func receive(_ outcome: Result<Int, Notice.Problem>, in browser: inout Browser) -> [Effect] {
        browser.withEach(SearchPanel.self) { $0.receive(outcome, of: box, &$1) }
    }
}

/// A query for the lines of a found street.
public struct StreetLinesQuery: Query {
    /// The street.
    public let street: FeatureMatch

    /// Marks the street on the map.
    /// - Parameter lines: The segments of the street, each with its two ends.
    public func receive(_ lines: [[WorldPoint]], in browser: inout Browser) -> [Effect] {
        browser.search.marks.receive(lines, of: street)
        return []
    }
}
