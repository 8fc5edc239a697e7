import Glibc
import RhumbCommandLine
import Testing

struct PromiseTests {
    /// All tests of the project, as they are written.
    private static let tests: String = {
        let folder = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
        return ["/*/*.swift", "/*/*/*.swift"].flatMap { files(folder + $0) }.map(text).joined()
    }()

    private static func files(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = [], block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: Promises.sections.flatMap(\.sentences))
    func `each promise is the name of a test`(sentence: String) {
        #expect(Self.tests.contains("func `\(sentence)`("))
    }

    @Test func `the promises are in the manual and in help, as sentences`() {
        let manual = ManPage.text(keys: [])
        #expect(manual.contains(".SH RHUMB'S PROMISES ABOUT KEYS, POLICIES AND FILES\n"))
        #expect(manual.contains(".SS Policies\n") && manual.contains("\nA store written by a newer version is not "
            + "changed.\n"))
        #expect(Promises.text.contains("  - A store written by a newer version is not changed.\n"))
        #expect(Promises.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(HelpText.text(for: CommandTable.commands[0]).contains("rhumb help promises"))
    }
}
