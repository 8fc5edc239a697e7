import Glibc
import RhumbCore
@testable import RhumbOffline
import RhumbOpening
import RhumbTestSupport
import Testing

/// Tests keys and signatures, against Debian's minisign where it is installed.
struct MinisignTests {
    private static let hasMinisign = access("/usr/bin/minisign", X_OK) == 0
    private let folder = TemporaryFolder()

    private func text(_ name: String) -> String { String(decoding: folder.bytes(name), as: UTF8.self) }

    /// Runs minisign in the folder. The words contain no spaces.
    private func minisign(_ words: String, input: String = "") async -> ProgramRun {
        await ProgramRun.of(
            "/bin/sh", ["-c", "cd '\(folder.path)' && printf '\(input)' | minisign \(words)"],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
    }

    @Test func `a signed document is accepted, and any change is refused`() throws {
        let secret = try MinisignSecretKey(), document = Array("a catalogue".utf8)
        let text = try secret.signature(of: document, comment: "timestamp:5\tfile:a")
        let signature = try MinisignSignature(Array(text.utf8))
        #expect(try signature.verify(document, by: secret.publicKey) == "timestamp:5\tfile:a")
        #expect(throws: MinisignFailure.wrong) {
            try signature.verify(document + [0], by: secret.publicKey)
        }
        let other = try MinisignSecretKey().publicKey
        #expect(throws: MinisignFailure.otherKey) { try signature.verify(document, by: other) }
        // The number of a key is not secret, so another key may have the same one.
        let forged = MinisignKey(number: secret.publicKey.number, bytes: other.bytes)
        #expect(throws: MinisignFailure.wrong) { try signature.verify(document, by: forged) }
        let changed = text.replacing("timestamp:5", with: "timestamp:6")
        let comment = try MinisignSignature(Array(changed.utf8))
        #expect(throws: MinisignFailure.wrong) { try comment.verify(document, by: secret.publicKey) }
    }

    @Test func `damaged signatures and keys never pass`() throws {
        let secret = try MinisignSecretKey(), document = Array("a".utf8)
        let signature = Array(try secret.signature(of: document, comment: "timestamp:5").utf8)
        let key = Array(try secret.file(passphrase: "").utf8)
        for length in 0..<signature.count - 1 {
            let cut = try? MinisignSignature(Array(signature[..<length]))
            #expect((try? cut?.verify(document, by: secret.publicKey)) == nil)
        }
        for at in 60..<key.count - 1 {
            var damaged = key
            damaged[at] ^= 1
            let read = try? MinisignSecretKey(String(decoding: damaged, as: UTF8.self)) { "" }
            #expect(read == nil || read?.publicKey == secret.publicKey)
        }
        #expect(throws: MinisignFailure.noSignature) { try MinisignSignature([]) }
        #expect(throws: MinisignFailure.noSignature) {
            try MinisignSignature([UInt8](repeating: 65, count: 1 << 20))
        }
    }

    @Test func `a passphrase encrypts a key, and another one is refused`() throws {
        let secret = try MinisignSecretKey(), text = try secret.file(passphrase: "correct horse")
        let read = try MinisignSecretKey(text) { "correct horse" }
        #expect(read.publicKey == secret.publicKey)
        #expect(throws: MinisignFailure.passphrase) { try MinisignSecretKey(text) { "correct" } }
        let plain = try secret.file(passphrase: "")
        #expect(
            try MinisignSecretKey(plain) {
                Issue.record("asked"); return ""
            }.publicKey == secret.publicKey)
    }

    @Test func `a key is named by its text, its file and its fingerprint`() throws {
        let key = try MinisignSecretKey().publicKey
        #expect(MinisignKey(key.text) == key && MinisignKey(key.file) == key)
        #expect(key.fingerprint.split(separator: " ").map(\.count) == Array(repeating: 4, count: 8))
        #expect(key.isNamed(key.fingerprint.uppercased()) && key.isNamed(key.text))
        #expect(!key.isNamed(try MinisignSecretKey().publicKey.text) && MinisignKey("RWQ") == nil)
    }

    @Test(arguments: [
        ([0xab, 0xcd, 0, 0, 0, 0, 0, 0x0e], "E0000000000CDAB"), ([1, 0, 0, 0, 0, 0, 0, 0], "1"),
        ([0, 0, 0, 0, 0, 0, 0, 0], "0"), (Array(repeating: 0xff, count: 8), "FFFFFFFFFFFFFFFF"),
    ])
    func `a key's number has no leading zeros, as minisign prints it`(number: [UInt8], name: String) {
        #expect(MinisignFile.name(number) == name)
    }

    // MARK: Debian's minisign

    @Test(.enabled(if: hasMinisign, "minisign is not installed"), arguments: ["", "correct"])
    func `minisign verifies what Rhumb signs, and signs with Rhumb's keys`(passphrase: String) async throws {
        let secret = try MinisignSecretKey(), document = Array("a catalogue".utf8)
        folder.write(document, to: "a.json")
        folder.write(Array(secret.publicKey.file.utf8), to: "a.pub")
        folder.write(Array(try secret.file(passphrase: passphrase).utf8), to: "a.key")
        let signature = try secret.signature(of: document, comment: "timestamp:5\tfile:a.json\thashed")
        folder.write(Array(signature.utf8), to: "a.json.minisig")
        for key in ["-p a.pub", "-P \(secret.publicKey.text)"] {
            let run = await minisign("-V \(key) -m a.json")
            #expect(run.status == 0 && run.output.contains("timestamp:5"), "\(run)")
        }
        let signed = await minisign("-S -s a.key -m a.json -x b.minisig", input: passphrase + "\\n")
        #expect(signed.status == 0, "\(signed)")
        let comment = try MinisignSignature(folder.bytes("b.minisig")).verify(document, by: secret.publicKey)
        #expect(comment.hasPrefix("timestamp:") && comment.contains("file:a.json"))
    }

    @Test(.enabled(if: hasMinisign, "minisign is not installed"), arguments: ["", "correct"])
    func `Rhumb reads minisign's keys, and signs with them`(passphrase: String) async throws {
        let made = await minisign(
            "-G \(passphrase.isEmpty ? "-W" : "") -p a.pub -s a.key",
            input: "\(passphrase)\\n\(passphrase)\\n")
        #expect(made.status == 0, "\(made)")
        let secret = try MinisignSecretKey(text("a.key")) { passphrase }
        #expect(secret.publicKey == MinisignKey(text("a.pub")) && secret.publicKey.file == text("a.pub"))
        let document = Array("a catalogue".utf8)
        folder.write(document, to: "a.json")
        folder.write(Array(try secret.signature(of: document, comment: "hello").utf8), to: "a.json.minisig")
        #expect(await minisign("-V -p a.pub -m a.json").status == 0)
        folder.write(document + [0], to: "a.json")
        #expect(await minisign("-V -p a.pub -m a.json").status != 0)
    }

    @Test(.enabled(if: hasMinisign, "minisign is not installed"))
    func `in the shell a key is made and shown, and minisign verifies the published catalogue`() async throws
    {
        let shell = try CommandFixture()
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(CommandFixture.program, words, environment: shell.environment)
        }
        folder.write(PMTilesFixture(zooms: 0...2).bytes, to: "maps/north.pmtiles")
        let key = folder.path + "/maps.key"
        let made = await ProgramRun.of(
            "/bin/sh", ["-c", "'\(CommandFixture.program)' package key new '\(key)' </dev/null"],
            environment: shell.environment)
        #expect(made.status == 0 && made.output.contains("fingerprint"), "\(made)")
        #expect(await run("package", "key", "new", key).status == 1)
        let shown = await run("package", "key", "show", key)
        #expect(await run("package", "key", "show", key + ".pub").output == shown.output)
        var facts = stat()
        #expect(stat(key, &facts) == 0 && facts.st_mode & 0o077 == 0)
        let published = await run(
            "package", "publish", folder.path + "/maps", "--sign", key, "--expires", "30")
        #expect(published.status == 0 && published.output.contains("signed until"), "\(published)")
        #expect(await minisign("-V -p maps.key.pub -m maps/catalog.json").status == 0)
        let unsigned = await run("package", "publish", folder.path + "/maps")
        #expect(unsigned.status == 1 && unsigned.errors.contains("is signed"), "\(unsigned)")
        for text in [made.output, shown.output, published.output, made.errors, published.errors] {
            #expect(!text.contains(self.text("maps.key").split(separator: "\n").last ?? "?"))
        }
    }
}
