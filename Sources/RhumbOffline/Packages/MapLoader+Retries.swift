internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Processes packages one after another, and waits for servers.
extension MapLoader {
    /// Processes packages in order. After a lost connection, waits and retries the package. A failure that
    /// affects only one package doesn't stop the others.
    nonisolated func go<Package: Identifiable<String> & Sendable>(
        through packages: [Package], _ job: PackageJob,
        _ body: @Sendable (Package) async throws(MapLoaderFailure) -> Void
    ) async throws(MapLoaderFailure) -> [String] {
        var failures: [MapLoaderFailure] = []
        for (done, package) in packages.enumerated() {
            if job.isCancelled { throw .cancelled }
            job.apply(.begin)
            job.report { progress in
                progress = PackageJobProgress(progress.operation)
                progress.package = package.id
                progress.packages = (done, packages.count)
            }
            do throws(MapLoaderFailure) { try await persist(package, job, body) } catch {
                guard error.concernsOnePackage, !job.isCancelled else { throw error }
                failures.append(error)
            }
        }
        job.report { $0.packages = (packages.count, packages.count) }
        if let failure = MapLoaderFailure(all: failures) { throw failure }
        return packages.map(\.id)
    }

    /// Processes a package, and retries it after each lost connection. Gives up on a server that fails, like
    /// the download of a region.
    private nonisolated func persist<Package: Identifiable<String> & Sendable>(
        _ package: Package, _ job: PackageJob,
        _ body: @Sendable (Package) async throws(MapLoaderFailure) -> Void
    ) async throws(MapLoaderFailure) {
        var tracker = OutageTracker(networkTimeout: regions.networkTimeout)
        while true {
            do throws(MapLoaderFailure) { return try await body(package) } catch {
                guard let failure = error.temporaryFailure, !job.isCancelled else { throw error }
                tracker.note(failure)
                guard let (_, times) = tracker.begin() else { throw error }
                if let reason = tracker.surrender {
                    await note(.queued, package.id, reason)
                    throw MapLoaderFailure(
                        .connectionFailed, "\(package.id): \(reason)", .resumePackagesLater)
                }
                var time = Duration.seconds(Backoff(base: 1, cap: 30).ceiling(failures: times))
                if let pause = failure.pause {
                    time = pause
                    await note(.running, package.id, error.message)
                    job.apply(.begin)
                } else {
                    await note(.waitingForNetwork, package.id, error.message)
                    job.apply(.disconnect(reason: error.message))
                }
                try await wait(time, job)
                if failure.pause == nil { tracker.waitedForNetwork(time) }
            }
        }
    }

    /// Records the state of an unfinished package.
    private func note(_ state: RegionState, _ package: String, _ reason: String) async {
        guard let installed = try? await installed()[package],
            !installed.isWhole
        else { return }
        let number = installed.record.number
        try? regions.store.setState(state, of: number, reason: reason, at: regions.clock.date())
    }

    /// Waits for a time, and then until the operation is no longer paused.
    /// - Throws: `MapLoaderFailure.cancelled` as soon as the operation is cancelled.
    private nonisolated func wait(_ time: Duration, _ job: PackageJob) async throws(MapLoaderFailure) {
        let clock = regions.clock, end = clock.now() + time
        while clock.now() < end {
            guard !job.isCancelled, (try? await clock.sleep(.milliseconds(200))) != nil else {
                throw .cancelled
            }
        }
        await job.waitWhilePaused()
        if job.isCancelled { throw .cancelled }
    }
}
