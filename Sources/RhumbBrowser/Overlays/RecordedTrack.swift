internal import RhumbCore
internal import RhumbEngine

/// A query that copies a recorded track to a file.
public struct ExportTrack: Query {
    /// The path of the recorded track, a GPX file.
    public let track: String
    /// The path of the copy, which may begin with `~`.
    public let file: String

    public static var scheduling: QueryScheduling { .each }

    public typealias Response = Result<String, Notice.Problem>
}

extension Browser {
    /// The file of the track that the topmost receiver's layer records; nil if none is recorded.
    var recordedTrack: String? {
        map.layers.reversed().firstNonNil { overlays.statuses[$0.id]?.recording.path }
    }

    /// Returns the action that copies the recorded track to a GPX file.
    func savingTrack(as name: String) -> Action {
        guard let track = recordedTrack else { return .complain(TrackText.noneRecorded) }
        guard name.lowercased().hasSuffix(".gpx") else { return .complain(TrackText.onlyGPX) }
        return .ask(ExportTrack(track: track, file: name))
    }
}
