internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb track`: prints statistics of the tracks in a file.
struct TrackCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        let file = try await FeatureFile(invocation.operand ?? "")
        if let reason = file.emptiness {
            Output.say("rhumb: \(reason)")
            return ExitStatus.gaps
        }
        let found = file.features.filter { $0.kind == .line }
        guard !found.isEmpty else { throw Notice.Problem("\(file.name) has no track") }
        let (tracks, ground) = try await tracks(found)
        if invocation[.json] { try invocation.print(json(tracks)) } else { try Output.print(text(tracks)) }
        file.printFaults()
        printHeights(tracks, ground, of: file)
        // Stored heights of another area are not missing, unless the user named their source.
        let hasGaps = tracks.contains {
            $0.gapReason != nil && (invocation[.terrain] != nil || $0.figures.lowest != nil)
        }
        return hasGaps || file.faults.count > 0 ? ExitStatus.gaps : ExitStatus.done
    }

    /// Returns the tracks, using the elevation source for those without heights, and that source.
    private func tracks(_ found: [OverlayFeature]) async throws -> ([Track], ElevationModel?) {
        guard found.contains(where: Track.isBare) else { return (found.map { Track($0) }, nil) }
        return try await invocation.withSession { session in
            let source = HeightSource(invocation[.terrain], session, requestsTiles: true)
            var tracks: [Track] = []
            for track in found {
                let isBare = Track.isBare(track)
                tracks.append(
                    Track(track, isBare ? try await source.heights(along: track.paths.map(\.points)) : nil))
            }
            let ground = try await source.ground()
            return (tracks, ground)
        }
    }

    /// Reports the tracks for which heights are unknown or incomplete.
    private func printHeights(_ tracks: [Track], _ ground: ElevationModel?, of file: FeatureFile) {
        if let reason = tracks.firstNonNil(\.gapReason) {
            let gap = tracks.reduce(0) { $0 + ($1.gapReason == nil ? 0 : $1.figures.distanceWithoutHeights) }
            return Output.say(
                "rhumb: \(TrackStatistics.length(gap)) of \(file.name) without heights: \(reason)")
        }
        let bare = tracks.count { $0.figures.lowest == nil }
        guard bare > 0, ground == nil else { return }
        let some = bare < tracks.count ? " for \(bare) of its \(tracks.count) tracks" : ""
        Output.say(
            "rhumb: \(file.name) has no heights\(some); use --terrain to add an elevation source")
    }

    private func text(_ tracks: [Track]) -> String {
        tracks.map { track in
            let facts = track.figures.facts(in: .local).map { "  \($0.name): \($0.value)\n" }.joined()
            return (track.name.isEmpty ? "track" : track.name) + "\n" + facts
                + (track.source.map { "  elevation: \($0)\n" } ?? "")
        }.joined()
    }

    private func json(_ tracks: [Track]) -> JSON {
        .array(
            tracks.map { track in
                let figures = track.figures
                func time(_ seconds: Double?) -> JSON {
                    .time(seconds.map { UnixSeconds(Int64(clamping: $0.rounded(.down))) })
                }
                return [
                    "name": .string(track.name), "points": .integer(figures.points),
                    "distance": .metres(figures.distance),
                    "ascent": .metres(figures.ascent), "descent": .metres(figures.descent),
                    "lowest": .metres(figures.lowest),
                    "highest": .metres(figures.highest),
                    "distanceWithoutHeights": .metres(figures.distanceWithoutHeights),
                    "heightsMissing": .text(track.gapReason),
                    "startAt": time(figures.start), "endAt": time(figures.end),
                    "duration": .thousandths(figures.duration),
                    "recordedTime": .thousandths(figures.recordedTime),
                    "movingTime": .thousandths(figures.movingTime),
                    "meanSpeed": .thousandths(figures.meanSpeed),
                    "highestSpeed": .thousandths(figures.highestSpeed),
                    "heightsFrom": figures.lowest == nil ? .null : .string(track.source ?? "file"),
                ] as JSON
            })
    }
}

/// A track. Its heights are those of the ground if it has none of its own.
private struct Track {
    let name: String
    let figures: TrackStatistics
    /// The elevation source; nil if the heights are from the file or there are none.
    let source: String?

    /// The reason why the source lacks heights; nil if it lacks none.
    let gapReason: String?

    /// - Parameter ground: The heights of the ground along the paths; nil for the track's own heights.
    init(_ track: OverlayFeature, _ ground: HeightSource.Lines? = nil) {
        var paths = track.paths
        if let ground {
            paths = zip(paths, ground.heights).map { OverlayPath($0.points, heights: $1, times: $0.times) }
        }
        name = track.name
        figures = TrackStatistics(paths)
        source = figures.lowest == nil ? nil : ground?.ground?.name
        gapReason = ground?.gapReason
    }

    /// Returns true if a track has no heights of its own.
    static func isBare(_ track: OverlayFeature) -> Bool { track.paths.allSatisfy(\.heights.isEmpty) }
}
