import Glibc
import RhumbManual
import Testing

struct PromiseTests {
    /// The source text of all tests of the project.
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

    /// The sentences of `rhumb help promises`, starting in lower case and without the full stop.
    private static let promises: [String] = {
        var sentences: [String] = []
        for case .list(let items) in Manual.page("promises")?.blocks ?? [] { sentences += items.map(\.plain) }
        return sentences.map { $0.prefix(1).lowercased() + $0.dropFirst().dropLast() }
    }()

    @Test(arguments: promises)
    func `each promise is the name of a test`(sentence: String) {
        #expect(Self.tests.contains("`\(sentence)`("))
    }

    @Test func `no promise is missing`() { #expect(Self.promises.count >= 33) }
}
