import RhumbCore
import Testing

@testable import RhumbServer

/// Tests how the fields of requests are understood.
struct RequestRulesTests {
    private func acceptsGzip(_ codings: String) -> Bool {
        ServedRequest("/", fields: ["accept-encoding": codings]).acceptsGzip
    }

    @Test(arguments: [
        "gzip", "GZIP", "x-gzip", "br, gzip", "gzip;q=0.001", "gzip ; q=1.000", "*", "*;q=0.5",
        "deflate, *;q=0.1",
        "identity;q=0.5, gzip", "identity;q=0, gzip;q=0.2", "gzip,",
    ])
    func `gzip is accepted`(codings: String) { #expect(acceptsGzip(codings)) }

    @Test(arguments: [
        "", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=1, gzip;q=0", "gzip;q=0, *", "*;q=0",
        "gzip;q=x",
        "gzip;q=2", "gzip;q=-1", "gzip;level=1", "identity, gzip;q=0.5", "gzipped",
    ])
    func `gzip is not accepted, or not preferred`(codings: String) { #expect(!acceptsGzip(codings)) }

    private static let etag = "\"1,2\""

    @Test(arguments: [
        ("*", true), ("\"1,2\"", true), ("W/\"1,2\"", true), ("\"a\" , W/\"b\",\t\"1,2\"", true),
        (", \"1,2\" ,", true),
        ("\"1\",\"2\"", false), ("1,2", false), ("\"1,2", false), ("\"1,2\" \"a\"", false),
        ("*, \"a\"", false), ("", false),
        ("w/\"1,2\"", false),
    ])
    func `a list of tags matches weakly`(tags: String, isMatch: Bool) {
        let conditions = Preconditions(noneMatch: tags, modifiedSince: "Sun, 06 Nov 2094 08:49:37 GMT")
        #expect(
            conditions.outcome(etag: Self.etag, modified: UnixSeconds(0)) == (isMatch ? .unchanged : .proceed)
        )
    }

    @Test(arguments: [("*", true), ("\"1,2\"", true), ("W/\"1,2\"", false), ("\"a\"", false), ("", false)])
    func `an expected tag matches strongly`(tags: String, isMatch: Bool) {
        let conditions = Preconditions(match: tags)
        #expect(conditions.outcome(etag: Self.etag, modified: nil) == (isMatch ? .proceed : .failed))
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:01:39 GMT", false), ("Thu, 01 Jan 1970 00:01:40 GMT", true),
        ("Thursday, 01-Jan-70 00:01:41 GMT", true), ("Thu Jan  1 00:01:41 1970", true), ("yesterday", false),
        ("100", false),
    ])
    func `dates are compared as dates`(date: String, isSame: Bool) {
        let since = Preconditions(modifiedSince: date)
        #expect(
            since.outcome(etag: Self.etag, modified: UnixSeconds(100)) == (isSame ? .unchanged : .proceed))
        #expect(since.outcome(etag: Self.etag, modified: nil) == .proceed)
        let isDate = date.contains("00:01"), until = Preconditions(unmodifiedSince: date)
        #expect(
            until.outcome(etag: Self.etag, modified: UnixSeconds(100))
                == (isSame || !isDate ? .proceed : .failed))
    }

    @Test func `a proxy in front tells the address, also as lists`() {
        var access = ServedAccess()
        access.trustsForwarded = true
        func base(_ fields: [String: String]) -> String? {
            access.base(of: ServedRequest("/", fields: fields.merging(["host": "inner:8080"]) { $1 }))
        }
        #expect(base([:]) == "http://inner:8080")
        #expect(
            base([
                "x-forwarded-host": "maps.example, proxy", "x-forwarded-proto": "https,http",
                "x-forwarded-prefix": "/public/ , maps",
            ]) == "https://maps.example/public/maps")
        #expect(base(["x-forwarded-prefix": "/"]) == "http://inner:8080")
        for bad in ["/<a>", "/a?b"] { #expect(base(["x-forwarded-prefix": bad]) == nil, "\(bad)") }
        access.trustsForwarded = false
        #expect(base(["x-forwarded-prefix": "/a"]) == "http://inner:8080")
    }

    @Test func `only pages of named origins may read responses`() {
        func fields(_ origins: [String], _ origin: String?) -> [String: String] {
            var access = ServedAccess()
            access.origins = origins.compactMap(ServedAccess.origin)
            let request = ServedRequest("/", fields: origin.map { ["origin": $0] } ?? [:])
            return Dictionary(access.fields(for: access.origin(of: request)).map { ($0.name, $0.value) }) {
                $1
            }
        }
        let allowed = "Access-Control-Allow-Origin", mine = "https://maps.example"
        #expect(fields([], mine)[allowed] == nil && fields([], mine)["Vary"] == nil)
        #expect(fields([mine], mine)[allowed] == mine && fields([mine], mine)["Vary"] == "Origin")
        for other in [nil, "https://maps.example.evil", "http://maps.example", "null"] as [String?] {
            #expect(fields([mine], other)[allowed] == nil && fields([mine], other)["Vary"] == "Origin")
        }
        #expect(fields(["*"], mine)[allowed] == "*")
        #expect(fields(["*"], nil)["Cross-Origin-Resource-Policy"] == "cross-origin")
    }
}
