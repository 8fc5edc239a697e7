@testable import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOffline
@testable import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// A publisher with a key, and the program of a user. Each attack is refused with one sentence, and stores no
/// tile.
struct SignedCatalogTests: PackageShell {
    let publisher: PackageFixture
    let box: CommandFixture
    let folder = TemporaryFolder()
    let secret: MinisignSecretKey

    init() throws {
        (publisher, box) = try Self.configured()
        secret = try MinisignSecretKey()
        try publish(1)
    }

    /// Publishes both packages. Every tile contains the edition's number.
    /// - Parameter isVector: True for vector tiles in gzip, which are all equal.
    func publish(
        _ edition: Int, expires: String? = nil, deepest: Int = 3, isVector: Bool = false,
        by key: MinisignSecretKey? = nil, after oldKey: MinisignSecretKey? = nil
    ) throws {
        for (name, zooms) in [("north", 0...deepest), ("south", 0...2)] {
            let tiles = TileID.pyramid(zooms).map {
                ($0, isVector ? Gzip.packed(Self.vectorTile) : PackageFixture.body($0, edition))
            }
            var archive = PMTilesFixture(tiles)
            if isVector { archive.patches = [(98, 2), (99, 1)] }
            folder.write(archive.bytes, to: name + ".pmtiles")
        }
        var own = CatalogPublisher(folder.path)
        own.id = "test"
        own.edition = PackageVersion("\(edition)")
        own.secretKey = key ?? secret
        own.oldKey = oldKey
        own.expires = expires
        _ = try own.publish()
        for name in folder.names { publisher.serve(folder.bytes(name), at: "/" + name) }
        try sign(by: key ?? secret, at: -1000 + Int64(edition))
    }

    private static let vectorTile = VectorTileFixture([
        (
            "land",
            (0..<99).map { number in
                .init(.polygon, through: [(number, 0), (number + 9, 0), (number + 9, 9), (number, 9)])
            }
        )
    ]).bytes

    /// Serves another signature of the catalogue.
    func sign(by secret: MinisignSecretKey, at seconds: Int64) throws {
        let text = try secret.signature(
            of: publisher.served("/catalog.json"),
            comment: "timestamp:\(UnixSeconds.now.value + seconds)\tfile:catalog.json\thashed")
        publisher.serve(Array(text.utf8), at: "/catalog.json.minisig")
    }

    private func change(_ target: String, _ change: (inout [UInt8]) -> Void) {
        var bytes = publisher.served(target)
        change(&bytes)
        publisher.serve(bytes, at: target)
    }

    private var tiles: Int { (try? box.stored().count) ?? 0 }

    /// Returns the number of a package's tiles in an edition.
    func shown(_ id: String, _ edition: Int) throws -> Int {
        let store = try RegionStore(box.storePath)
        let part = try #require(store.region("package-test.\(id)").parts.first)
        return TileID.pyramid(0...3).count {
            store.response(for: .tile(origin: part.origin, $0))?.body == PackageFixture.body($0, edition)
        }
    }

    func install(_ more: String...) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program, ["package", "install", "north"] + more + box.places,
            environment: box.environment)
    }

    /// Checks that a run was refused with one sentence that contains these words.
    func expectRefusal(_ run: ProgramRun, _ words: String, _ comment: String = "") {
        #expect(run.status == 1 && run.errors.contains(words), "\(comment) \(run)")
        let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("rhumb: ") }
        #expect(lines.count == 1, "\(comment) \(run.errors)")
    }

    /// Checks that the first installation is refused with a sentence, and stores nothing.
    private func expectNothing(_ words: String, _ comment: String = "") async {
        expectRefusal(await install("--key", secret.publicKey.fingerprint), words, comment)
        #expect(tiles == 0, "\(comment)")
    }

    /// Checks that an update is refused with a sentence, and the installed edition stays.
    func expectOld(_ words: String, _ comment: String = "") async throws {
        expectRefusal(await run("update", "apply"), words, comment)
        #expect(try shown("north", 1) == 85 && tiles == 85, "\(comment)")
    }

    @Test func `the key of the first installation is shown once, and needed from then on`() async throws {
        let first = await install()
        #expect(first.status == 0 && first.errors.contains(secret.publicKey.fingerprint), "\(first)")
        #expect(try shown("north", 1) == 85)
        try publish(2)
        let update = await run("update", "apply")
        #expect(update.status == 0 && !update.errors.contains(secret.publicKey.fingerprint), "\(update)")
        #expect(try shown("north", 2) == 85)
        let south = await run("package", "install", "south")
        #expect(south.status == 0 && !south.errors.contains(secret.publicKey.fingerprint), "\(south)")
        #expect(await run("package", "repair").status == 0)
    }

    @Test func `vector tiles are stored packed, and compared unpacked with their signed hashes`()
        async throws
    {
        try publish(2, isVector: true)
        let first = await install()
        #expect(first.status == 0, "\(first)")
        let stored = try box.stored()
        #expect(stored.count == 85 && stored.values.allSatisfy { $0 == Gzip.packed(Self.vectorTile) })
        #expect(await run("package", "repair").status == 0)
        try publish(3, isVector: true)
        let update = await run("update", "apply")
        #expect(update.status == 0, "\(update)")
        #expect(try box.stored() == stored)
    }

    @Test func `a demanded key is needed for the first installation, too`() async throws {
        let other = try MinisignSecretKey().publicKey
        expectRefusal(await install("--key", other.text), "is signed with another key")
        #expect(tiles == 0)
        #expect(await install("--key", "nonsense").status == 2)
        let file = folder.write(Array(secret.publicKey.file.utf8), to: "own.pub")
        #expect(await install("--key", file).status == 0)
        #expect(tiles == 85)
    }

    @Test func `an installed package is updated and repaired from the stored catalogue without its server`()
        async throws
    {
        #expect(await install().status == 0)
        publisher.box.host.server.stop()
        let tree = await run("package", "tree", "--offline")
        #expect(tree.status == 0 && tree.output.contains("north"), "\(tree)")
        #expect(await run("package", "list").output.contains("installed"))
    }

    // MARK: Attacks on files

    @Test func `1 a changed tile`() async throws {
        change("/north~1.pmtiles") { $0[$0.count - 1] ^= 1 }
        await expectNothing("is not the one in the signed catalogue")
    }

    @Test(arguments: [-1, 1, 500])
    func `2 a changed archive length`(more: Int) async throws {
        // Larger than the beginning that is hashed.
        try publish(2, deepest: 6)
        change("/north~2.pmtiles") {
            if more < 0 { $0.removeLast() } else { $0 += [UInt8](repeating: 0, count: more) }
        }
        await expectNothing("another length")
    }

    @Test func `3 swapped packages`() async throws {
        publisher.serve(publisher.served("/south~1.pmtiles"), at: "/north~1.pmtiles")
        await expectNothing("not the one in the signed catalogue")
    }

    @Test func `4 an old catalogue with a valid signature`() async throws {
        let catalog = publisher.served("/catalog.json"), signature = publisher.served("/catalog.json.minisig")
        try publish(2)
        #expect(await install().status == 0)
        publisher.serve(catalog, at: "/catalog.json")
        publisher.serve(signature, at: "/catalog.json.minisig")
        expectRefusal(await run("update", "apply"), "is older than")
        #expect(try shown("north", 2) == 85 && tiles == 85)
    }

    @Test func `5 another key`() async throws {
        #expect(await install().status == 0)
        let other = try MinisignSecretKey()
        try publish(2)
        try sign(by: other, at: 0)
        publisher.serve(Array(other.publicKey.file.utf8), at: "/catalog.json.pub")
        try await expectOld("is signed with another key")
    }

    @Test func `6 truncated and empty signatures, and none`() async throws {
        let whole = publisher.served("/catalog.json.minisig")
        publisher.intervene { $0.target.hasSuffix(".minisig") ? LoopbackReply(404) : nil }
        await expectNothing("is not signed", "none")
        publisher.intervene { _ in nil }
        for length in [0, 20, whole.count / 2, whole.count - 10] {
            publisher.serve(Array(whole[..<length]), at: "/catalog.json.minisig")
            await expectNothing(length == 0 ? "is not signed" : "invalid", "\(length)")
        }
        publisher.serve(whole, at: "/catalog.json.minisig")
        #expect(await install().status == 0)
        try publish(2)
        publisher.intervene { $0.target.hasSuffix(".minisig") ? LoopbackReply(404) : nil }
        try await expectOld("is not signed")
    }

    @Test func `packages of a refused catalogue can be removed, as the refusal says`() async throws {
        #expect(await install().status == 0)
        publisher.serve([], at: "/catalog.json.minisig")
        publisher.catalog(#"{"id": "north", "parent": "world", "archive": "north.pmtiles"}"#)
        #expect(await run("update", "check").status == 1)
        #expect(await run("package", "uninstall", "north").output.contains("removed north"))
    }

    @Test func `7 the signature of another file`() async throws {
        let text = try secret.signature(of: Array("{}".utf8), comment: "timestamp:\(UnixSeconds.now.value)")
        publisher.serve(Array(text.utf8), at: "/catalog.json.minisig")
        await expectNothing("invalid")
    }

    @Test func `8 a key in the catalogue itself`() async throws {
        let other = try MinisignSecretKey()
        #expect(await install().status == 0)
        try publish(2)
        change("/catalog.json") {
            $0 = Array(
                String(decoding: $0, as: UTF8.self).replacing(
                    "{\"rhumb-catalog\"", with: "{\"key\": \"\(other.publicKey.text)\", \"rhumb-catalog\""
                ).utf8)
        }
        publisher.serve(Array(other.publicKey.file.utf8), at: "/catalog.json.pub")
        try sign(by: other, at: 0)
        try await expectOld("is signed with another key")
    }

    @Test func `9 a catalogue and a signature that grow without end`() async throws {
        for target in ["/catalog.json", "/catalog.json.minisig"] {
            let endless = [UInt8](repeating: 32, count: 24 << 20)
            publisher.intervene { request in
                request.target == target ? LoopbackReply(200, endless).with { $0.framing = .chunked } : nil
            }
            let run = await install("--key", secret.publicKey.text)
            #expect(
                run.status == 1 && run.errors.contains("too large"),
                "\(run)")
            #expect(tiles == 0)
        }
    }

    @Test func `10 a patch against another edition`() async throws {
        let first = publisher.served("/north.1.hashes")
        #expect(await install().status == 0)
        try publish(2)
        // The list says that nothing has changed, or belongs to another package.
        let second = try TileHashes(first).of("2").bytes
        for list in [second, first, publisher.served("/south.2.hashes"), []] {
            publisher.serve(list, at: "/north.2.hashes")
            try await expectOld("not the one in the signed catalogue", "\(list.count)")
        }
    }

    @Test func `11 two catalogues with one id`() async throws {
        #expect(await install().status == 0)
        let plain =
            #"{"rhumb-catalog": 1, "id": "test", "packages": [{"id": "world"}, "#
            + #"{"id": "west", "parent": "world", "area": [0, 0, 9, 9], "archive": "south.pmtiles"}]}"#
        publisher.serve(Array(plain.utf8), at: "/other.json")
        let other = publisher.box.host.server.url("/other.json")
        expectRefusal(
            await run("package", "install", "west", "--catalog", other), "is not signed, but must be")
        #expect(tiles == 85)
    }

    @Test func `12 a time before the signature, and an expired catalogue`() async throws {
        try sign(by: secret, at: 86_400)
        await expectNothing("in the future")
        try publish(2, expires: "2020-01-01")
        await expectNothing("expired on 2020-01-01")
    }

    // MARK: More than attacks

    @Test func `a catalogue without the hashes of its packages is refused even if its signature is valid`()
        async throws
    {
        publisher.catalog(
            #"{"id": "north", "parent": "world", "area": [0, 0, 9, 9], "archive": "north.pmtiles"}"#)
        try sign(by: secret, at: 0)
        await expectNothing("does not sign the tiles")
    }

    @Test func `a catalogue that is replaced during an update does not change the update`() async throws {
        #expect(await run("package", "install", "north", "south").status == 0)
        try publish(2)
        let catalog = publisher.served("/catalog.json"), names = folder.names
        let (child, gate) = await startHeldUpdate()
        // The next catalogue, with archives that are not there yet.
        publisher.serve(
            Array(String(decoding: catalog, as: UTF8.self).replacing("\"2\"", with: "\"3\"").utf8),
            at: "/catalog.json")
        try sign(by: secret, at: 0)
        gate.open()
        #expect(await box.end(of: child) == 0)
        #expect(try shown("north", 2) == 85 && shown("south", 2) == 21 && !names.isEmpty)
    }

    @Test func `an archive that is replaced during an update is refused, and the old edition stays`()
        async throws
    {
        #expect(await install().status == 0)
        try publish(2)
        let third = PMTilesFixture(TileID.pyramid(0...3).map { ($0, PackageFixture.body($0, 3)) }).bytes
        publisher.intervene { [publisher] request in
            guard request.target == "/north~2.pmtiles",
                request.header("Range")?.hasPrefix("bytes=0-") == false
            else {
                return nil
            }
            publisher.serve(third, at: "/north~2.pmtiles")
            return nil
        }
        try await expectOld("replaced")
    }

    @Test func `a program with the library gets the reason, and no region stays`() async throws {
        let loader = publisher.loader()
        change("/north~1.pmtiles") { $0[$0.count - 1] ^= 1 }
        let changed = publisher.served("/north~1.pmtiles"), origin = try await loader.plan(["north"])
        #expect(origin.packages.count == 1 && !changed.isEmpty)
        #expect(try await loader.installAll("north").reason == .untrusted)
        #expect(try publisher.box.store.regions().isEmpty)
    }

    @Test func `a set takes the signature to another machine, which checks every tile and pins the key`()
        async throws
    {
        #expect(await install().status == 0)
        let set = box.folder.path + "/set"
        let exported = await run("area", "export", "-o", set)
        #expect(exported.status == 0, "\(exported)")
        let there = try CommandFixture()
        there.folder.write(Array(#"{"catalog": ["\#(publisher.address)"]}"#.utf8), to: "config.json")
        func other(_ words: String..., on box: CommandFixture) async -> ProgramRun {
            await ProgramRun.of(CommandFixture.program, words + box.places, environment: box.environment)
        }
        #expect(await other("area", "import", set, on: there).status == 0)
        #expect(try there.stored().count == 85)
        try publish(2)
        try sign(by: MinisignSecretKey(), at: 0)
        expectRefusal(await other("update", "apply", on: there), "is signed with another key")
        // A changed tile with a correct checksum of the file.
        let path = "set/regions/package-test.north/0.pmtiles"
        var archive = box.folder.bytes(path)
        let sum = try #require(SHA256Sum.of(archive))
        let body = PackageFixture.body(TileID.pyramid(0...3)[50])
        let start = try #require(archive.indices.first { archive[$0...].starts(with: body) })
        archive[start + body.count - 1] ^= 1
        box.folder.write(archive, to: path)
        let list = box.folder.text("set/set.json").replacing(sum, with: SHA256Sum.of(archive) ?? "")
        box.folder.write(Array(list.utf8), to: "set/set.json")
        let third = try CommandFixture()
        third.folder.write(Array("{}".utf8), to: "config.json")
        let refused = await other("area", "import", set, on: third)
        #expect(
            refused.status == 3 && refused.errors.contains("not the one in the signed catalogue"),
            "\(refused)")
        #expect(((try? third.stored().count) ?? 0) == 0)
    }
}
