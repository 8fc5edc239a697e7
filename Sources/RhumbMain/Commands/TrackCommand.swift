internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb track`: prints statistics of the tracks in a file.
struct TrackCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        guard let operand = invocation.operand else { return try await runRecorded() }
        let file = try await FeatureFile(operand)
        if let reason = file.emptiness {
            Output.say("rhumb: \(reason)")
            return ExitStatus.gaps
        }
        let found = file.features.filter { $0.kind == .line }
        guard !found.isEmpty else { throw Notice.Problem("\(file.name) has no track") }
        let (tracks, ground) = try await tracks(found)
        try write(tracks, isListed: invocation[.output] == nil)
        file.printFaults()
        printHeights(tracks, ground, of: file)
        // Stored heights of another area are not missing, unless the user named their source.
        let hasGaps = tracks.contains {
            $0.gapReason != nil && (invocation[.terrain] != nil || $0.figures.lowest != nil)
        }
        return hasGaps || file.faults.count > 0 ? ExitStatus.gaps : ExitStatus.done
    }

    /// Lists the recorded tracks, or writes the newest one to a file.
    private func runRecorded() async throws -> Int32 {
        guard let folder = Folders(environment: Environment.all).tracks else {
            throw Notice.Problem(Folders.missing)
        }
        let paths = RecordedTracks.paths(in: folder)
        if invocation[.output] != nil {
            guard let newest = paths.last else {
                throw Notice.Problem(RecordedTracks.none(in: folder))
            }
            let found = try await FeatureFile(newest).features.filter { $0.kind == .line }
            try write(found.map { Track($0, path: newest) }, isListed: false)
            Output.note("rhumb: saved \(SafeText.sanitised(newest))")
            return ExitStatus.done
        }
        var tracks: [Track] = [], faults = 0
        for path in paths {
            do {
                let file = try await FeatureFile(path)
                tracks += file.features.filter { $0.kind == .line }.map { Track($0, path: path) }
                file.printFaults()
                faults += file.faults.count
            } catch {
                Output.say("rhumb: \(FailureText.sentence(error))")
                faults += 1
            }
        }
        try write(tracks, isListed: true)
        if paths.isEmpty { Output.note("rhumb: \(RecordedTracks.none(in: folder))") }
        return faults > 0 ? ExitStatus.gaps : ExitStatus.done
    }

    /// Prints tracks, and writes them to the file of `--output`.
    /// - Parameter isListed: True to print them as text, unless JSON is requested.
    private func write(_ tracks: [Track], isListed: Bool) throws {
        if invocation[.output] != nil {
            let gpx = GPXText.document(
                tracks.map { ($0.name, $0.paths) }, creator: "Rhumb \(CommandTable.version)")
            try Output.write(document: Array(gpx.utf8), to: try invocation.newOutput())
        }
        if invocation[.json] {
            try invocation.print(json(tracks))
        } else if isListed {
            try Output.print(text(tracks))
        }
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
                + (track.path.map { "  file: \($0)\n" } ?? "")
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
                    "path": .text(track.path),
                ] as JSON
            })
    }
}

/// A track. Its heights are those of the ground if it has none of its own.
private struct Track {
    let name: String
    /// The file of a recorded track; nil for another track.
    let path: String?
    let paths: [OverlayPath]
    let figures: TrackStatistics
    /// The elevation source; nil if the heights are from the file or there are none.
    let source: String?

    /// The reason why the source lacks heights; nil if it lacks none.
    let gapReason: String?

    /// - Parameter ground: The heights of the ground along the paths; nil for the track's own heights.
    init(_ track: OverlayFeature, _ ground: HeightSource.Lines? = nil, path: String? = nil) {
        var paths = track.paths
        if let ground {
            paths = zip(paths, ground.heights).map { OverlayPath($0.points, heights: $1, times: $0.times) }
        }
        name = track.name
        self.path = path
        self.paths = paths
        figures = TrackStatistics(paths)
        source = figures.lowest == nil ? nil : ground?.ground?.name
        gapReason = ground?.gapReason
    }

    /// Returns true if a track has no heights of its own.
    static func isBare(_ track: OverlayFeature) -> Bool { track.paths.allSatisfy(\.heights.isEmpty) }
}

/// The files of recorded tracks.
enum RecordedTracks {
    /// The maximum size of a file that is copied, in bytes: some ten million points.
    static let sizeLimit = 1 << 30

    /// Returns the paths of all recorded tracks in a folder, oldest first.
    static func paths(in folder: String) -> [String] {
        Files.names(in: folder).filter { $0.hasSuffix(".gpx") }.map { "\(folder)/\($0)" }
    }

    static func none(in folder: String) -> String {
        "no recorded tracks in \(SafeText.sanitised(folder)); rhumb --gpsd HOST records one"
    }
}
