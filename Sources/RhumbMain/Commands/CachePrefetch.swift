internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb cache prefetch`: fetches an area of a source into the cache, as far as the provider's policy and
/// the cache's quota allow.
struct CachePrefetch {
    let invocation: Invocation

    func run() async throws -> Int32 {
        guard let name = invocation[.source], let area = try await area(),
            let named = invocation[.zooms]
        else {
            throw UsageError(
                "cache prefetch needs --source, --zooms and an area: --bbox, --geojson, --around or --along")
        }
        let zooms = try ZoomRange(named.lowerBound, named.upperBound)
        return try await invocation.withSession { session in
            let layer = try await MapOptions(invocation, session).opener.openLayer(name, theme: .day)
            _ = try zooms.limited(
                to: layer.dataZooms, source: layer.info.name, isAssumed: name.contains("{"))
            var plan = try session.offline.prefetcher(of: layer).plan(area.geometry, zooms: zooms)
            if invocation[.estimate] { return try report(plan) }
            Output.note("rhumb: \(plan.line)")
            plan.isPermitted = invocation[.permitted]
            let job = try await plan.start(), end = await job.run(), tally = job.progress
            let unsaved = CachePrefetch.unsaved(session)
            try report(tally)
            guard tally.fetched > 0, let unsaved else {
                let status = end.exitStatus
                return status == ExitStatus.done && !area.isWhole ? ExitStatus.gaps : status
            }
            Output.say("rhumb: tiles were fetched but not stored: \(FailureText.sentence(unsaved))")
            return ExitStatus.failed
        }
    }

    private func area() async throws -> (geometry: RegionGeometry, isWhole: Bool)? {
        guard let place = invocation[.around], let radius = invocation[.radius] else {
            return try await invocation.geometry()
        }
        return (try MapPrefetcher.ground(around: place.coordinate, radius: radius), true)
    }

    private static func unsaved(_ session: MapSession) -> CacheFailure? {
        do throws(CacheFailure) {
            try session.cache?.save()
            return nil
        } catch {
            return error
        }
    }

    private func report(_ plan: PrefetchPlan) throws -> Int32 {
        let json: JSON = [
            "tiles": .integer(plan.tiles), "present": .integer(plan.present),
            "missing": .integer(plan.missing),
            "bytes": .integer(plan.bytes), "quotaBytes": .integer(plan.room),
        ]
        try invocation.print([plan.line], json)
        return ExitStatus.done
    }

    private func report(_ tally: PrefetchTally) throws {
        let json: JSON = [
            "state": tally.failed + tally.evicted == 0 ? "complete" : "incomplete",
            "fetched": .integer(tally.fetched),
            "cached": .integer(tally.present), "absent": .integer(tally.absent),
            "failed": .integer(tally.failed), "evicted": .integer(tally.evicted),
        ]
        let line =
            "fetched \(AmountText.count(tally.fetched)), already cached \(AmountText.count(tally.present)), "
            + "absent \(AmountText.count(tally.absent)), failed \(AmountText.count(tally.failed))"
        try invocation.print([line], json)
        let untried = tally.planned - tally.settled
        if tally.failed > 0, untried > 0 {
            Output.say(
                "rhumb: too many failures in a row; \(AmountText.count(untried, "tile")) not requested")
        }
        if let problem = tally.problem { Output.say("rhumb: \(FailureText.sentence(problem))") }
        if tally.evicted > 0 {
            Output.say(
                "rhumb: \(AmountText.count(tally.evicted, "tile")) evicted again, because the cache is too "
                    + "small for all; change its limit with --cache-size")
        }
    }
}

extension PrefetchPlan {
    fileprivate var line: String {
        "\(AmountText.count(tiles, "tile")), \(AmountText.count(present)) already cached; "
            + "about \(AmountText.bytes(bytes)) to fetch, cache limit \(AmountText.bytes(room))"
    }
}
