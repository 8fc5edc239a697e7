import RhumbCore
import Testing

struct RevalidationTests {
    @Test(arguments: ["\"abc\"", "W/\"abc\"", "unquoted", "\"a\\\"b", "  spaced"])
    func `validators are sent back byte for byte`(etag: String) {
        let validators = Validators(of: ["ETag": etag, "Last-Modified": "not even a date"])
        #expect(validators.conditions["If-None-Match"] == etag)
        #expect(validators.conditions["If-Modified-Since"] == "not even a date")
    }

    @Test func `without validators a request has no conditions`() {
        #expect(Validators(of: [:]).isEmpty)
        #expect(Validators().conditions.lines.isEmpty)
    }

    @Test func `a 304 replaces the fields it contains and keeps those that describe the body`() {
        var stored: HTTPHeaders = [
            "ETag": "\"1\"", "Cache-Control": "max-age=1", "Content-Type": "image/png",
            "Content-Length": "10", "X-Kept": "yes",
        ]
        stored.append("cache-control", "public")
        let merged = stored.updated(by: [
            "cache-control": "max-age=60", "ETag": "W/\"1\"", "Content-Type": "text/html",
            "Content-Length": "0", "Content-Encoding": "gzip", "Connection": "close",
        ])
        #expect(merged["Cache-Control"] == "max-age=60")
        #expect(merged["ETag"] == "W/\"1\"")
        #expect(merged["Content-Type"] == "image/png" && merged["Content-Length"] == "10")
        #expect(merged["Content-Encoding"] == nil && merged["Connection"] == nil)
        #expect(merged["X-Kept"] == "yes")
    }

    @Test func `header names are found regardless of case, and lines are joined`() {
        var headers: HTTPHeaders = ["Vary": "Accept"]
        headers.append("VARY", "Origin")
        #expect(headers["vary"] == "Accept, Origin")
        #expect(headers.first("vArY") == "Accept")
        #expect(headers["var"] == nil)
        headers.removeAll("vary")
        #expect(headers.lines.isEmpty)
    }

    @Test(
        arguments: [
            ([:], [:], ["Accept": "a"], true),
            (["Vary": "*"], [:], [:], false),
            (["Vary": "Accept, *"], [:], [:], false),
            (["Vary": "Accept-Encoding, Origin, User-Agent, Referer"], [:], ["Origin": "x"], true),
            (["Vary": "Accept-Language"], ["Accept-Language": "de"], ["Accept-Language": "en"], false),
            (
                ["Vary": "accept-language"], ["Accept-Language": "de,  en"], ["accept-language": "de, en"],
                true
            ),
            (["Vary": "Accept"], ["Accept": "image/png"], [:], false),
        ] as [(HTTPHeaders, HTTPHeaders, HTTPHeaders, Bool)])
    func `a response fits requests that agree in the fields of Vary`(
        answer: HTTPHeaders, stored: HTTPHeaders, request: HTTPHeaders, fits: Bool
    ) {
        let vary = Vary(of: answer)
        #expect((!vary.matchesNothing && vary.key(for: request) == vary.key(for: stored)) == fits)
    }
}
