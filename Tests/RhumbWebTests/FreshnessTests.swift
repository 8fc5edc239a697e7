import RhumbCore
import Testing

struct FreshnessTests {
    static let arrival = UnixSeconds(1_700_000_000)
    static func date(_ offset: Int64) -> String { HTTPDate.text(of: arrival.adding(offset)) }

    private func freshness(
        _ headers: HTTPHeaders, status: Int = 200, policy: StoragePolicy = .tiles(), underway: Int64 = 0
    ) -> Freshness {
        Freshness(
            headers: headers, status: status, requestedAt: Self.arrival.adding(-underway),
            receivedAt: Self.arrival, policy: policy)
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=100"], 100),
            (["Cache-Control": "max-age=100", "Expires": date(7000)], 100),
            (["Expires": date(300), "Date": date(0)], 300),
            (["Expires": date(300), "Date": date(-50)], 350),
            (["Expires": date(300)], 300),
            (["Expires": "0"], 0),
            (["Expires": "Thu, 18 Aug 2050 02:01:18 UTC"], 0),
            (["Expires": "Thu 18 Aug 2050 02:01:18 GMT"], 0),
            (["Expires": "Thu, 18  Aug 2050 02:01:18 GMT"], 0),
            (["Expires": "Thu, 18 Aug 2050 2:01:18 GMT"], 0),
            (["Expires": "Thu, 18-Aug-2050 02:01:18 GMT"], 0),
            (["Expires": date(300), "Expires": date(300)], 0),
            (["Expires": date(300).lowercased()], 300),
            (["Expires": "-1", "Last-Modified": date(-10_000)], 0),
            (["Expires": date(-9)], 0),
            (["Last-Modified": date(-10_000), "Date": date(0)], 1000),
            (["Last-Modified": date(-100_000_000)], 86_400),
            (["Last-Modified": date(500)], 0),
            (["Last-Modified": "yesterday"], 86_400),
            ([:], 86_400),
            (["Cache-Control": "max-age=-5"], 0),
            (["Cache-Control": "max-age=99999999999"], 1 << 31),
            (["Cache-Control": "s-maxage=9"], 86_400),
        ] as [(HTTPHeaders, Int64)])
    func `a lifetime comes from max-age, else expires, else a heuristic, else the policy`(
        headers: HTTPHeaders, seconds: Int64
    ) {
        #expect(freshness(headers).lifetime == seconds)
    }

    @Test(
        arguments: [
            ([:], 0, 0),
            (["Date": date(-30)], 0, 30),
            (["Date": date(30)], 0, 0),
            (["Age": "20"], 0, 20),
            (["Age": "20", "Date": date(-30)], 0, 30),
            (["Age": "20", "Date": date(-30)], 15, 35),
            (["Age": "-7"], 3, 3),
            (["Age": "9223372036854775807"], 3, .max),
            (["Age": "old"], 0, 0),
            (["Age": "7200, 0"], 0, 7200),
            (["Age": "0, 7200"], 0, 0),
            (["Age": "7200", "Age": "0"], 0, 7200),
            (["Age": "7200;x=1"], 0, 7200),
            (["Age": "7200.0"], 0, 0),
        ] as [(HTTPHeaders, Int64, Int64)])
    func `an age includes the time before arrival`(headers: HTTPHeaders, underway: Int64, age: Int64) {
        #expect(freshness(headers, underway: underway).initialAge == age)
    }

    @Test(
        arguments: [
            ("max-age=10", 9, .fresh), ("max-age=10", 10, .staleUsable), ("max-age=0", 0, .staleUsable),
            ("max-age=10, must-revalidate", 9, .fresh), ("max-age=10, must-revalidate", 10, .mustRevalidate),
            ("max-age=10, no-cache", 0, .mustRevalidate), ("no-cache", 0, .mustRevalidate),
            ("max-age=10, immutable", 10, .staleUsable),
        ] as [(String, Int64, Freshness.State)])
    func `the state follows the directives`(control: String, later: Int64, state: Freshness.State) {
        #expect(freshness(["Cache-Control": control]).state(at: Self.arrival.adding(later)) == state)
    }

    @Test func `an age beyond the lifetime makes a response stale on arrival`() {
        let old = freshness(["Cache-Control": "max-age=100", "Age": "100"])
        #expect(old.state(at: Self.arrival) == .staleUsable)
        #expect(old.expiresAt == Self.arrival)
    }

    @Test(
        arguments: [
            (-1, .fresh), (-86_400, .fresh), (-31_536_000, .fresh), (-31_536_001, .staleUsable),
            (.min, .staleUsable),
        ] as [(Int64, Freshness.State)])
    func `a clock set back by less than a year leaves a response fresh`(
        offset: Int64, state: Freshness.State
    ) {
        #expect(freshness(["Cache-Control": "max-age=10"]).state(at: Self.arrival.adding(offset)) == state)
    }

    @Test func `the policy's minimum lifetime extends heuristics but never header fields`() {
        let policy = StoragePolicy.tiles(minimumLife: 604_800)
        #expect(freshness([:], policy: policy).lifetime == 604_800)
        #expect(freshness(["Last-Modified": Self.date(-100)], policy: policy).lifetime == 604_800)
        #expect(freshness(["Cache-Control": "max-age=5"], policy: policy).lifetime == 5)
        #expect(freshness(["Expires": "0"], policy: policy).lifetime == 0)
    }

    @Test(arguments: [204, 404, 410])
    func `absence has its own lifetime`(status: Int) {
        let policy = StoragePolicy(unspecifiedLife: 1000, absentLife: 77, minimumLife: 500)
        #expect(freshness([:], status: status, policy: policy).lifetime == 77)
        #expect(freshness(["Cache-Control": "max-age=5"], status: status, policy: policy).lifetime == 5)
    }
}

struct StorageVerdictTests {
    @Test(
        arguments: [
            (200, [:], .body), (203, [:], .body), (204, [:], .absent), (404, [:], .absent),
            (410, [:], .absent),
            (200, ["Cache-Control": "no-store"], .no(.noStore)),
            (404, ["Cache-Control": "no-store, max-age=99"], .no(.noStore)),
            (200, ["Cache-Control": "private"], .body), (200, ["Set-Cookie": "a=b"], .body),
            (200, ["Cache-Control": "no-cache"], .body),
            (206, ["Cache-Control": "max-age=99"], .no(.notUnderstood)), (304, [:], .no(.notUnderstood)),
            (401, [:], .no(.errorStatus)), (403, ["Cache-Control": "max-age=99"], .no(.errorStatus)),
            (429, [:], .no(.errorStatus)), (500, ["Cache-Control": "public"], .no(.errorStatus)),
            (503, [:], .no(.errorStatus)), (999, [:], .no(.notUnderstood)),
        ] as [(Int, HTTPHeaders, StorageVerdict)])
    func `errors and no-store responses are never stored`(
        status: Int, headers: HTTPHeaders, verdict: StorageVerdict
    ) {
        #expect(StorageVerdict.verdict(status: status, headers: headers) == verdict)
    }

    @Test func `a request's own no-store counts, but its authorization doesn't`() {
        let forbidden = StorageVerdict.verdict(
            status: 200, headers: [:], request: ["Cache-Control": "no-store"])
        #expect(forbidden == .no(.noStore))
        #expect(StorageVerdict.verdict(status: 200, headers: [:], request: ["Authorization": "x"]) == .body)
    }
}
