public import RhumbCore
public import RhumbEngine

/// A place, and the layers to query for features.
public struct FeatureQuestion: Equatable, Sendable {
    /// The place.
    public let place: Coordinate
    /// The layers, topmost first.
    public let layers: [TileLayer.ID]
    /// The zoom of the tiles that are shown.
    public let zoom: Int
}

/// A query for the features at a place.
public struct FeatureQuery: Query {
    /// The place.
    public let question: FeatureQuestion
    /// The maximum distance of points and lines from the place, as a share of the world's width.
    public let reach: Double

    /// Queries run in order, because a panel and a mark may query different places.
    public static var scheduling: QueryScheduling { .inOrder("features") }

    public typealias Response = Result<[MapFeature], Notice.Problem>
}
