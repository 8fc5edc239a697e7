import RhumbBase
import RhumbTestSupport
import Testing

/// Tests what reports and logs don't contain.
struct RedactionTests {
    @Test(arguments: [
        (
            "https://user:secret@tiles.example/KEY/12/34/56.png?key=SECRET failed",
            "https://tiles.example/… failed"
        ),
        ("(https://tiles.example)", "(https://tiles.example/…"),
        ("s3://bucket/a/b: 403", "s3://bucket/… 403"),
        ("opened /home/ann/maps/a.db", "opened ~/maps/a.db"),
        ("at 60.1699,24.9384 and -33.87", "at …,… and -…"),
        ("tile 6/36/18 is missing", "tile … is missing"),
        ("version 0.2.0, 12.5 MB, 85 tiles", "version 0.2.0, 12.5 MB, 85 tiles"),
        ("file:///home/ann/a.json", "file://~/…"),
        ("2026-11-22T10:00:00Z network: timeout", "2026-11-22T10:00:00Z network: timeout"),
        ("", ""),
    ])
    func `keys, addresses, places and the home folder are removed`(text: String, expected: String) {
        #expect(Redaction.redacted(text, home: "/home/ann") == expected)
    }
}

/// Tests the log of failures. It is one for the whole process, so this is one test.
struct FailureLogTests {
    @Test func `failures are noted without secrets, once in a row, in at most two files`() throws {
        let folder = TemporaryFolder(), path = folder.path + "/rhumb.log"
        FailureLog.note("network", "before the log is open")
        #expect(
            !FailureLog.open(folder.path, home: nil) && !FailureLog.open(folder.path + "/none/a", home: nil))
        #expect(FailureLog.open(path, home: folder.path))
        for _ in 0..<3 { FailureLog.note("network", "https://a.example/x?key=SECRET: timeout") }
        FailureLog.note("file", "can't open \(folder.path)/a.json\u{1B}[31m\nsecond line")
        let lines = String(decoding: folder.bytes("rhumb.log"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasSuffix(" network: https://a.example/… timeout"))
        #expect(lines[1].contains("~/a.json") && !lines[1].contains("\u{1B}"))
        for number in 0..<20_000 { FailureLog.note("store", "failure number \(number)") }
        let sizes = ["rhumb.log", "rhumb.log.old"].map { folder.bytes($0).count }
        #expect(sizes.allSatisfy { $0 <= FailureLog.limit } && sizes[1] > FailureLog.limit / 2)
        #expect(String(decoding: folder.bytes("rhumb.log"), as: UTF8.self).contains("19999"))
    }
}
