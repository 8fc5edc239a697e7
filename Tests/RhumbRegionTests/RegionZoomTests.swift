import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
import RhumbTestSupport
import Testing

/// Tests the zooms of regions: the deepest ones, and those that a source lacks.
struct RegionZoomTests {
    private typealias Remote = RemoteRegionTests.Remote

    @Test func `a region has all zooms of a deep archive`() async throws {
        let place = WorldPoint(x: 0.5750001, y: 0.2890001)
        let tiles = (17...24).map { TileID(zoom: $0, containing: place) }
        let remote = try Remote(PMTilesFixture(tiles.map { ($0, fakePicture($0)) }))
        let at = Mercator.coordinate(place)
        let box = try #require(
            Bounds(
                west: at.longitude, south: at.latitude, east: at.longitude + 1e-8, north: at.latitude + 1e-8))
        let source = try await remote.source()
        let area = try remote.box.region("deep", box, zooms: 17...24, sources: ["remote"])
        let plan = try remote.box.regions.plan(area, [source])
        #expect(plan.rows.map(\.zoom) == Array(17...24) && plan.sources[0].notes.isEmpty)
        let record = try await remote.box.download(area, source)
        #expect(record.state == .complete && record.failed == 0)
        for tile in tiles { #expect(remote.body(tile, record) == fakePicture(tile)) }
    }

    @Test func `a plan states the zooms that a source lacks`() async throws {
        let remote = try Remote(PMTilesFixture(zooms: 2...3)), source = try await remote.source()
        let notes = try remote.box.regions.plan(remote.area(0...5), [source]).sources[0].notes
        #expect(notes.contains { $0.contains("zooms 0 to 1 are left out") })
        #expect(notes.contains { $0.contains("zooms 4 to 5 are left out") })
        #expect(try remote.box.regions.plan(remote.area(2...3), [source]).sources[0].notes == [])
    }

    @Test func `zooms beyond those assumed of an address are not denied to its server`() throws {
        let failure = #expect(throws: ZoomRangeFailure.self) {
            try ZoomRange(21, 22).limited(to: 0...19, source: "example.org", isAssumed: true)
        }
        #expect(failure?.description.contains("states no zooms") == true)
        #expect(failure?.description.contains("maxzoom") == true)
    }
}
