import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests exporting regions to archives, and importing them.
struct RegionArchiveTests {
    private func filled(_ box: RegionFixture) async throws -> RegionRecord {
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(404) }
        return try await box.download(
            box.region(zooms: 7...11, name: "Home"), box.source { $0.attribution = "© Somebody" })
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an archive contains every tile of the region unchanged`(format: ArchiveFormat) async throws {
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
    func `the encoding of heights is exported and imported`(format: ArchiveFormat) async throws {
        let box = try RegionFixture(), path = box.folder.path + "/out.\(format.rawValue)"
        let record = try await box.download(box.region(), box.source { $0.elevation = .terrarium })
        _ = try box.regions.export(record, to: path)
        let archive = try Archive.open(path)
        #expect(archive.metadata["encoding"] == "terrarium")
        #expect(try box.source("other").described(by: archive).definition.elevation == .terrarium)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an archive is imported as a region, and its missing tiles are gaps that can be fetched`(
        format: ArchiveFormat
    ) async throws {
        let box = try RegionFixture()
        let path = box.folder.path + "/out.\(format.rawValue)"
        _ = try box.regions.export(try await filled(box), to: path)
        box.host.behave()
        let asked = box.host.server.requestCount
        let source = try box.source("other")
        let made = try box.regions.add(box.region("copy", zooms: 7...11, sources: ["other"]), [source])
        #expect(try box.regions.fill(made, from: Archive.open(path), at: box.now).imported == 85)
        let record = try box.store.region("copy")
        #expect(record.state == .completeWithGaps && record.settled == 86 && record.failed == 1)
        #expect(try box.store.gaps(of: record.number).map(\.tile) == [.at(9, 256, 255)])
        #expect(box.host.server.requestCount == asked)
        // Continuing fetches the one tile.
        let whole = try await box.work(record, source)
        #expect(whole.state == .complete && box.host.server.requestCount == asked + 1)
        for tile in try box.tiles(box.region(zooms: 7...11)) {
            #expect(try box.body(tile, "other") == TileHost.body(tile))
        }
    }

    @Test func `an archive with few of the planned tiles is imported without examining the others`()
        async throws
    {
        let box = try RegionFixture()
        let tiles = [TileID.at(9, 256, 255), .at(9, 257, 255), .at(16, 0, 0)]
        let path = box.folder.write(fakeArchive(tiles.map { ($0, TileHost.body($0)) }), to: "few.pmtiles")
        let made = try box.regions.add(box.region(zooms: 0...9), [box.source()])
        #expect(try box.regions.fill(made, from: Archive.open(path), at: box.now, gapLimit: 5).imported == 2)
        let record = try box.store.region("home")
        #expect(
            try record.state == .cancelled && record.settled == 0 && box.store.gaps(of: record.number).isEmpty
        )
        // When resumed, it finds them.
        let whole = try await box.work(record)
        #expect(whole.state == .complete && box.host.asked.count == record.planned)
        #expect(try box.present(box.region(zooms: 0...9)) == record.planned)
    }

    @Test(arguments: ["mbtiles", "pmtiles", "folder"])
    func `an archive lists each of its tiles once`(kind: String) throws {
        let folder = TemporaryFolder()
        let tiles = TileID.pyramid(0...4).filter { $0.x != 3 }
        let path: String
        switch kind {
        case "mbtiles": path = try MBTilesFixture(tiles.map { ($0, blankPicture(RGB(0))) }).write(in: folder)
        case "pmtiles":
            path = folder.write(fakeArchive(tiles.map { ($0, blankPicture(RGB(0))) }), to: "a.pmtiles")
        default:
            for tile in tiles { folder.write(blankPicture(RGB(0)), to: "t/\(tile).png") }
            path = folder.path + "/t"
        }
        var found: [TileID] = []
        try Archive.open(path).eachTile { found.append($0) }
        #expect(found.count == tiles.count && Set(found) == Set(tiles))
    }

    @Test func `a region of several sources is exported one at a time`() async throws {
        let box = try RegionFixture()
        let sources = [try box.source(), try box.source("other")]
        let record = try box.regions.add(box.region(sources: ["web", "other"]), sources)
        try await box.regions.start(record, sources).value()
        let path = box.folder.path + "/out.mbtiles"
        #expect(throws: RegionExportFailure.source("home", ["web", "other"])) {
            try box.regions.export(record, to: path)
        }
        #expect(throws: RegionExportFailure.self) { try box.regions.export(record, of: "third", to: path) }
        #expect(try box.regions.export(record, of: "other", to: path).tiles == 6)
    }

    @Test
    func `an archive is rejected with an unknown extension, over a file, or if it is not allowed`()
        async throws
    {
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
