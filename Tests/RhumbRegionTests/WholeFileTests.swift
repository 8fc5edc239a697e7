@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests packages from a web server that ignores ranges, such as Python's.
struct WholeFileTests {
    private let box: PackageFixture

    init() throws {
        box = try PackageFixture()
        box.publishCountries()
        box.ignoreRanges()
    }

    /// The files beside the store that don't belong to it.
    private var leftovers: [String] {
        box.box.folder.names.filter {
            !$0.hasPrefix("regions.db") && !$0.hasPrefix("tiles.db") || $0.contains("archive")
        }
    }

    @Test func `archives are downloaded completely and installed, and no file is left`() async throws {
        let loader = box.loader(), task = try await loader.install(["land"])
        var received: [String: Int] = [:]
        for await update in task.updates() {
            guard let package = update.progress.package else { continue }
            received[package] = max(received[package] ?? 0, update.progress.archive.received)
        }
        #expect(await task.finish() == .success(["north", "south"]))
        for id in ["north", "south"] { #expect(try box.shown(id) == 85) }
        #expect(received["north"] == box.served("/north.pmtiles").count)
        #expect(leftovers.isEmpty)
    }

    @Test func `a plan shows the size that the server announces if the catalogue has none`() async throws {
        box.catalog(#"{"id": "north", "parent": "world", "archive": "north.pmtiles"}"#)
        #expect(try await box.loader().plan(["north"]).bytes == box.served("/north.pmtiles").count)
    }

    @Test func `an update downloads the new archive`() async throws {
        let loader = box.loader()
        _ = try await loader.installAll("north")
        box.publishCountries(edition: 2)
        box.ignoreRanges(date: "Sun, 22 Nov 2026 10:00:00 GMT")
        box.box.pass(3600)
        #expect(try await loader.planUpdate().packages.map(\.reason) == ["its server sends whole files only"])
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try box.shown("north", 2) == 85)
    }

    @Test func `a download stopped by the quota continues with more room`() async throws {
        let small = try PackageFixture(quota: 500_000)
        small.serve(
            PMTilesFixture(TileID.pyramid(0...3).map { ($0, picture(20_000, seed: 1) + Array("\($0)".utf8)) })
                .bytes, at: "/north.pmtiles")
        small.catalog(
            #"{"id": "north", "parent": "world", "archive": "north.pmtiles", "editions": [{"version": "1", "bytes": 10}]}"#
        )
        small.ignoreRanges()
        #expect(try await small.loader().installAll("north").reason == .insufficientStorage)
        let more = small.loader(store: try RegionStore(small.box.store.path))
        #expect(try await more.installAll("north") == .success(["north"]))
    }

    @Test func `a download that is interrupted starts again`() async throws {
        let isFirst = Mutex(true), whole = box.served("/north.pmtiles")
        box.intervene { request in
            guard request.target == "/north.pmtiles" else { return nil }
            var reply = LoopbackReply(200, whole)
            let isWhole = request.header("Range")?.hasPrefix("bytes=0-16383") == false
            if isWhole,
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            {
                reply.ending = .close(after: whole.count / 2)
            }
            return reply
        }
        #expect(try await box.loader().install(["north"]).finish() == .success(["north"]))
        #expect(!isFirst.withLock { $0 } && leftovers.isEmpty)
        #expect(try box.shown("north") == 85)
    }

    @Test func `a truncated archive is rejected`() async throws {
        box.serve(Array(box.served("/north.pmtiles").dropLast(100)), at: "/north.pmtiles")
        let result = try await box.loader().installAll("north")
        guard case .failure(.package(let failure)) = result else { return #expect(Bool(false), "\(result)") }
        #expect(failure.reason == .connectionFailed && failure.message.contains("the archive was cut short"))
    }
}
