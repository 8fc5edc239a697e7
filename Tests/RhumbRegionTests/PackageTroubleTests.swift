@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests catalogues with wrong sizes, archives that change, and full disks.
struct PackageTroubleTests {
    private func edition(_ version: Int, bytes: Int) -> String {
        #"{"id": "north", "parent": "world", "archive": "north.pmtiles", "editions": [{"version": "\#(version)", "bytes": \#(bytes)}]}"#
    }

    @Test
    func `an archive larger than its catalogue states stops at the quota, and continues with more room`()
        async throws
    {
        let box = try PackageFixture(quota: 500_000)
        let tiles = TileID.pyramid(0...3).map { ($0, picture(20_000, seed: 1) + Array("\($0)".utf8)) }
        box.serve(PMTilesFixture(tiles).bytes, at: "/north.pmtiles")
        box.catalog(edition(1, bytes: 10))
        let loader = box.loader()
        #expect(try await loader.installAll("north").reason == .insufficientStorage)
        #expect(try await loader.status("north") == .partial)
        let more = box.loader(store: try RegionStore(box.box.store.path))
        #expect(try await more.installAll("north") == .success(["north"]))
        #expect(try await more.status("north") == .explicit)
    }

    @Test func `the stored tiles of a partial package need no further space`() async throws {
        let box = try PackageFixture(quota: 500_000)
        let tiles = TileID.pyramid(0...3).map { ($0, picture(20_000, seed: 1) + Array("\($0)".utf8)) }
        let archive = PMTilesFixture(tiles).bytes
        box.serve(archive, at: "/north.pmtiles")
        box.catalog(edition(1, bytes: 10))
        #expect(try await box.loader().installAll("north").reason == .insufficientStorage)
        box.catalog(edition(1, bytes: archive.count + 600_000))
        box.box.pass(3600)
        let more = box.loader(store: try RegionStore(box.box.store.path, quota: archive.count + 900_000))
        let result = try await more.installAll("north")
        #expect(result == .success(["north"]), "\(result)")
    }

    @Test(arguments: [503, 429])
    func `an installation from a server that always fails ends, and names the server and its status`(
        status: Int
    ) async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let wait = status == 429 ? "100000" : "0"
        box.intervene { request in
            request.target.hasSuffix(".pmtiles")
                ? LoopbackReply(status, headers: ["Retry-After": wait]) : nil
        }
        let loader = box.loader()
        guard case .failure(let failure) = try await loader.installAll("north") else {
            Issue.record("it was installed")
            return
        }
        #expect(failure.description.contains("HTTP \(status)"), "\(failure)")
        #expect(failure.description.contains("127.0.0.1") && !failure.description.contains("network"))
        #expect(await loader.state() == .pendingUpdate)
        box.intervene { _ in nil }
    }

    @Test func `an installation ends if every body is cut short`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        box.intervene { [weak box] request in
            guard let box, request.target.hasSuffix(".pmtiles") else { return nil }
            return box.usualReply(to: request).with { $0.ending = .close(after: 20) }
        }
        #expect(try await box.loader().installAll("north").reason == .connectionFailed)
    }

    @Test func `a package larger than any disk is not started`() async throws {
        let box = try PackageFixture()
        box.publish("north")
        box.catalog(edition(1, bytes: PackageEdition.largest))
        #expect(try await box.loader().installAll("north").reason == .insufficientStorage)
        #expect(try box.box.store.regions().isEmpty)
    }

    @Test func `while the disk is full the old edition is complete, and the update continues with more room`()
        async throws
    {
        let box = try PackageFixture()
        box.publish("north", zooms: 0...5)
        box.catalog(edition(1, bytes: 10))
        let loader = box.loader()
        _ = try await loader.installAll("north")
        box.publish("north", 2, zooms: 0...5)
        box.catalog(edition(2, bytes: 10))
        box.box.pass(3600)
        try box.box.store.allowPages(beyond: 10)
        #expect(try await loader.updateAll().reason == .insufficientStorage)
        #expect(try box.shown("north", 1) == 1365)
        #expect(try await loader.package("north").installed == PackageVersion("1"))
        try box.box.store.allowPages(beyond: 1 << 20)
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try box.shown("north", 2) == 1365)
    }

    @Test func `an archive that changes during the download is installed in its last version`() async throws {
        let box = try PackageFixture(), isFirst = Mutex(true)
        box.publishCountries()
        box.intervene { [weak box] request in
            guard request.target == "/north.pmtiles", request.header("Range")?.hasPrefix("bytes=0-") == false
            else { return nil }
            let publishes = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if publishes { box?.publish("north", 2) }
            return nil
        }
        #expect(try await box.loader().installAll("north") == .success(["north"]))
        #expect(try box.shown("north", 2) == 85)
    }

    @Test func `an archive that keeps changing is rejected, and nothing of it counts as complete`()
        async throws
    {
        let box = try PackageFixture(), editions = Mutex(1)
        box.publishCountries()
        box.intervene { [weak box] request in
            guard request.target == "/north.pmtiles", request.header("Range")?.hasPrefix("bytes=0-") == false
            else { return nil }
            let next = editions.withLock { edition in
                edition += 1
                return edition
            }
            box?.publish("north", next)
            return nil
        }
        let loader = box.loader()
        #expect(try await loader.installAll("north").reason == .connectionFailed)
        #expect(try await loader.status("north") == .partial)
    }

    @Test func `an invalid catalogue names what is missing, and is not kept until it expires`() async throws {
        let box = try PackageFixture()
        box.catalog(
            #"{"id": "north", "parent": "world", "archive": "north.pmtiles", "editions": [{"version": "1"}]}"#
        )
        let failure = await #expect(throws: MapLoaderFailure.self) {
            try await box.loader().package("north")
        }
        let text = failure.map { "\($0)" } ?? ""
        #expect(text.contains("\"bytes\" of an edition is missing"), "\(text)")
        // It may be cached for a minute.
        box.publishCountries()
        #expect(try await box.loader().package("north").edition?.bytes == 100_000)
    }

    @Test func `an older catalogue removes nothing`() async throws {
        let box = try PackageFixture()
        box.publishCountries(edition: 2)
        let loader = box.loader()
        _ = try await loader.installAll("north")
        box.publish("north", 1)
        box.catalog(edition(1, bytes: 10))
        box.box.pass(3600)
        #expect(try await loader.checkForUpdate().isUpToDate)
        #expect(try await loader.updateAll() == .success([]))
        #expect(try box.shown("north", 2) == 85)
    }
}

extension RegionStore {
    /// Limits the database to this many more pages of 4 kB, like a full disk.
    fileprivate func allowPages(beyond count: Int) throws {
        try write { (writer) throws(StoreFailure) in
            let pages = try writer.connection.prepare("PRAGMA page_count", to: "count pages")
            let now = try pages.step() ? pages.int(0) ?? 0 : 0
            pages.reset()
            try writer.connection.execute("PRAGMA max_page_count = \(now + count)", to: "fill the disk")
        }
    }
}
