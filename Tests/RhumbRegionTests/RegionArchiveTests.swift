@testable import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Regions to archives and back.
struct RegionArchiveTests {
    private func filled(_ box: RegionFixture) async throws -> RegionRecord {
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(404) }
        return try await box.download(
            box.region(zooms: 7...11, name: "Home"), box.source { $0.attribution = "© Somebody" })
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an archive has every tile of the region, byte for byte`(format: ArchiveFormat) async throws {
        let box = try RegionFixture()
        let record = try await filled(box)
        let path = box.folder.path + "/out.\(format.rawValue)"
        let summary = try box.regions.export(record, to: path)
        #expect(summary.tiles == 85 && summary.zooms == 7...11)
        let archive = try Archive.open(path)
        #expect(archive.info.name == "Home" && archive.info.attribution == "© Somebody")
        for tile in try box.tiles(box.region(zooms: 7...11)) {
            let found = try archive.tile(tile)
            if tile == .at(9, 256, 255) {
                #expect(found == .absent || found == nil)
            } else {
                #expect(found == .bitmap(.encoded(TileHost.body(tile))), "\(tile)")
            }
        }
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an archive comes back as a region; what it has not are gaps that can be fetched`(
        format: ArchiveFormat
    ) async throws {
        let box = try RegionFixture()
        let path = box.folder.path + "/out.\(format.rawValue)"
        _ = try box.regions.export(try await filled(box), to: path)
        box.host.behave()
        let asked = box.host.server.requestCount
        let source = try box.source("other")
        let made = try box.regions.add(box.region("copy", zooms: 7...11, sources: ["other"]), [source])
        #expect(try box.regions.fill(made, from: Archive.open(path), at: box.now) == 85)
        let record = try box.store.region("copy")
        #expect(record.state == .completeWithGaps && record.settled == 86 && record.failed == 1)
        #expect(try box.store.gaps(of: record.number).map(\.tile) == [.at(9, 256, 255)])
        #expect(box.host.server.requestCount == asked)
        // Going on changes nothing; a retry gets the one tile.
        let still = try await box.work(record, source)
        #expect(still.settled == 86 && box.host.server.requestCount == asked)
        let whole = try await box.work(record, source, RegionPass(.retry))
        #expect(whole.state == .complete && box.host.server.requestCount == asked + 1)
        for tile in try box.tiles(box.region(zooms: 7...11)) {
            #expect(try box.body(tile, "other") == TileHost.body(tile))
        }
    }

    @Test func `a region of several sources is exported one at a time`() async throws {
        let box = try RegionFixture()
        let sources = [try box.source(), try box.source("other")]
        let record = try box.regions.add(box.region(sources: ["web", "other"]), sources)
        try await box.regions.start(record, sources).finish()
        let path = box.folder.path + "/out.mbtiles"
        #expect(throws: RegionExportFailure.source("home", ["web", "other"])) { try box.regions.export(record, to: path) }
        #expect(throws: RegionExportFailure.self) { try box.regions.export(record, of: "third", to: path) }
        #expect(try box.regions.export(record, of: "other", to: path).tiles == 6)
    }

    @Test func `an archive is refused under a name of no kind, in place of a file, and where it is not allowed`() async throws {
        let box = try RegionFixture()
        let record = try await filled(box)
        #expect(throws: RegionExportFailure.format(box.folder.path + "/x.zip")) {
            try box.regions.export(record, to: box.folder.path + "/x.zip")
        }
        let path = box.folder.write([1, 2, 3], to: "out.pmtiles")
        #expect(throws: ExportFailure.self) { try box.regions.export(record, to: path) }
        #expect(try box.regions.export(record, to: path, isReplacing: true).tiles == 85)
        let closed = try box.source { $0.policy.archives = false }
        let denied = try box.regions.add(box.region("closed", zooms: 7...11), [closed])
        #expect(throws: RegionExportFailure.denied("Web", nil)) {
            try box.regions.export(denied, to: box.folder.path + "/closed.pmtiles")
        }
    }
}
