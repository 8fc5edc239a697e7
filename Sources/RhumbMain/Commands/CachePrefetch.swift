internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb cache prefetch`: fetches an area of a source into the cache, as far as the provider's policy and
/// the cache's quota allow.
struct CachePrefetch {
    let invocation: Invocation

    func run() async throws -> Int32 {
        guard let name = invocation[.source], let geometry = try await ground(),
            let named = invocation[.zooms]
        else {
            throw UsageError(
                "cache prefetch needs --source, --zooms and an area: --bbox, --geojson, --around or --along")
        }
        let zooms = try ZoomRange(named.lowerBound, named.upperBound)
        return try await invocation.withSession { session in
            let layer = try await MapOptions(invocation, session).opener.openLayer(name, theme: .day)
            _ = try zooms.limited(to: layer.dataZooms, source: layer.info.name)
            let prefetcher = MapPrefetcher(session, layer)
            let estimate = try prefetcher.estimate(geometry, zooms: zooms)
            if invocation[.estimate] { return try report(estimate) }
            Output.note("rhumb: \(estimate.line)")
            let job = try prefetcher.start(geometry, zooms: zooms, isPermitted: invocation[.permitted])
            let end = await job.finish(in: PrefetchMeter(total: estimate.tiles))
            let tally = end.outcome.get()
            let unsaved = CachePrefetch.unsaved(session)
            try report(tally)
            guard tally.fetched > 0, let unsaved else { return end.exitStatus }
            Output.say("rhumb: tiles were fetched but not stored: \(FailureText.sentence(unsaved))")
            return ExitStatus.failed
        }
    }

    private func ground() async throws -> RegionGeometry? {
        guard let place = invocation[.around], let radius = invocation[.radius] else {
            return try await invocation.geometry()
        }
        return try MapPrefetcher.ground(around: place.coordinate, radius: radius)
    }

    private static func unsaved(_ session: MapSession) -> CacheFailure? {
        do throws(CacheFailure) {
            try session.cache?.save()
            return nil
        } catch {
            return error
        }
    }

    private func report(_ estimate: MapPrefetcher.Estimate) throws -> Int32 {
        let json: JSON = [
            "tiles": .integer(estimate.tiles), "present": .integer(estimate.present),
            "missing": .integer(estimate.missing),
            "bytes": .integer(estimate.bytes), "quotaBytes": .integer(estimate.room),
        ]
        try invocation.print([estimate.line], json)
        return ExitStatus.done
    }

    private func report(_ tally: PrefetchTally) throws {
        let json: JSON = [
            "state": tally.failed == 0 ? "complete" : "incomplete", "fetched": .integer(tally.fetched),
            "cached": .integer(tally.present), "absent": .integer(tally.absent),
            "failed": .integer(tally.failed),
        ]
        let line =
            "fetched \(AmountText.count(tally.fetched)), already cached \(AmountText.count(tally.present)), "
            + "absent \(AmountText.count(tally.absent)), failed \(AmountText.count(tally.failed))"
        try invocation.print([line], json)
        if let problem = tally.problem { Output.say("rhumb: \(FailureText.sentence(problem))") }
    }
}

/// The progress line for fetching tiles into the cache.
private struct PrefetchMeter: JobMeter {
    private var progress: DownloadProgress
    private let start = ContinuousClock.now

    init(total: Int) { progress = DownloadProgress(total: total) }

    private var now: Double { start.duration(to: .now) / .seconds(1) }

    mutating func note(_ update: JobUpdate<PrefetchTally>) {
        progress.advance(to: update.progress.settled, of: progress.total, at: now)
    }

    var line: ProgressMeter.Line? {
        ProgressMeter.Line(label: "fetching", fraction: progress.fraction, text: progress.text(at: now))
    }
}

extension MapPrefetcher.Estimate {
    fileprivate var line: String {
        "\(AmountText.count(tiles, "tile")), \(AmountText.count(present)) already cached; "
            + "about \(AmountText.bytes(bytes)) to fetch, cache limit \(AmountText.bytes(room))"
    }
}
