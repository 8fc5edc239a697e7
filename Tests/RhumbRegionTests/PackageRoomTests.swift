@testable import Rhumb
import RhumbCore
@testable import RhumbOffline
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that nothing is downloaded that can't fit the disk, and that plans have both sizes.
struct PackageRoomTests {
    /// A publisher without editions: the catalogue says nothing about sizes.
    private func publisher(_ zooms: ClosedRange<Int>, quota: Int? = nil) throws -> PackageFixture {
        let publisher = try PackageFixture(quota: quota)
        publisher.publish("north", zooms: zooms)
        publisher.catalog(
            #"{"id": "north", "parent": "world", "area": [-180, -85, 180, 85], "archive": "north.pmtiles"}"#)
        return publisher
    }

    @Test func `a package without editions that can't fit is not started`() async throws {
        let publisher = try publisher(0...6, quota: 400_000)
        let plan = try await publisher.loader().plan(["north"])
        #expect(plan.storedBytes > 400_000 && plan.bytes == plan.storedBytes && !plan.hasRoom)
        let outcome = try await publisher.loader().installAll("north")
        #expect(outcome.reason == .insufficientStorage)
        guard case .failure(.package(let failure)) = outcome else { return }
        // The disk has more room, so that freeing it would not help.
        #expect(failure.message.contains("left of the region quota of 400 kB"))
        #expect(failure.remedy == .raiseRegionQuota && !failure.message.contains("free some space"))
        #expect(plan.freeText?.hasSuffix("of the region quota of 400 kB, not enough") == true)
        #expect(try publisher.box.store.regions().isEmpty)
    }

    @Test func `a package without editions that fits is installed`() async throws {
        let publisher = try publisher(0...3)
        #expect(try await publisher.loader().plan(["north"]).hasRoom)
        #expect(try await publisher.loader().installAll("north").reason == nil)
        #expect(try publisher.shown("north") == 85)
    }

    @Test func `an update that can't fit is not started, and the installed edition stays`() async throws {
        let publisher = try PackageFixture(quota: 600_000)
        func publish(_ edition: Int, _ zooms: ClosedRange<Int>, bytes: Int) {
            publisher.publish("north", edition, zooms: zooms)
            let editions = (1...edition).map {
                #"{"version": "\#($0)", "bytes": \#($0 == edition ? bytes : 9)}"#
            }
            publisher.catalog(
                #"{"id": "north", "parent": "world", "area": [-180, -85, 180, 85], "archive": "north.pmtiles", "editions": [\#(editions.joined(separator: ","))]}"#
            )
        }
        publish(1, 0...3, bytes: 20_000)
        #expect(try await publisher.loader().installAll("north").reason == nil)
        publish(2, 0...3, bytes: 700_000)
        let loader = publisher.loader()
        let plan = try await loader.planUpdate()
        #expect(plan.storedBytes == 700_000)
        let before = publisher.box.host.server.count("/north.pmtiles")
        #expect(try await loader.updateAll().reason == .insufficientStorage)
        #expect(publisher.box.host.server.count("/north.pmtiles") <= before + 1)
        #expect(try publisher.shown("north", 1) == 85)
    }
}
