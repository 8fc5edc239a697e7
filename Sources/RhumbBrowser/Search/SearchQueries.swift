public import RhumbCore
public import RhumbEngine

/// A query for the places and map features with a given name.
public struct SearchMap: Query {
    /// The words, and the area to search.
    public let query: MapSearchQuery

    public typealias Response = Result<SearchResult, Notice.Problem>
}

/// A request for the tiles of a view, so that its streets can be searched.
public struct FetchStreetsQuery: Query {
    /// The id of the layer.
    public let layer: TileLayer.ID
    /// The view.
    public let box: Bounds
    /// The zoom of the tiles.
    public let zoom: Int

    /// The number of fetched tiles, or the reason why there are none.
    public typealias Response = Result<Int, Notice.Problem>
}

/// A query for the lines of a found street.
public struct StreetLinesQuery: Query {
    /// The street.
    public let street: FeatureMatch

    /// The segments of the street, each with its two ends.
    public typealias Response = [[WorldPoint]]
}
