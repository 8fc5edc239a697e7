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
        ("s3://bucket/a/b: 403", "s3://…/… 403"),
        ("opened /home/ann/maps/a.db", "opened ~/…"),
        ("at 60.1699,24.9384 and -33.87", "at … and -…"),
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

/// A matrix of private data in the sentences of logs: whatever stands around it, it must be gone, and the
/// rest of the sentence must stay.
struct PrivateDataTests {
    static let data: [(kind: String, secrets: [String])] = [
        (
            "key",
            [
                "pk.eyJ1IjoiYW5uIiwiYSI6ImNrMTIzIn0.abc-DEF_123", "AKIAIOSFODNN7EXAMPLE", "key=hunter2",
                "access_token=hunter2", "X-Api-Key: hunter2", "Authorization: Bearer hunter2",
                "Cookie: hunter2",
                "password=hunter2", "https://ann:hunter2@tiles.example/a",
                "https://tiles.example/hunter2/1/2/3",
                "https://tiles.example/?key=hunter2",
            ]
        ),
        (
            "place",
            [
                "60.1699,24.9384", "60.2,24.9", "24,60,25,61", "-33.87", "60°10′11″N", "geo:60.1699,24.9384",
                "12/2345/1123", "9GG65WCR+2X", "35VLG84913720", "#12/60.17/24.93", "lat=60.1699",
            ]
        ),
        (
            "path",
            [
                "/home/ann/maps/helsinki.pmtiles", "/home/bob/helsinki.json", "/media/ann/usb/a.db",
                "/Users/ann/a",
                "/mnt/c/Users/ann/a", "file:///home/bob/helsinki.json", "helsinki.pmtiles",
                "tracks/helsinki.gpx",
                "~/helsinki/a.db",
            ]
        ),
        (
            "computer",
            ["anns-macbook.local", "http://anns-nas:8080/a", "http://anns-nas.fritz.box/a", "nas.lan"]
        ),
        ("query", ["\"helsinki pharmacy\"", "“helsinki”"]), ("name", ["Summer cottage", "summer-cottage"]),
    ]
    static let sentences = [
        "@", "can't open @: no such file", "network: @ (timeout)", "3 tiles of @, version 0.2.0",
        "(@) failed",
        "rhumb: @; try again later",
    ]

    @Test(arguments: data)
    func `private data is removed from every sentence, and nothing else is`(kind: String, secrets: [String]) {
        let words = [
            "hunter2", "eyJ1", "AKIA", "60.1", "24.9", "24,60", "-33.87", "60°", "2345", "9GG65", "35VLG",
            "ann",
            "bob", "helsinki", "nas", "cottage",
        ]
        for secret in secrets {
            for sentence in Self.sentences {
                let text = sentence.replacing("@", with: secret)
                let report = Redaction.redacted(
                    text, home: "/home/ann", names: ["Summer cottage", "summer-cottage"])
                for word in words {
                    #expect(!report.lowercased().contains(word.lowercased()), "\(text) → \(report)")
                }
                for word in [
                    "can't open", "no such file", "timeout", "3 tiles of", "0.2.0", "failed", "try again",
                ]
                where sentence.contains(word) {
                    #expect(report.contains(word), "\(text) → \(report)")
                }
            }
        }
    }

    @Test(arguments: [
        ("rhumb: Love Nest.geojson: line 1: not a place", "rhumb: ….geojson: line 1: not a place"),
        ("rhumb: hs/Anns Diary/Nest of Bob.gpx has no heights", "rhumb: ….gpx has no heights"),
        ("can't open hs/Anns Diary/Nope.gpx: no such file", "can't open …: no such file"),
        ("can't open /media/Treasure Chest: no such file", "can't open …: no such file"),
        ("can't read Secret Meeting with Bob.gpx: damaged", "can't read …: damaged"),
        ("message: Letter to Bob.gpx has no heights", "message: ….gpx has no heights"),
        ("3 tiles of helsinki.pmtiles failed", "3 tiles of ….pmtiles failed"),
        ("can't open the database: it is locked", "can't open the database: it is locked"),
        ("rhumb region resume ny", "rhumb region resume …"),
    ])
    func `names of files with spaces, and short names, are removed whole`(sentence: String, report: String) {
        #expect(Redaction.redacted(sentence, home: "/home/ann", names: ["ny"]) == report)
    }

    @Test(arguments: [
        "12,345 tiles and 1,234,567 bytes at 12.5 MB/s", "can't open /etc/os-release: permission denied",
        "~/.config/rhumb/config.json has no member", "the server answered 503 after 4 tries",
        "edition 2026.11.28 of 3 packages", "HTTP/2 and TLS 1.3",
        "16 colours: terminfo gives xterm 8 colours",
    ])
    func `facts stay`(sentence: String) {
        #expect(Redaction.redacted(sentence, home: "/home/ann") == sentence)
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
        #expect(lines[1].contains("~/…") && !lines[1].contains("a.json") && !lines[1].contains("\u{1B}"))
        for number in 0..<20_000 { FailureLog.note("store", "failure number \(number)") }
        let sizes = ["rhumb.log", "rhumb.log.old"].map { folder.bytes($0).count }
        #expect(sizes.allSatisfy { $0 <= FailureLog.limit } && sizes[1] > FailureLog.limit / 2)
        #expect(String(decoding: folder.bytes("rhumb.log"), as: UTF8.self).contains("19999"))
    }
}
