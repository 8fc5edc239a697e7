import Rhumb
import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests connections that are lost between the packages of an operation.
struct PackageConnectionTests: PackageShell {
    let publisher: PackageFixture
    let box: CommandFixture

    init() throws {
        (publisher, box) = try Self.configured()
        publisher.publishThree()
    }

    /// Follows an operation to its end, and restarts the server each time it waits.
    /// - Returns: The packages before which it waited.
    private func follow(_ task: PackageJob) async throws -> [String?] {
        var places: [String?] = []
        for await update in task.updates()
        where update.state.waitingReason != nil && places.last != update.progress.package {
            places.append(update.progress.package)
            try publisher.box.host.server.start()
        }
        return places
    }

    @Test func `three packages are installed while the server is stopped before each`() async throws {
        let loader = publisher.loader()
        _ = try await loader.rootPackage()
        publisher.stopServer(before: "north", "south", "west")
        let task = try await loader.install(["north", "south", "west"])
        #expect(try await follow(task) == ["north", "south", "west"])
        #expect(await task.finish() == .success(["north", "south", "west"]))
        for id in ["north", "south", "west"] { #expect(try publisher.shown(id) == 85) }
    }

    @Test(arguments: UpdateOptions.Commit.allCases)
    func `an update of three packages continues after a lost connection`(
        commit: UpdateOptions.Commit
    ) async throws {
        let loader = publisher.loader()
        _ = try await loader.installAll("north", "south", "west")
        publisher.publishThree(edition: 2)
        publisher.box.pass(3600)
        publisher.stopServer(before: "south", "west")
        var options = UpdateOptions()
        options.commit = commit
        let task = try await loader.update(options)
        #expect(try await follow(task) == ["south", "west"])
        #expect(await task.finish() == .success(["north", "south", "west"]))
        for id in ["north", "south", "west"] { #expect(try publisher.shown(id, 2) == 85) }
        #expect(await loader.state() == .ok)
    }

    @Test func `packages of a waiting installation stay for a resume when it is cancelled or left`()
        async throws
    {
        let loader = publisher.loader()
        _ = try await loader.rootPackage()
        for isLeft in [true, false] {
            publisher.stopServer(before: "south")
            let task = try await loader.install(["north", "south", "west"])
            for await update in task.updates() where update.state.waitingReason != nil {
                task.cancel(isLeft ? .interrupted : .cancelled)
            }
            #expect(await task.finish().reason == .operationCancelled)
            let known = try publisher.box.store.regions().compactMap { $0.package?.package }
            #expect(known == ["north", "south", "west"])
            #expect(await loader.state() == .pendingUpdate)
            try publisher.box.host.server.start()
            #expect(try await loader.resume().finish() == .success(["south", "west"]))
            _ = try await loader.uninstallAll("north", "south", "west")
        }
    }

    @Test func `a package that can't be fetched does not stop the others, and is resumed later`() async throws
    {
        let loader = publisher.loader(), archive = publisher.served("/north.pmtiles")
        publisher.serve([], at: "/north.pmtiles")
        publisher.intervene { $0.target == "/north.pmtiles" ? LoopbackReply(404) : nil }
        #expect(try await loader.installAll("north", "south", "west").reason == .connectionFailed)
        #expect(try publisher.shown("south") == 85 && publisher.shown("west") == 85)
        publisher.intervene { _ in nil }
        publisher.serve(archive, at: "/north.pmtiles")
        #expect(try await loader.resume().finish() == .success(["north"]))
        #expect(try publisher.shown("north") == 85)
    }

    // MARK: In the shell

    private var errors: String { String(decoding: box.folder.bytes("errors.txt"), as: UTF8.self) }

    /// Starts a program that waits before the package south, and kills it there.
    private func kill(_ words: String...) async throws {
        publisher.stopServer(before: "south")
        let child = ChildProgram(
            CommandFixture.program, words + box.places, environment: box.environment,
            errors: box.folder.path + "/errors.txt")
        #expect(await eventually { errors.contains("south 2/3 · waiting for the network: ") })
        let status = await run("package", "status")
        #expect(status.status == 3 && !status.output.contains("package resume"), "\(status)")
        #expect(
            status.output.split(separator: "\n").filter { $0.contains(", process ") }.count == 2, "\(status)")
        child.kill()
        _ = child.wait()
        try publisher.box.host.server.start()
    }

    @Test func `a quiet command says once that it waits for the network`() async throws {
        publisher.stopServer(before: "south")
        let child = ChildProgram(
            CommandFixture.program, ["package", "install", "north", "south", "west", "-q"] + box.places,
            environment: box.environment, errors: box.folder.path + "/errors.txt")
        #expect(await eventually { errors.contains("waiting for the network: ") })
        child.kill()
        _ = child.wait()
        #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    }

    @Test func `an installation killed while it waits is resumed with the packages that it had not started`()
        async throws
    {
        try await kill("package", "install", "north", "south", "west")
        #expect(await run("package", "status").output.contains("resume with rhumb package resume"))
        #expect(await run("package", "resume").output == "finished south, west")
        #expect(await run("package", "status").status == 0)
    }

    @Test(arguments: [[], ["--all-at-end"]])
    func `an update killed while it waits is resumed with the packages that it had not started`(
        more: [String]
    ) async throws {
        #expect(await run("package", "install", "world").status == 0)
        publisher.publishThree(edition: 2)
        publisher.stopServer(before: "south")
        let child = ChildProgram(
            CommandFixture.program, ["update", "apply"] + more + box.places, environment: box.environment,
            errors: box.folder.path + "/errors.txt")
        #expect(await eventually { errors.contains("south 2/3 · waiting for the network: ") })
        child.kill()
        _ = child.wait()
        try publisher.box.host.server.start()
        let status = await run("package", "status")
        #expect(
            status.output.contains("update interrupted") && status.output.contains("package resume"),
            "\(status)")
        // The old editions are complete and in use.
        let list = try box.json(await run("package", "list", "--json"))["packages"]?.array ?? []
        #expect(!list.isEmpty)
        for package in list {
            let counts = [package["tiles"]?.int, package["planned"]?.int]
            #expect(counts[0] == counts[1] && package["bytes"]?.int ?? 0 > 0, "\(package)")
        }
        #expect(
            await run("package", "resume").output == "finished \(more.isEmpty ? "" : "north, ")south, west")
        let check = await run("update", "check")
        #expect(check.output == "All packages are up to date")
        #expect(await run("package", "status").status == 0)
    }
}
