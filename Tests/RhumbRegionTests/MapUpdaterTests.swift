import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests updating packages to newer editions.
struct MapUpdaterTests {
    @Test func `a new edition is found, fetched and shown`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("land")
        #expect(try await loader.checkForUpdate().isUpToDate)
        box.publishCountries(edition: 2)
        let found = try await loader.checkForUpdate()
        #expect(found.packages.map(\.id) == ["north", "south"] && found.bytes == 200_000)
        #expect(
            found.packages.allSatisfy {
                "\($0.from.map { "\($0)" } ?? "")" == "1" && $0.to == PackageVersion("2")
            })
        #expect(try await loader.package("north").newer == 1)
        #expect(try box.shown("north", 1) == 85)
        #expect(try await loader.updateAll() == .success(["north", "south"]))
        #expect(try box.shown("north", 2) == 85 && box.shown("south", 2) == 85)
        #expect(try await loader.package("land").installed == PackageVersion("2"))
        #expect(try await loader.checkForUpdate().isUpToDate)
        #expect(try await loader.updateAll() == .success([]))
    }

    @Test func `an update starts as planned, without another request for the catalogue`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("land")
        box.publishCountries(edition: 2)
        let plan = try await loader.planUpdate(), before = box.box.host.server.count("/catalog.json")
        #expect(plan.packages.map(\.id) == ["north", "south"])
        #expect(try await plan.start().finish() == .success(["north", "south"]))
        #expect(box.box.host.server.count("/catalog.json") == before)
        #expect(try box.shown("north", 2) == 85 && box.shown("south", 2) == 85)
    }

    @Test func `checking a hundred packages for updates takes one conditional request`() async throws {
        let box = try PackageFixture(), names = (1...100).map { "p\($0)" }
        box.publish("p1")
        box.catalog(
            names.map {
                #"{"id": "\#($0)", "parent": "world", "archive": "\#($0).pmtiles", "editions": [{"version": "1", "bytes": 9}]}"#
            }
            .joined(separator: ","))
        let loader = box.loader()
        #expect(try await loader.installAll("p1") == .success(["p1"]))
        // Pretends that the others were installed in the same way.
        let first = try box.box.store.region("package-test.p1"), definition = try first.readDefinition()
        for name in names.dropFirst() {
            let other = try RegionDefinition(
                id: RegionID("package-test.\(name)"), metadata: definition.metadata,
                geometry: definition.geometry,
                zooms: definition.zooms, sources: definition.sources, features: definition.features,
                packing: definition.packing)
            _ = try box.box.store.put(other, parts: first.parts, packs: [], at: box.box.now)
        }
        #expect(try await loader.status("world") == .explicit)
        box.box.pass(3600)
        let before = box.box.host.server.record
        #expect(try await loader.checkForUpdate().isUpToDate)
        let after = box.box.host.server.record
        #expect(after.requests.count == before.requests.count + 1 && after.bytes == before.bytes)
    }

    @Test func `while an update is interrupted or fails the old edition is complete`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("north")
        box.publishCountries(edition: 2)
        _ = try await loader.checkForUpdate()
        box.intervene { request in
            request.target == "/north.pmtiles" && request.header("Range")?.hasPrefix("bytes=0-") == false
                ? LoopbackReply(404) : nil
        }
        let result = try await loader.updateAll()
        #expect(result.reason == .incomplete)
        #expect(try box.shown("north", 1) == 85)
        #expect(try await loader.package("north").installed == PackageVersion("1"))
        box.intervene { _ in nil }
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try box.shown("north", 2) == 85)
    }

    @Test func `without a server nothing is reported as up to date`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("north")
        box.box.host.server.stop()
        let failure = await #expect(throws: MapLoaderFailure.self) { try await loader.checkForUpdate() }
        #expect(failure?.reason == .connectionFailed)
        #expect(try await loader.updateAll().reason == .connectionFailed)
        #expect(try await loader.status("north") == .explicit)
    }

    @Test(arguments: [
        "truck", "navigation", "offlineRouting", "offlineBusRouting", "offlineSearchGlobal", "ev",
    ])
    func `a feature that selects no tiles leaves the installation up to date`(name: String) async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader(), feature = try Feature.named(name)
        _ = try await loader.installAll("north")
        await loader.select(feature)
        #expect(try await loader.checkForUpdate().isUpToDate)
        #expect(try await loader.updateAll() == .success([]))
        await loader.deselect(feature)
        #expect(try await loader.checkForUpdate().isUpToDate)
    }

    @Test func `data groups that are selected later are missing until the next update`() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("north")
        await loader.select(.detailRendering)
        #expect(await loader.isSelected(.detailRendering))
        let found = try await loader.checkForUpdate()
        #expect(
            found.packages.map(\.missingFeatures) == [["detailRendering"]]
                && found.packages[0].from == found.packages[0].to)
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try await loader.checkForUpdate().isUpToDate)
        await loader.deselect(.detailRendering)
        await loader.deselect(.rendering)
        let removal = try #require(try await loader.checkForUpdate().packages.first)
        #expect(removal.surplusFeatures == ["detailRendering"] && removal.bytes == 0 && removal.onlyRemoves)
        let asked = box.box.host.server.record.requests.count
        #expect(try await loader.updateAll() == .success(["north"]))
        let requests = box.box.host.server.record.requests.dropFirst(asked)
        let ranges = requests.compactMap { $0.header("Range") }.filter { !$0.hasPrefix("bytes=0-") }
        #expect(ranges == [], "\(requests.map(\.target))")
        #expect(try await loader.checkForUpdate().isUpToDate)
    }
}
