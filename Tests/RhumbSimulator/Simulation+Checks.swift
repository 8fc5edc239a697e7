import RhumbCore
import RhumbEngine
import RhumbOffline
import RhumbStore
import RhumbTestSupport

/// The promises about stored data.
extension Simulation {
    /// Checks regions that were reported as complete.
    /// - Parameters:
    ///   - all: True to check all of them, as after a restart; false for one.
    ///   - isCurrent: True if all of them were updated without faults just now.
    func check(all: Bool, _ program: Program, isCurrent: Bool = false) throws {
        let promise = "After a power cut, a region that was reported as complete is there."
        if all {
            let faults = (try? program.store.integrityFaults()) ?? []
            if !faults.isEmpty {
                violate("After a power cut, an unfinished region is consistent.", "\(faults)")
            }
            _ = program.cache.response(for: .document("x"))
        }
        let ids = complete.sorted()
        let chosen = all ? ids : ids.randomElement(using: &generator).map { [$0] } ?? []
        for id in chosen {
            guard let record = try? program.store.region(id) else {
                // A read may fail while the disk does.
                if !hasDiskFault { violate(promise, "\(id) is gone") }
                continue
            }
            for (origin, cover) in record.covers { check(record, origin, cover, program, isCurrent) }
            if record.covers.isEmpty { violate(promise, "\(id) has no source") }
        }
        if let violation { throw violation }
    }

    private func check(
        _ record: RegionRecord, _ origin: TileOrigin, _ cover: RegionTileSet, _ program: Program,
        _ isCurrent: Bool
    ) {
        var editions: Set<Int>?
        for tile in cover.tiles() {
            guard let response = program.store.response(for: .tile(origin: origin, tile)) else {
                if !hasDiskFault {
                    violate("A complete region shows every tile offline.", "\(record.id) lacks \(tile)")
                }
                return
            }
            guard let body = response.body else { continue }
            if origin.source == "town" {
                let all = Set(world.archiveVersion(tile, body).map { [$0] } ?? [])
                editions = editions.map { $0.intersection(all) } ?? all
                if editions?.isEmpty == true {
                    return violate(
                        "A package is shown in one edition.", "\(record.id) mixes editions at \(tile)")
                }
            } else {
                let url = Program.url(origin.source, tile), versions = world.versions(url, body)
                if versions.isEmpty {
                    return violate(
                        "A tile is shown as its server sent it.", "\(record.id) has other bytes at \(url)")
                }
                if isCurrent, versions.last != world.version(of: url) {
                    return violate(
                        "An update fetches the changed tiles.",
                        "\(record.id) has version \(versions) of \(url), which is \(world.version(of: url))")
                }
            }
        }
        if isCurrent, let editions, !editions.contains(world.version(of: World.archive)) {
            violate("An update fetches the changed tiles.", "\(record.id) has edition \(editions)")
        }
    }

    /// Checks the contents and sizes of the files.
    func checkFiles() throws {
        guard let program else { return }
        program.cache.finish()
        let leaks = program.folder.everyFileContaining(World.secret)
        if !leaks.isEmpty { violate("Keys never appear in files that Rhumb writes.", "\(leaks)") }
        let stored = program.folder.everyFileContaining("NEVERSTORED")
        if !stored.isEmpty { violate("Responses marked no-store are never written to disk.", "\(stored)") }
        checkQuota(program)
        if let violation { throw violation }
    }

    /// Checks the size of the cache. Another process may have another quota.
    func checkQuota(_ program: Program) {
        guard !hadDiskFault, second == nil else { return }
        let used = program.cache.statistics().usedBytes
        if used > program.cache.quota + 65_536 {
            violate("The cache stays within its quota.", "\(used) bytes of \(program.cache.quota)")
        }
    }
}
