internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb track stats`: the figures of the tracks in a file.
struct TrackCommand {
    private let invocation: Invocation
    private static let patience = Duration.seconds(120)

    init(_ invocation: Invocation) { self.invocation = invocation }

    @MainActor
    func run(_ verb: TrackVerb) async throws -> Int32 {
        let words = invocation.operand ?? ""
        guard let origin = OverlayOrigin(words), origin.isFile || origin == .standardInput else {
            throw Notice.Problem("\(SafeText.sanitised(words)) is no file of tracks: GPX, KML, KMZ, TCX, FIT, GeoJSON or NMEA")
        }
        let feed = OverlayFeed(origin, number: 0, dress: LiveLayer.Dress())
        let status = await feed.whole(within: Self.patience)
        feed.stop()
        let tracks = feed.live.index.features.filter { $0.kind == .line }
        if let problem = status.problem { throw Notice.Problem(problem) }
        guard !tracks.isEmpty else { throw Notice.Problem("\(origin.name) has no track") }
        try Output.print(invocation[.json] ? json(tracks).indentedText + "\n" : text(tracks))
        for fault in status.faults.first { Output.say("rhumb: \(origin.name): \(fault)") }
        return status.faults.count > 0 ? ExitStatus.gaps : ExitStatus.done
    }

    private func text(_ tracks: [OverlayFeature]) -> String {
        tracks.map { track in
            let title = track.name.isEmpty ? "track" : track.name
            let facts = TrackStatistics(track.paths).attributes.map { "  \($0.name): \($0.value)\n" }.joined()
            return title + "\n" + facts
        }.joined()
    }

    private func json(_ tracks: [OverlayFeature]) -> JSON {
        .array(tracks.map { track in
            let figures = TrackStatistics(track.paths)
            func number(_ value: Double?) -> JSON { value.map { .number(($0 * 1000).rounded() / 1000) } ?? .null }
            return [
                "name": .string(track.name), "points": .integer(figures.points), "distance": number(figures.distance),
                "ascent": number(figures.ascent), "descent": number(figures.descent), "lowest": number(figures.lowest),
                "highest": number(figures.highest), "start": number(figures.start), "end": number(figures.end),
                "duration": number(figures.duration), "movingTime": number(figures.movingTime),
                "meanSpeed": number(figures.meanSpeed), "highestSpeed": number(figures.highestSpeed),
            ] as JSON
        })
    }
}
