import Glibc
import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests installing and uninstalling packages of a catalogue.
struct MapLoaderTests {
    @Test func `an installed package is complete, and its size is measured`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        #expect(try await loader.rootPackage().children == ["land"])
        #expect(try await loader.package("north").size == .upTo(100_000))
        #expect(try await loader.installAll("north") == .success(["north"]))
        let package = try await loader.package("north")
        #expect(package.status == .explicit && package.installed == PackageVersion("1") && package.newer == 0)
        #expect(try package.size == .measured(box.box.store.region("package-test.north").bytes))
        #expect(try box.shown("north") == 85)
    }

    @Test func `tiles outside of the bounds that an archive declares are installed, too`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        var fixture = PMTilesFixture(TileID.pyramid(0...3).map { ($0, PackageFixture.body($0)) })
        fixture.leafSize = 16
        // The bounds are in degrees × 10^7 from byte 102 of the header: 0, 10, 20, 20.
        fixture.patches = [0, 10, 20, 20].enumerated().flatMap { place, degrees in
            bigEndian(UInt32(degrees * 10_000_000)).reversed().enumerated().map {
                (102 + 4 * place + $0.offset, $0.element)
            }
        }
        box.serve(fixture.bytes, at: "/north.pmtiles")
        let loader = box.loader()
        #expect(try await loader.installAll("north") == .success(["north"]))
        #expect(try box.shown("north") == 85)
        #expect(try await loader.checkForUpdate().isUpToDate)
    }

    @Test func `installed packages are skipped, and a package of others installs them`()
        async throws
    {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("south")
        #expect(try await [loader.status("land"), loader.status("north")] == [.partial, .none])
        let before = box.box.host.server.count("/south.pmtiles")
        #expect(try await loader.installAll("land", "south") == .success(["north"]))
        #expect(box.box.host.server.count("/south.pmtiles") == before)
        #expect(try await [loader.status("land"), loader.status("world")] == [.explicit, .explicit])
        #expect(try await loader.uninstallAll("world") == .success(["north", "south"]))
        #expect(try await loader.status("world") == .none)
        #expect(try box.box.store.regions().isEmpty && box.box.count("entries", where: "z >= 0") == 0)
    }

    @Test func `packages that were installed after the plan was made are skipped`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader(), plan = try await loader.plan(["land"])
        #expect(plan.packages.map(\.id) == ["north", "south"])
        _ = try await loader.installAll("north")
        let before = box.box.host.server.count("/north.pmtiles")
        #expect(try await plan.start().finish() == .success(["south"]))
        #expect(box.box.host.server.count("/north.pmtiles") == before)
    }

    @Test func `packages of one archive share tiles, and packages inside an installed one are implied`()
        async throws
    {
        let box = try PackageFixture()
        box.publish("planet", zooms: 0...5)
        let whole = #"{"id": "land", "parent": "world", "area": [0, 0, 40, 40], "part-of": "planet.pmtiles"}"#
        let part = #"{"id": "town", "parent": "land", "area": [5, 5, 10, 10], "part-of": "planet.pmtiles"}"#
        box.catalog(whole + "," + part)
        let loader = box.loader()
        _ = try await loader.installAll("town")
        let few = try box.box.count("entries", where: "z >= 0")
        #expect(try await [loader.status("land"), loader.status("town")] == [.none, .explicit])
        _ = try await loader.uninstallAll("town")
        _ = try await loader.installAll("land")
        let many = try box.box.count("entries", where: "z >= 0")
        #expect(try await loader.status("town") == .implicit)
        #expect(few < many)
        _ = try await loader.installAll("town")
        #expect(try await loader.status("town") == .explicit)
        #expect(try box.box.count("entries", where: "z >= 0") == many)
        _ = try await loader.uninstallAll("land")
        #expect(try box.box.count("entries", where: "z >= 0") == few && box.shown("town") == few)
    }

    @Test func `one operation runs at a time, and reading is possible meanwhile`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.rootPackage()
        let task = try await loader.install(["north"])
        task.pause()
        let busy = MapLoaderBusy(note: "\(getpid()) install")
        #expect(
            "\(busy)"
                == "packages are being installed by process \(getpid()); wait until that is finished, or "
                + "cancel it")
        await #expect(throws: OfflineFailure.busy(busy)) { try await loader.uninstall(["south"]) }
        await #expect(throws: OfflineFailure.busy(busy)) { try await loader.update() }
        // This also applies to other catalogues, and to other processes with the store open.
        await #expect(throws: OfflineFailure.busy(busy)) {
            try await box.loader(of: "other.json").install(["south"])
        }
        let again = try RegionStore(box.box.store.path)
        await #expect(throws: OfflineFailure.busy(busy)) {
            try await box.loader(store: again).install(["south"])
        }
        #expect(try await loader.package("south").status == .none)
        task.resume()
        let results = await [task.finish(), task.finish()]
        #expect(results == [.success(["north"]), .success(["north"])] && task.cancel() == false)
        #expect(try await loader.uninstallAll("north") == .success(["north"]))
    }

    @Test func `a cancelled installation is not a failure of the package, and only the rest is fetched`()
        async throws
    {
        let box = try PackageFixture()
        box.publish("big", zooms: 0...6)
        box.catalog(#"{"id": "big", "parent": "world", "archive": "big.pmtiles"}"#)
        let loader = box.loader(), task = try await loader.install(["big"])
        for await update in task.updates() where update.progress.tiles.settled > 2000 { break }
        task.cancel()
        let result = await task.finish()
        guard result.reason == .operationCancelled else {
            // It had already finished.
            #expect(result == .success(["big"]))
            return
        }
        #expect(try await loader.status("big") == .partial)
        #expect(try await loader.installAll("big") == .success(["big"]))
        let part = try box.box.store.region("package-test.big").parts[0]
        // Tiles in flight at the cancellation may have been fetched twice.
        #expect(part.tiles == 5461 && part.loaded < 5461 + 1100)
        #expect(try box.shown("big") == 5461)
    }

    @Test func `without a connection it waits, reports this, and continues automatically`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("north")
        _ = try await loader.uninstallAll("north")
        box.box.host.server.stop()
        let task = try await loader.install(["north"])
        var connection: [Bool] = []
        for await update in task.updates() {
            if update.state.waitingReason != nil {
                if connection.isEmpty { try box.box.host.server.start() }
                connection.append(false)
            } else if !connection.isEmpty {
                connection.append(true)
            }
        }
        #expect(await task.finish() == .success(["north"]))
        #expect(connection.first == false && connection.last == true)
    }

    @Test func `the tree is available without a network while something is installed`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        _ = try await box.loader().installAll("north")
        _ = try box.box.cache.clear()
        box.box.host.server.stop()
        let loader = box.loader()
        #expect(try await loader.status("north") == .explicit)
        #expect(try await loader.search("sou").map(\.id) == ["south"])
        let task = try await loader.install(["south"])
        for await update in task.updates() where update.state.waitingReason != nil { task.cancel() }
        #expect(await task.finish().reason == .operationCancelled)
    }

    // MARK: Failures

    @Test func `a package that is not in the catalogue is rejected with its id`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        #expect(try await loader.installAll("atlantis").reason == .invalidParameters)
        #expect(try await loader.installAll().reason == .invalidParameters)
        #expect(try await loader.uninstallAll("atlantis").reason == .invalidParameters)
        #expect(try await loader.uninstallAll("north") == .success([]))
        let failure = await #expect(throws: MapLoaderFailure.self) {
            try await loader.package(at: Coordinate(latitude: 50, longitude: 5))
        }
        #expect(failure?.reason == .searchFailed && failure?.message.contains("north") == true)
        #expect(try await loader.package(at: Coordinate(latitude: 5, longitude: 5)).id == "south")
    }

    @Test func `an unavailable catalogue or archive is a failed connection`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        for address in [box.box.host.server.url("/none.json"), box.box.host.server.url("/north.pmtiles")] {
            let failure = await #expect(throws: MapLoaderFailure.self) {
                try await box.loader(of: address).rootPackage()
            }
            #expect(failure?.reason == .connectionFailed)
        }
        box.catalog(#"{"id": "lost", "parent": "world", "archive": "lost.pmtiles"}"#)
        let loader = box.loader()
        #expect(try await loader.installAll("lost").reason == .connectionFailed)
        #expect(try await loader.status("lost") == .none)
    }

    @Test func `failed packages are requested again by the next installation`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        box.intervene { request in
            request.target == "/north.pmtiles" && request.header("Range")?.hasPrefix("bytes=0-") == false
                ? LoopbackReply(404) : nil
        }
        let result = try await loader.installAll("north", "south")
        #expect(
            result
                == .failure(
                    .package(
                        MapLoaderFailure(.incomplete, "north: 85 tiles failed; install it again to retry"))))
        #expect(try await loader.status("north") == .partial)
        #expect(
            try await loader.status("south") == .explicit, "one that lacks tiles keeps no other from coming")
        box.intervene { _ in nil }
        #expect(try await loader.installAll("north") == .success(["north"]))
        #expect(try box.shown("north") == 85)
    }

    @Test func `a package that is too large for the disk is not started`() async throws {
        let box = try PackageFixture(quota: 500_000)
        box.publish("north")
        box.catalog(
            #"{"id": "north", "parent": "world", "archive": "north.pmtiles", "editions": [{"version": "1", "bytes": 600000}]}"#
        )
        let loader = box.loader()
        #expect(try await loader.installAll("north").reason == .insufficientStorage)
        #expect(try box.box.store.regions().isEmpty && box.box.host.server.count("/north.pmtiles") == 0)
    }

    @Test func `tiles of a user's region stay when a package is removed`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("north")
        let record = try box.box.store.region("package-test.north"), definition = try record.readDefinition()
        let loaded = try await loader.catalog()
        let package = try loaded.package("north"), opener = await loader.opener
        let source = try await loader.source(of: package, opener)
        let own = try RegionDefinition(
            id: RegionID("own"), geometry: definition.geometry, zooms: ZoomRange(0, 1),
            sources: definition.sources,
            features: ["rendering"], packing: .exact)
        let kept = try await box.box.work(box.box.regions.add(own, [source]), source)
        #expect(kept.parts[0].reused == 5)
        _ = try await loader.uninstallAll("north")
        #expect(try box.box.count("entries", where: "z >= 0") == 5)
    }
}
