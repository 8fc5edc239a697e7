@testable import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests updates that fetch only tiles that differ.
struct MapDifferenceTests {
    private let box: PackageFixture
    private let folder = TemporaryFolder()

    init() throws { box = try PackageFixture() }

    /// Publishes an archive of zooms 0 to 4. Some tiles are the same in later editions.
    private func publish(_ edition: Int, changed: Set<Int> = []) throws {
        let tiles = TileID.pyramid(0...4).enumerated().map {
            ($1, PackageFixture.body($1, changed.contains($0) ? edition : 1))
        }
        folder.write(PMTilesFixture(tiles).bytes, to: "north.pmtiles")
        try box.publish(folder, edition: "\(edition)")
    }

    private var part: RegionSourceRecord {
        get throws { try box.box.store.region("package-test.north").parts[0] }
    }

    /// Returns the number of tiles shown as in the current archive.
    private func shown() throws -> Int {
        let archive = try PMTilesArchive(folder.write(box.served("/north.pmtiles"), to: "served")),
            origin = try part.origin
        var count = 0
        try archive.eachTile { tile in
            guard case .bitmap(.encoded(let body))? = try archive.tile(tile) else { return }
            if box.box.store.response(for: .tile(origin: origin, tile))?.body == body { count += 1 }
        }
        return count
    }

    @Test func `only the changed tiles are fetched, and the plan says so`() async throws {
        try publish(1)
        let loader = box.loader()
        #expect(try await loader.installAll("north") == .success(["north"]))
        try publish(2, changed: [3, 100, 101])
        box.box.pass(3600)
        let plan = try await loader.planUpdate()
        #expect(plan.packages.map(\.tiles) == [3] && plan.packages[0].reason.isEmpty)
        let changed = TileID.pyramid(0...4)
        #expect(plan.bytes == [3, 100, 101].reduce(0) { $0 + PackageFixture.body(changed[$1], 2).count })
        #expect(plan.saved > plan.bytes)
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try part.loaded == 3 && part.unchanged == 338 && shown() == 341)
        #expect(try await loader.package("north").installed == PackageVersion("2"))
        #expect(try await loader.checkForUpdate().isUpToDate)
    }

    @Test func `carried-over tiles are carried over again, and shown without a network`() async throws {
        try publish(1)
        let loader = box.loader()
        _ = try await loader.installAll("north")
        for edition in 2...4 {
            try publish(edition, changed: [edition * 10])
            box.box.pass(3600)
            #expect(try await loader.updateAll() == .success(["north"]))
            #expect(try part.loaded == 2 - (edition == 2 ? 1 : 0) && shown() == 341)
        }
        box.box.host.server.stop()
        #expect(try await box.loader().status("north") == .explicit)
        #expect(try shown() == 341)
    }

    @Test func `an update over several editions fetches the tiles changed in any`() async throws {
        try publish(1)
        let loader = box.loader()
        _ = try await loader.installAll("north")
        try publish(2, changed: [1])
        try publish(5, changed: [1, 2])
        box.box.pass(3600)
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try part.loaded == 2 && shown() == 341)
    }

    @Test(arguments: ["cut off", "of another edition", "of another archive", "gone", "something else"])
    func `without a usable list the whole package is fetched, and the plan says why`(
        fault: String
    ) async throws {
        try publish(1)
        let loader = box.loader(), first = box.served("/north.1.hashes")
        _ = try await loader.installAll("north")
        try publish(2, changed: [7])
        box.box.pass(3600)
        let list = box.served("/north.2.hashes")
        switch fault {
        case "cut off": box.serve(Array(list[..<(list.count / 2)]), at: "/north.2.hashes")
        case "of another edition": box.serve(first, at: "/north.2.hashes")
        case "of another archive":
            box.serve(TileHashes(version: "2", beginning: [1]).bytes, at: "/north.2.hashes")
        case "gone": box.intervene { $0.target == "/north.2.hashes" ? LoopbackReply(404) : nil }
        default: box.serve(Array("{}".utf8), at: "/north.2.hashes")
        }
        let plan = try await loader.planUpdate()
        #expect(
            plan.packages.map(\.tiles) == [nil] && plan.packages[0].reason.contains("list of hashes")
                && plan.saved == 0)
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try part.loaded == 341 && shown() == 341)
    }

    @Test func `without a list of the installed tiles the whole package is fetched`() async throws {
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("north")
        box.publishCountries(edition: 2)
        let plan = try await loader.planUpdate()
        #expect(plan.packages.map(\.tiles) == [nil] && plan.saved == 0 && !plan.packages[0].reason.isEmpty)
    }

    @Test func `a locally damaged tile is fetched even if it is the same in both editions`() async throws {
        try publish(1)
        let loader = box.loader()
        _ = try await loader.installAll("north")
        let origin = try part.origin
        try box.box.store.invalidate([.tile(origin: origin, TileID.pyramid(0...4)[50])])
        try publish(2, changed: [7])
        box.box.pass(3600)
        _ = try await loader.updateAll()
        #expect(try part.loaded == 2 && shown() == 341)
    }

    @Test func `an archive that changes during the update is fetched completely`() async throws {
        try publish(1)
        let loader = box.loader()
        _ = try await loader.installAll("north")
        try publish(2, changed: Set(200...300))
        box.box.pass(3600)
        let third = PMTilesFixture(TileID.pyramid(0...4).map { ($0, PackageFixture.body($0, 3)) }).bytes
        box.intervene { [box] request in
            guard request.target == "/north.pmtiles", request.header("Range")?.hasPrefix("bytes=0-") == false
            else { return nil }
            box.serve(third, at: "/north.pmtiles")
            return nil
        }
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try shown() == 341)
        // The received list doesn't belong to that archive.
        box.intervene { _ in nil }
        try publish(4, changed: [7])
        box.box.pass(3600)
        #expect(try await loader.planUpdate().packages.map(\.tiles) == [nil])
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try shown() == 341)
    }

    @Test func `two per cent of ten thousand tiles cost little more than their bytes`() async throws {
        let tiles = Array(TileID.pyramid(0...7).prefix(10_000))
        func archive(_ edition: Int) -> [UInt8] {
            var fixture = PMTilesFixture(
                tiles.enumerated().map { ($1, noisePicture($0, $0 % 50 == 7 ? edition : 1)) })
            fixture.leafSize = 1000
            return fixture.bytes
        }
        folder.write(archive(1), to: "north.pmtiles")
        try box.publish(folder, edition: "1")
        let loader = box.loader()
        #expect(try await loader.installAll("north") == .success(["north"]))
        folder.write(archive(2), to: "north.pmtiles")
        try box.publish(folder, edition: "2")
        box.box.pass(3600)
        let before = box.box.host.server.record.bytes
        #expect(try await loader.updateAll() == .success(["north"]))
        let came = box.box.host.server.record.bytes - before
        let changed = stride(from: 7, to: 10_000, by: 50).reduce(0) { $0 + noisePicture($1, 2).count }
        let header = try #require(PMTilesHeader(box.served("/north.pmtiles")))
        let directories = PMTilesIndex.startLength + Int(header.leaves.length + header.metadata.length)
        let lists = box.served("/north.2.hashes").count + box.served("/catalog.json").count
        #expect(try part.loaded == 200 && shown() == 10_000)
        #expect(
            came < changed * 11 / 10 + directories + lists,
            "\(came) for \(changed), \(directories) and \(lists)")
    }
}

/// Returns an image that can't be compressed.
private func noisePicture(_ number: Int, _ edition: Int) -> [UInt8] {
    var generator = SplitMix(seed: UInt64(number * 100 + edition))
    var pixels: [UInt8] = []
    while pixels.count < 20 * 20 * 4 { withUnsafeBytes(of: generator.next()) { pixels += $0 } }
    return Raster(width: 20, height: 20, pixels: pixels).flatMap { try? PNGEncoder.encode($0) } ?? []
}
