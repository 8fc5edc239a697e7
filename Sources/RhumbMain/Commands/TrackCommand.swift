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
        return file.faults.count > 0 ? ExitStatus.gaps : ExitStatus.done
    }

    /// Returns the tracks, using the elevation source for those without heights, and that source.
    private func tracks(_ found: [OverlayFeature]) async throws -> ([Track], ElevationModel?) {
        guard found.contains(where: { $0.paths.allSatisfy(\.heights.isEmpty) }) else {
            return (found.map { Track($0, nil) }, nil)
        }
        return try await invocation.withSession { session in
            let ground = try await HeightSource(invocation[.terrain], session).ground()
            return (found.map { Track($0, ground) }, ground)
        }
    }

    /// Reports the tracks for which no heights are known.
    private func printHeights(_ tracks: [Track], _ ground: ElevationModel?, of file: FeatureFile) {
        let bare = tracks.count { $0.figures.lowest == nil }
        guard bare > 0 else { return }
        let reason =
            ground.map { "and \($0.name) has no elevation stored for them" }
            ?? "use --terrain to add an elevation source"
        Output.say(
            "rhumb: \(file.name) has no heights\(bare < tracks.count ? " for \(bare) of its \(tracks.count) tracks" : "")\(ground == nil ? ";" : ",") \(reason)"
        )
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
                    "highest": .metres(figures.highest), "startAt": time(figures.start),
                    "endAt": time(figures.end),
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

    init(_ track: OverlayFeature, _ ground: ElevationModel?) {
        var paths = track.paths
        let takesGround = ground != nil && paths.allSatisfy(\.heights.isEmpty)
        if takesGround, let ground {
            paths = paths.map {
                OverlayPath($0.points, heights: ground.heights(at: $0.points), times: $0.times)
            }
        }
        name = track.name
        figures = TrackStatistics(paths)
        source = takesGround && figures.lowest != nil ? ground?.name : nil
    }
}
