import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Copies of archives, and changes of the key.
extension SignedCatalogTests {
    /// Starts an update to edition 2 that waits for tiles of "north" until the gate opens.
    func startHeldUpdate() async -> (child: ChildProgram, gate: LoopbackGate) {
        let gate = LoopbackGate()
        publisher.intervene { [publisher] request in
            guard request.target == "/north~2.pmtiles",
                request.header("Range")?.hasPrefix("bytes=0-") == false
            else {
                return nil
            }
            return publisher.usualReply(to: request).with { $0.gate = gate }
        }
        let child = start("update", "apply")
        #expect(await eventually { publisher.box.host.server.count("/north~2.pmtiles") >= 2 })
        return (child, gate)
    }

    @Test func `an update ends with the edition it began, although the next one is published meanwhile`()
        async throws
    {
        #expect(await run("package", "install", "north", "south").status == 0)
        try publish(2)
        let (child, gate) = await startHeldUpdate()
        try publish(3)
        gate.open()
        #expect(await box.end(of: child) == 0)
        #expect(try shown("north", 2) == 85 && shown("south", 2) == 21)
        publisher.intervene { _ in nil }
        #expect(await run("update", "apply").status == 0)
        #expect(try shown("north", 3) == 85 && shown("south", 3) == 21)
        // The installed map opens from its stored documents, although its archive has another address.
        publisher.box.host.server.stop()
        let view = await ProgramRun.of(
            CommandFixture.program,
            [
                "render", publisher.box.host.server.url("/north.pmtiles"), "--offline", "--center", "0,0",
                "--zoom", "1", "--size", "20x5", "--format", "ansi",
            ] + box.places,
            environment: box.environment)
        #expect(view.status == 0 && view.errors.isEmpty, "\(view)")
    }

    @Test func `only the newest two editions have a copy, and archives are copied to no other folder`() throws
    {
        for edition in 2...4 { try publish(edition) }
        let copies = folder.names.filter { $0.contains("~") }.sorted()
        #expect(copies == ["north~3.pmtiles", "north~4.pmtiles", "south~3.pmtiles", "south~4.pmtiles"])
        #expect(folder.bytes("north~4.pmtiles") == folder.bytes("north.pmtiles"))
        #expect(folder.bytes("north~3.pmtiles") != folder.bytes("north.pmtiles"))
        let facts = ["north.pmtiles", "north~4.pmtiles"].map { FileFacts(folder.path + "/" + $0)?.moment.0 }
        #expect(facts[0] == facts[1])
        let catalog = try PackageCatalog(folder.bytes("catalog.json"), at: "catalog.json")
        #expect(
            catalog.tree["north"]?.editions.map(\.archive) == [
                nil, nil, "north~3.pmtiles", "north~4.pmtiles",
            ])
        // The same archives again, and a catalogue that was signed before there were copies.
        folder.remove("north~4.pmtiles")
        try publish(4)
        #expect(folder.bytes("north~4.pmtiles") == folder.bytes("north.pmtiles"))
    }

    @Test func `a user's archive that is named like a copy is refused, and an interrupted copy is not`()
        throws
    {
        let archive = folder.bytes("north.pmtiles"), before = folder.bytes("catalog.json")
        folder.write(archive + [0], to: "north~2030.pmtiles")
        folder.write(archive, to: "other~1.pmtiles")
        let failure = #expect(throws: PublishFailure.self) { try publish(2) }
        #expect(failure?.problems.count == 2)
        #expect(failure?.problems.allSatisfy { $0.contains("~") && $0.contains("rename it") } == true)
        #expect(folder.bytes("catalog.json") == before)
        folder.remove("north~2030.pmtiles")
        folder.remove("other~1.pmtiles")
        // As if `publish` had stopped after the first copy.
        let catalog = folder.bytes("catalog.json")
        try publish(2)
        folder.write(catalog, to: "catalog.json")
        var again = CatalogPublisher(folder.path)
        again.edition = PackageVersion("2")
        again.secretKey = secret
        #expect(try again.publish().published == ["north", "south"])
    }

    @Test func `a server without the copies of archives serves the newest edition`() async throws {
        publisher.intervene { $0.target.contains("~") ? LoopbackReply(404) : nil }
        #expect(await install().status == 0)
        #expect(try shown("north", 1) == 85)
    }

    // MARK: Other keys

    @Test func `publishing with another key is refused with the ways to do it`() throws {
        let other = try MinisignSecretKey(), before = folder.bytes("catalog.json.minisig")
        let failure = #expect(throws: PublishFailure.self) { try publish(2, by: other) }
        let text = failure?.description ?? ""
        #expect(text.contains(secret.publicKey.fingerprint) && text.contains("the old key"), "\(text)")
        #expect(folder.bytes("catalog.json.minisig") == before)
        #expect(throws: PublishFailure.self) { try publish(2, by: other, after: MinisignSecretKey()) }
        folder.remove("catalog.json.minisig")
        try publish(2, by: other)
        #expect(folder.bytes("catalog.json.pub") == Array(other.publicKey.file.utf8))
    }

    @Test func `a key that the old key signs replaces it, and the old one is refused from then on`()
        async throws
    {
        #expect(await run("package", "install", "north", "south").status == 0)
        let next = try MinisignSecretKey()
        try publish(2, by: next, after: secret)
        let update = await run("update", "apply")
        #expect(update.status == 0 && update.errors.contains(next.publicKey.fingerprint), "\(update)")
        #expect(try shown("north", 2) == 85 && shown("south", 2) == 21)
        try publish(3, by: next)
        let again = await run("update", "apply")
        #expect(again.status == 0 && !again.errors.contains(next.publicKey.fingerprint), "\(again)")
        try sign(by: secret, at: 0)
        expectRefusal(await run("update", "apply"), "is signed with another key")
    }

    @Test func `a key that only another key signs is refused until the user names it`() async throws {
        #expect(await install().status == 0)
        let next = try MinisignSecretKey(), other = try MinisignSecretKey()
        folder.remove("catalog.json.minisig")
        try publish(2, by: next, after: other)
        try await expectOld("demand the new key")
        expectRefusal(
            await run("update", "apply", "--key", other.publicKey.fingerprint), "is not the demanded one")
        let update = await run("update", "apply", "--key", next.publicKey.fingerprint)
        #expect(update.status == 0, "\(update)")
        #expect(try shown("north", 2) == 85)
        try publish(3, by: next)
        #expect(await run("update", "apply").status == 0)
    }
}
