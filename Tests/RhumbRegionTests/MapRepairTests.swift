import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the detection and repair of interrupted or damaged operations at the start of a program.
struct MapRepairTests {
    private let box: PackageFixture

    init() throws { box = try PackageFixture() }

    private func installed(_ ids: String...) async throws -> MapLoader {
        box.publishCountries()
        let loader = box.loader()
        #expect(try await loader.install(ids).finish().reason == nil)
        return loader
    }

    private func record(_ id: String) throws -> RegionRecord {
        try box.box.store.region("package-test.\(id)")
    }

    @Test func `a complete installation is valid, and so is an empty one`() async throws {
        #expect(await box.loader().state() == .ok)
        let loader = try await installed("north")
        #expect(await loader.state() == .ok)
        #expect(await loader.state().remedy == nil)
    }

    @Test func `an interrupted installation waits for the user, and continues with all its packages`()
        async throws
    {
        box.publish("big", zooms: 0...6)
        box.publishCountries()
        box.catalog(
            """
            {"id": "big", "parent": "world", "archive": "big.pmtiles"}, {"id": "north", "parent": "world", "archive": "north.pmtiles"}
            """)
        let first = box.loader()
        let task = try await first.install(["big", "north"])
        task.pause()
        for await update in task.updates()
        where update.progress.package == "big" && update.progress.tiles.planned > 0 { break }
        // A copy of the store in its present state, as after the process was killed.
        let left = try RegionFixture.copy(of: box.box.store, to: box.box.folder.path + "/left.db")
        task.cancel()
        _ = await task.finish()
        let second = box.loader(store: left)
        #expect(await second.state() == .pendingUpdate)
        let before = box.box.host.server.record.requests.count
        #expect(await second.state() == .pendingUpdate)
        #expect(box.box.host.server.record.requests.count == before)
        #expect(try await second.resume().finish() == .success(["big", "north"]))
        #expect(await second.state() == .ok)
        #expect(try await [second.status("north"), second.status("big")] == [.explicit, .explicit])
    }

    @Test func `a cancelled installation is resumed with the packages not started`() async throws {
        let loader = try await installed("north")
        let task = try await loader.install(["south"])
        task.cancel()
        if await task.finish().reason == .operationCancelled {
            #expect(try await [MapPackage.Status.none, .partial].contains(loader.status("south")))
        }
        // It may have been cancelled before it had read the catalogue.
        let isKnown = try box.box.store.regions().contains { $0.package?.package == "south" }
        _ = try await loader.resume().finish()
        #expect(try await loader.status("south") == (isKnown ? .explicit : .none))
    }

    @Test func `damaged tiles are found by a repair, and fetched again`() async throws {
        let loader = try await installed("north", "south"), part = try record("north").parts[0]
        let key = ResourceKey.tile(origin: part.origin, TileID.pyramid(0...3)[9])
        var damaged = try #require(box.box.store.response(for: key))
        damaged.body = Array("no picture".utf8)
        box.box.store.renew(key, with: damaged, at: box.box.now)
        #expect(try box.shown("north") == 84)
        let south = box.box.host.server.count("/south.pmtiles")
        #expect(try await loader.repair().finish() == .success(["north"]))
        #expect(try box.shown("north") == 85 && box.box.host.server.count("/south.pmtiles") == south)
        #expect(try await loader.repair().finish() == .success([]))
    }

    @Test func `a missing document is corruption, which a repair fixes`() async throws {
        let loader = try await installed("north"), number = try record("north").number
        let document = try #require(
            try box.box.store.documents(of: number).first { $0.address.contains("north") })
        try box.box.store.lose(.document(document.address))
        #expect(await loader.state() == .corrupted)
        #expect(await loader.state().remedy == .repair)
        #expect(try await loader.repair().finish() == .success(["north"]))
        #expect(await loader.state() == .ok)
    }

    @Test func `a region with an unreadable definition counts as damaged, and clearing repairs it`()
        async throws
    {
        let loader = try await installed("north", "south")
        try Connection(box.box.store.path, .readWrite).execute(
            "UPDATE regions SET definition = 'x' WHERE id LIKE '%north'", to: "damage a definition")
        #expect(await loader.state() == .corrupted)
        #expect(try await loader.clear().finish().reason == nil)
        #expect(await loader.state() == .ok)
        #expect(try box.box.store.regions().isEmpty)
    }

    @Test(arguments: [
        (RegionStoreFailure.damaged(file: "a", reason: "b"), PackageStoreState.corrupted),
        (.newerSchema(file: "a", version: 9), .migrationNeeded), (.noFolder, .storageClosed),
        (.switchedOff, .storageClosed),
    ])
    func `a store that can't be opened states the reason`(
        failure: RegionStoreFailure, state: PackageStoreState
    ) {
        #expect(PackageStoreState(failure) == state)
    }

    @Test func `clearing leaves the user's regions`() async throws {
        let loader = try await installed("north")
        try await box.box.download(try box.box.region())
        _ = try await loader.clear().finish()
        #expect(try box.box.store.regions().map(\.id) == ["home"])
    }
}

extension RegionFixture {
    /// Copies the store from disk in its present state.
    static func copy(of store: RegionStore, to path: String) throws -> RegionStore {
        try Connection(store.path, .readWrite).execute("VACUUM INTO '\(path)'", to: "copy the store")
        return try RegionStore(path)
    }
}
