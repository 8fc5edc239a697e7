import Rhumb
import RhumbCore
import RhumbDrawing
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests regions of a GeoTIFF on a web server. It shows tile 4/8/5 in a single colour, down to zoom 6.
struct RemoteImageRegionTests {
    private typealias Remote = RemoteRegionTests.Remote

    private func bytes(red: Int) -> [UInt8] {
        var fixture = GeoTIFFFixture()
        fixture.side = 1024
        fixture.overviews = 2
        fixture.sample = { _, _, _ in Double(red) }
        return fixture.bytes
    }

    private func remote(red: Int) throws -> Remote {
        var remote = try Remote(bytes(red: red))
        remote.name = "ortho.tif"
        return remote
    }

    private static let deep = TileID(zoom: 6, x: 33, y: 22)!

    private func red(_ body: [UInt8]?) throws -> Int {
        Int(try SniffingDecoder().decode(#require(body), limits: .tile).pixels[0])
    }

    @Test func `a GeoTIFF becomes a region in few requests, and is shown without the server`() async throws {
        let remote = try remote(red: 10), server = remote.box.host.server
        let source = try await remote.source()
        #expect(server.requestCount <= 2)
        let record = try await remote.box.download(remote.area(0...6), source)
        #expect(record.state == .complete && record.parts[0].done >= 25)
        #expect(server.requestCount <= 6 && record.parts[0].requests <= 4)
        #expect(server.record.bytes < bytes(red: 10).count * 5 / 4)
        #expect(try remote.box.regions.check(record).isWhole)
        #expect(try red(remote.body(Self.deep, record)) == 10)
        server.stop()
        remote.box.pass(7200)
        let offline = try await remote.source(prefersStored: true)
        #expect(offline.origin == source.origin && offline.layer.info == source.layer.info)
        #expect(remote.box.folder.everyFileContaining("SECRETMARKER") == [])
    }

    @Test func `a refresh of the same GeoTIFF takes one request, and one of a replaced one draws it again`()
        async throws
    {
        let remote = try remote(red: 10), server = remote.box.host.server
        let source = try await remote.source()
        var record = try await remote.box.download(remote.area(0...6), source)
        let done = record.parts[0].done, asked = server.requestCount
        remote.box.pass(7200)
        record = try await remote.box.work(record, source, SyncMode(.refresh))
        #expect(record.state == .complete && record.parts[0].unchanged == done)
        #expect(server.requestCount - asked <= 2)
        remote.disk.replace(bytes(red: 200))
        remote.box.pass(7200)
        record = try await remote.box.work(record, source, SyncMode(.refresh))
        #expect(record.state == .complete && record.parts[0].done == done)
        #expect(try red(remote.body(Self.deep, record)) == 200 && red(remote.body(.world, record)) >= 0)
    }

    @Test func `without a server the region waits, and then draws the missing tiles`() async throws {
        let remote = try remote(red: 10), server = remote.box.host.server, gate = LoopbackGate()
        let source = try await remote.source()
        remote.disk.breaksOff(.pause(after: 300_000, gate))
        let asked = server.requestCount
        let task = try remote.box.regions.start(
            remote.box.regions.add(remote.area(0...6), [source]), [source])
        #expect(await eventually { server.requestCount > asked })
        server.stop()
        gate.open()
        #expect(await eventually { task.record.state == .waitingForNetwork })
        remote.disk.behave()
        try server.start()
        let record = try await task.value()
        #expect(record.state == .complete && record.failed == 0)
        #expect(try red(remote.body(Self.deep, record)) == 10)
    }

    @Test func `a GeoTIFF that is replaced while a response breaks off is not mixed`() async throws {
        let remote = try remote(red: 10), disk = remote.disk, next = bytes(red: 200)
        let source = try await remote.source()
        disk.breaksOff(.close(after: 170_000)) { disk.replace(next) }
        let record = try await remote.box.download(remote.area(0...6), source)
        #expect(record.state == .complete)
        for tile in [Self.deep, TileID(zoom: 6, x: 35, y: 20)!, TileID(zoom: 5, x: 16, y: 10)!] {
            #expect(try red(remote.body(tile, record)) == 200)
        }
    }

    @Test func `zooms that need most of a file without overviews are left out, which the plan states`()
        async throws
    {
        var fixture = GeoTIFFFixture()
        fixture.side = 1024
        fixture.isTiled = false
        fixture.block = 1
        var remote = try Remote(fixture.bytes)
        remote.name = "ortho.tif"
        let source = try await remote.source(), area = try remote.area(0...6)
        let plan = try remote.box.regions.plan(area, [source])
        #expect(Set(plan.rows.map(\.zoom)) == [6])
        #expect(plan.sources[0].notes.contains { $0.contains("zooms 0 to 5 are left out") })
        let record = try await remote.box.download(area, source)
        #expect(record.state == .complete && record.failed == 0 && record.parts[0].done >= 16)
        #expect(try remote.box.regions.check(record).isWhole)
    }

    @Test func `an imported GeoTIFF is drawn, and tiles that it lacks are gaps, not absent at the source`()
        throws
    {
        let box = try RegionFixture(), path = box.folder.write(bytes(red: 10), to: "ortho.tif")
        let made = try box.regions.add(box.region("photo", .world, zooms: 0...6), [box.source()])
        let (imported, outside) = try box.regions.fill(
            made, from: GeoTIFFArchive(path, name: "ortho"), at: box.now)
        let record = try box.store.region("photo")
        #expect(imported >= 25 && outside == 0 && record.absent == 0)
        #expect(record.failed == record.planned - imported && record.state == .completeWithGaps)
        #expect(try red(box.body(Self.deep, "web")) == 10)
    }

    @Test(arguments: ["copy.pmtiles", "copy.mbtiles"])
    func `a region of a GeoTIFF is exported as pictures`(name: String) async throws {
        let remote = try remote(red: 10)
        let record = try await remote.box.download(remote.area(0...6), remote.source())
        let path = remote.box.folder.path + "/" + name
        let summary = try remote.box.regions.export(record, to: path)
        #expect(summary.tiles >= 25)
        guard case .bitmap(.encoded(let body))? = try Archive.open(path).tile(Self.deep) else {
            Issue.record("no picture")
            return
        }
        #expect(try red(body) == 10)
    }
}
