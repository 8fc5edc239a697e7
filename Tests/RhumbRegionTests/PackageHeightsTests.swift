import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOffline
@testable import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests heights as a part of packages.
struct PackageHeightsTests {
    private let box: PackageFixture

    init() throws {
        box = try PackageFixture()
        publish(edition: 1)
        serveHeights()
    }

    /// Publishes a small package, so that it has few tiles of heights.
    private func publish(edition: Int) {
        box.publish("planet", edition)
        let editions = (1...edition).map { #"{"version": "\#($0)", "bytes": 100000}"# }
        box.catalog(
            #"{"id": "north", "parent": "world", "area": [5, 5, 10, 10], "part-of": "planet.pmtiles", "#
                + #""editions": [\#(editions.joined(separator: ","))]}"#)
    }

    /// Serves tiles of heights, and everything else as usual.
    /// - Parameter padding: The number of bytes that are added to each tile.
    private func serveHeights(padding: Int = 0) {
        box.intervene { request in
            guard request.target.hasPrefix("/heights/"), let tile = TileHost.tile(request.target.dropFirst(8))
            else { return nil }
            return LoopbackReply(
                200, fakePicture(tile, side: 9) + [UInt8](repeating: 0, count: padding),
                headers: ["Cache-Control": "max-age=3600"])
        }
    }

    private func loader(
        _ policy: SourcePolicy.OfflineRight = .allowed, bounds: Bounds? = nil
    ) throws -> MapLoader {
        var heights = try SourceDefinition(address: box.box.host.server.url("/heights/{z}/{x}/{y}.png"))
        heights.elevation = .terrarium
        heights.feature = .terrain
        heights.zooms = 0...12
        heights.bounds = bounds
        heights.policy.offline = policy
        heights.policy.packLimit = nil
        let loader = DocumentLoader(
            box.box.client, store: BackedStore(box.box.cache, pinned: box.box.store),
            date: { [box] in box.box.now })
        return MapLoader(
            box.address, regions: Regions(box.box.store, cache: box.box.cache, clock: box.box.clock),
            opener: WebSourceOpener(loader: loader, environment: { _ in nil }),
            named: { [heights] in $0 == "hills" ? heights : nil })
    }

    private var record: RegionRecord { get throws { try box.box.store.region("package-test.north") } }

    private var heightCount: Int {
        box.box.host.server.record.requests.count { $0.target.hasPrefix("/heights/") }
    }

    @Test func `are planned, installed, updated and uninstalled with the package`() async throws {
        let loader = try loader(), plain = try await loader.plan(["north"])
        let plan = try await loader.plan(["north"], heights: "hills")
        #expect(plan.heightBytes > 0 && plan.bytes == plain.bytes + plan.heightBytes && heightCount == 0)
        #expect(try await plan.start().finish() == .success(["north"]))
        let first = heightCount
        #expect(try first > 0 && record.parts.count == 2 && record.parts.allSatisfy { $0.failed == 0 })
        #expect(try record.parts.contains { $0.definition?.elevation == .terrarium })
        #expect(try await loader.status("north") == .explicit)
        #expect(try await loader.plan(["north"]).packages.isEmpty)
        // An update keeps them, and reads the rest of the package.
        publish(edition: 2)
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try record.parts.count == 2 && record.packageEdition == PackageVersion("2"))
        #expect(try await loader.checkForUpdate().isUpToDate)
        #expect(try await loader.uninstallAll("north") == .success(["north"]))
        #expect(try box.box.store.regions().isEmpty && box.box.count("entries", where: "z >= 0") == 0)
    }

    @Test func `are added to an installed package, and only they are fetched`() async throws {
        let loader = try loader()
        _ = try await loader.installAll("north")
        let before = box.box.host.server.count("/planet.pmtiles")
        let plan = try await loader.plan(["north"], heights: "hills")
        #expect(plan.packages.map(\.id) == ["north"] && plan.heightBytes > 0)
        #expect(try await plan.start().finish() == .success(["north"]))
        #expect(try record.parts.count == 2 && heightCount > 0)
        #expect(box.box.host.server.count("/planet.pmtiles") <= before + 1)
        #expect(try await loader.plan(["north"], heights: "hills").packages.isEmpty)
    }

    @Test func `missing ones are fetched again by a repair`() async throws {
        let loader = try loader()
        _ = try await loader.install(["north"], heights: "hills").finish()
        let first = heightCount
        let origin = try #require(try record.parts.first { $0.definition?.elevation != nil }?.origin)
        let cover = try #require(try record.covers.first { $0.origin == origin }?.cover)
        let tile = try #require(Array(cover.tiles()).last)
        try box.box.store.lose(.tile(origin: origin, tile))
        #expect(try await loader.repair().finish() == .success(["north"]))
        #expect(heightCount == first + 1)
    }

    @Test func `need the user's permission if the terms leave it open`() async throws {
        let loader = try loader(.ask)
        let plan = try await loader.plan(["north"], heights: "hills")
        #expect(plan.unsaidTerms.count == 1 && plan.unsaidTerms[0].contains("hills"))
        #expect(try await plan.start().finish().reason == .notPermitted)
        #expect(heightCount == 0)
        // Without a question, they are not included by default.
        #expect(try await loader.plan(["north"], smallHeights: "hills").heights == nil)
    }

    @Test func `are included by default only if their real tiles are small`() async throws {
        let small = try await loader().plan(["north"], smallHeights: "hills")
        #expect(small.heights == "hills" && (1...4).contains(heightCount))
        #expect(small.heightBytes > 0 && small.heightBytes * 5 < small.bytes)
    }

    @Test func `are not included by default if their real tiles are large`() async throws {
        serveHeights(padding: 60_000)
        let plan = try await loader().plan(["north"], smallHeights: "hills")
        #expect(plan.heights == nil && plan.heightBytes == 0 && (1...4).contains(heightCount))
    }

    @Test func `are not added to a package of heights`() async throws {
        var archive = PMTilesFixture(TileID.pyramid(0...3).map { ($0, PackageFixture.body($0)) })
        archive.metadata = Array(#"{"encoding": "terrarium"}"#.utf8)
        box.serve(archive.bytes, at: "/planet.pmtiles")
        let loader = try loader()
        #expect(try await loader.plan(["north"], smallHeights: "hills").heights == nil)
        #expect(try await loader.plan(["north"], heights: "hills").heightBytes == 0)
        #expect(try await loader.install(["north"], heights: "hills").finish() == .success(["north"]))
        #expect(try record.parts.count == 1 && heightCount == 0)
    }

    @Test func `outside the area of the source are neither promised nor stored`() async throws {
        let loader = try loader(bounds: Bounds(west: 40, south: 40, east: 50, north: 50))
        #expect(try await loader.plan(["north"], smallHeights: "hills").heights == nil)
        #expect(try await loader.plan(["north"], heights: "hills").heightBytes == 0)
        #expect(try await loader.install(["north"], heights: "hills").finish() == .success(["north"]))
        #expect(try record.parts.count == 1 && heightCount == 0)
    }

    @Test func `of a source without elevation are refused before anything is stored`() async throws {
        let loader = try loader()
        let flat = box.box.host.server.url("/{z}/{x}/{y}.png")
        let result = try await loader.install(["north"], heights: flat).finish()
        #expect(result.reason == .invalidParameters)
        #expect(try box.box.store.regions().allSatisfy { $0.parts.isEmpty })
    }
}
