internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb track stats`: the figures of the tracks in a file.
struct TrackCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    @MainActor
    func run(_ verb: TrackVerb) async throws -> Int32 {
        let file = try await FeatureFile(invocation.operand ?? "")
        let tracks = file.features.filter { $0.kind == .line }
        guard !tracks.isEmpty else { throw Notice.Problem("\(file.name) has no track") }
        try Output.print(invocation[.json] ? json(tracks).indentedText + "\n" : text(tracks))
        file.tellFaults()
        return file.faults.count > 0 ? ExitStatus.gaps : ExitStatus.done
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
