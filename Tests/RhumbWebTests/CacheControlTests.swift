import RhumbCore
import Testing

struct CacheControlTests {
    @Test(
        arguments: [
            ("max-age=60", 60), ("Max-Age=60", 60), ("max-age=\"60\"", 60), ("public, max-age=60", 60),
            (" max-age = 60 ", 60), ("max-age=-1", 0), ("max-age=abc", 0), ("max-age", 0), ("max-age=", 0),
            ("max-age=1.5", 0), ("max-age=60, max-age=70", 0), ("max-age=99999999999", 1 << 31),
            ("max-age=99999999999999999999999", 1 << 31), ("s-maxage=60", nil), ("", nil), (",,,", nil),
            ("x=\"max-age=5\"", nil), ("private=\"a, max-age=5\", max-age=7", 7),
        ] as [(String, Int64?)])
    func `max-age is read, and counts as 0 if it is malformed`(text: String, seconds: Int64?) {
        #expect(CacheControl(text).maxAge == seconds)
    }

    @Test func `every relevant directive is recognised, regardless of case`() {
        let all = CacheControl(
            "No-Store, NO-CACHE, must-revalidate, immutable, public, stale-while-revalidate=5, "
                + "stale-if-error=6, foo, bar=1")
        #expect(all.noStore && all.noCache && all.mustRevalidate && all.immutable && all.isPublic)
        #expect(all.staleWhileRevalidate == 5 && all.staleIfError == 6)
        let shared = CacheControl("proxy-revalidate, s-maxage=3, private")
        #expect(shared == CacheControl())
    }

    @Test func `no-cache with field names counts as plain no-cache`() {
        #expect(CacheControl("no-cache=\"Set-Cookie, X\"").noCache)
    }

    @Test func `several header lines form one list`() {
        var headers: HTTPHeaders = ["cache-control": "max-age=5"]
        headers.append("Cache-Control", "no-store")
        #expect(CacheControl(of: headers).noStore && CacheControl(of: headers).maxAge == 5)
        headers.append("CACHE-CONTROL", "max-age=5")
        #expect(CacheControl(of: headers).maxAge == 0)
    }

    @Test func `pragma counts only without cache-control`() {
        #expect(CacheControl(of: ["Pragma": "no-cache"]).noCache)
        #expect(!CacheControl(of: ["Pragma": "no-cache", "Cache-Control": "max-age=5"]).noCache)
    }
}
