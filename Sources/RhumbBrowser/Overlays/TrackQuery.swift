internal import RhumbCore
public import RhumbEngine

/// A query for the track near a location, with its profile. Long tracks take a while.
public struct TrackQuery: Query {
    let place: WorldPoint
    /// The radius of the search in widths of the world.
    let reach: Double

    /// Returns the nearest track of the topmost live layer with a track; nil if there is none. Tracks with
    /// heights take precedence over others.
    public func track(in layers: [TileLayer]) -> FoundTrack? {
        for layer in layers.reversed() {
            guard let index = layer.live?.index, index.hasShapes, layer.isVisible else { continue }
            let near = index.features(at: place, reach: reach, limit: .max, withPoints: false)
            let lines =
                near.map { index.features[$0] }.filter { $0.kind == .line }
                + index.features.lazy.filter { $0.kind == .line }
            guard let track = lines.first(where: \.hasHeights) ?? lines.first else { continue }
            return FoundTrack(track, layer.info.name)
        }
        return nil
    }

    /// The track; nil if there is none.
    public typealias Response = FoundTrack?
}

/// A track with its profile and statistics.
public struct FoundTrack: Sendable {
    let name: String
    let paths: [OverlayPath]
    /// The profile; nil without heights.
    let profile: TrackProfile?
    let statistics: TrackStatistics

    /// - Parameter layer: The name of the layer, for a track without a name.
    init(_ feature: OverlayFeature, _ layer: String) {
        name = feature.name.isEmpty ? layer : feature.name
        paths = feature.paths
        profile = TrackProfile(paths)
        statistics = TrackStatistics(paths)
    }
}

extension OverlayFeature {
    fileprivate var hasHeights: Bool { paths.contains { !$0.heights.isEmpty } }
}

/// The texts of the panel of a track.
enum TrackText {
    static let noTimes = "Track has no timestamps"
    static let selectPart = "select a part"
    static let axis = "distance or time"
    static let elevationAwaited = "Track has no elevation; looking it up …"
    static let noElevation = "Track has no elevation, and no elevation source covers it"
    static let reading = "Reading the track …"
    static let noTrack = "No track loaded. Add one with :over FILE.gpx"
    static let nothingToStep = "Nothing to step through. Search with /, or add data with :over FILE"
}
