import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests when new editions replace old ones, and which ones may.
struct CommitPolicyTests {
    private let box: PackageFixture
    private let together: UpdateOptions

    init() throws {
        box = try PackageFixture()
        var options = UpdateOptions()
        options.commit = .allAtEnd
        together = options
    }

    /// Installs two countries, and updates them to a second edition. The second country can't be fetched.
    private func updateWithoutSouth(_ options: UpdateOptions) async throws -> MapLoader {
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("land")
        box.publishCountries(edition: 2)
        box.box.pass(3600)
        box.intervene { request in
            request.target == "/south.pmtiles" && request.header("Range")?.hasPrefix("bytes=0-") == false
                ? LoopbackReply(404) : nil
        }
        #expect(try await loader.update(options).finish().reason == .incomplete)
        box.intervene { _ in nil }
        return loader
    }

    @Test func `package by package, complete ones are shown even if others fail`() async throws {
        _ = try await updateWithoutSouth(UpdateOptions())
        #expect(try box.shown("north", 2) == 85 && box.shown("south", 1) == 85)
    }

    @Test func `if all are activated at the end, nothing new is shown before everything is complete`()
        async throws
    {
        let loader = try await updateWithoutSouth(together)
        #expect(try box.shown("north", 1) == 85 && box.shown("south", 1) == 85)
        #expect(try await loader.package("north").installed == PackageVersion("1"))
        let before = box.box.host.server.count("/north.pmtiles")
        #expect(try await loader.update(together).finish() == .success(["north", "south"]))
        #expect(try box.shown("north", 2) == 85 && box.shown("south", 2) == 85)
        #expect(try await loader.package("land").installed == PackageVersion("2"))
        // It was already stored, so only the beginning was requested.
        #expect(box.box.host.server.count("/north.pmtiles") <= before + 2)
        #expect(try await loader.checkForUpdate().isUpToDate)
    }

    @Test func `packages that activate together continue together`() async throws {
        let loader = try await updateWithoutSouth(together)
        #expect(await loader.state() == .brokenUpdate)
        #expect(try await loader.resume().finish() == .success(["north", "south"]))
        #expect(try box.shown("north", 2) == 85 && box.shown("south", 2) == 85)
        #expect(await loader.state() == .ok)
        #expect(try await loader.resume().finish() == .success([]))
    }

    @Test func `a pending edition is activated without fetching a tile`() async throws {
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("land")
        box.publishCountries(edition: 2)
        box.box.pass(3600)
        let task = try await loader.update(together)
        for await update in task.updates() where update.progress.packages.done == 1 { break }
        task.cancel()
        if await task.finish().reason == .operationCancelled {
            #expect(try box.shown("north", 1) == 85 && box.shown("south", 1) == 85)
            #expect(await loader.state() == .pendingUpdate)
            #expect(await loader.state().remedy == .update)
            #expect(try await loader.resume().finish().reason == nil)
        }
        #expect(try box.shown("north", 2) == 85 && box.shown("south", 2) == 85)
    }

    @Test func `different editions are rejected if all must be the same`() async throws {
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("land")
        box.publish("north", 2)
        let one = #"[{"version": "1", "bytes": 1}]"#,
            two = #"[{"version": "1", "bytes": 1}, {"version": "2", "bytes": 1}]"#
        box.catalog(
            """
            {"id": "north", "parent": "world", "archive": "north.pmtiles", "editions": \(two)},
            {"id": "south", "parent": "world", "archive": "south.pmtiles", "editions": \(one)}
            """)
        box.box.pass(3600)
        var options = UpdateOptions()
        options.requiresSameEdition = true
        let result = try await loader.update(options).finish()
        guard case .failure(.package(let failure)) = result else { Issue.record("it was begun"); return }
        #expect(failure.reason == .invalidParameters && failure.message.contains("1 of south; 2 of north"))
        #expect(try box.shown("north", 1) == 85)
        #expect(try await loader.updateAll() == .success(["north"]))
        #expect(try await loader.package("world").installed == PackageVersion("1"))
    }

    @Test func `with nothing installed an update does nothing`() async throws {
        box.publishCountries()
        let loader = box.loader()
        for options in [UpdateOptions(), together] {
            #expect(try await loader.update(options).finish() == .success([]))
        }
        #expect(try box.box.store.regions().isEmpty)
    }

    @Test func `only packages whose data groups differ from the selection are updated`() async throws {
        box.publishCountries()
        let loader = box.loader()
        _ = try await loader.installAll("north")
        #expect(try await loader.normalise().finish() == .success([]))
        await loader.select(.detailRendering)
        #expect(try await loader.normalise().finish() == .success(["north"]))
        #expect(try await loader.checkForUpdate().isUpToDate)
        #expect(try await loader.normalise().finish() == .success([]))
    }
}
