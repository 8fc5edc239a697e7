import RhumbCore
import Testing

struct RetryTests {
    @Test(
        arguments: [
            (200, nil), (203, nil), (204, nil), (206, nil), (304, nil), (404, nil), (410, nil),
            (400, .permanent), (405, .permanent), (412, .permanent), (414, .permanent), (416, .permanent),
            (451, .permanent), (501, .permanent), (596, .permanent), (401, .refused), (402, .refused),
            (403, .refused), (498, .refused), (430, .permanent),
            (429, .rate), (408, .transient), (425, .transient), (500, .transient), (502, .transient),
            (503, .transient), (504, .transient), (599, .transient), (777, .transient),
            (201, .badContent), (226, .badContent), (300, .badContent), (0, .badContent), (-1, .badContent),
        ] as [(Int, FailureClass?)])
    func `each status has a class`(status: Int, failure: FailureClass?) {
        #expect(FailureClass(status: status) == failure)
    }

    @Test func `an overloaded server that states a time counts as a rate limit`() {
        #expect(FailureClass(status: 503, isRateLimit: true) == .rate)
    }

    @Test func `every fault below HTTP has a class`() {
        let transient = TransportFault.allCases.filter { $0.failureClass == .transient }
        #expect(
            Set(transient)
                == [
                    .nameNotFound, .connectionRefused, .connectionLost, .timedOut, .tlsFailed, .truncated,
                    .proxy,
                ])
        #expect(
            TransportFault.noNetwork.failureClass == .offline
                && TransportFault.metered.failureClass == .offline)
        #expect(TransportFault.certificate.failureClass == .permanent)
        #expect(TransportFault.badAnswer.failureClass == .badContent)
    }

    @Test func `delays double up to the limit`() {
        let ceilings = [1, 2, 3, 7, 8, 1000, .max].map { Backoff.standard.ceiling(failures: $0) }
        #expect(ceilings == [1, 2, 4, 60, 60, 60, 60])
        #expect(Backoff.standard.ceiling(failures: .min) == 1)
    }

    @Test func `jitter covers the whole range`() {
        #expect(Backoff.standard.delay(failures: 3, random: 0) == 0)
        #expect(Backoff.standard.delay(failures: 3, random: 0.5) == 2)
        #expect(Backoff.standard.delay(failures: 3, random: 7) == 4)
    }

    @Test(arguments: FailureClass.allCases)
    func `only transient failures are retried, and not forever`(failure: FailureClass) {
        let rule = RetryRule.interactive
        #expect((rule.delay(after: failure, failures: 1, random: 1) != nil) == (failure == .transient))
        #expect(rule.delay(after: failure, failures: 3, random: 1) == nil)
    }

    static let now = UnixSeconds(1_700_000_000)
    @Test(
        arguments: [
            (["Retry-After": "7"], 7), (["Retry-After": "0"], 0), (["Retry-After": "99999"], 3600),
            (["Retry-After": "99999999999999999999999"], 3600), (["Retry-After": "-5"], nil),
            (["Retry-After": HTTPDate.text(of: now.adding(90))], 90),
            (["Retry-After": HTTPDate.text(of: now.adding(-90))], 0),
            (["Retry-After": HTTPDate.text(of: now.adding(90_000))], 3600),
            (["Retry-After": "soon"], nil), ([:], nil),
            (["x-rate-limit-reset": "1700000030"], 30), (["x-rate-limit-reset": "1600000000"], 0),
            (["x-rate-limit-reset": "never"], nil),
            (["Retry-After": "soon", "x-rate-limit-reset": "1700000030"], 30),
        ] as [(HTTPHeaders, Int64?)])
    func `a server's hint is read in all its forms`(headers: HTTPHeaders, seconds: Int64?) {
        #expect(RetryHint.seconds(in: headers, now: Self.now) == seconds)
    }

    @Test func `a token bucket allows a burst and then limits the rate`() throws {
        var bucket = try #require(TokenBucket(rate: 4, now: 100))
        let burst = (0..<5).map { _ in bucket.take(now: 100) }
        #expect(burst.prefix(4).allSatisfy { $0 == 0 })
        #expect(abs(burst[4] - 0.25) < 1e-6)
        #expect(bucket.take(now: 100.25) == 0)
        #expect(bucket.take(now: 100.3) > 0)
        #expect(bucket.take(now: 99) > 0)
    }

    @Test(arguments: [0, -1, Double.nan, .infinity])
    func `an invalid rate makes no bucket`(rate: Double) {
        #expect(TokenBucket(rate: rate, now: 0) == nil)
    }

    @Test func `a slow rate still allows the first request`() throws {
        var bucket = try #require(TokenBucket(rate: 0.1, now: 0))
        #expect(bucket.take(now: 0) == 0)
        #expect(abs(bucket.take(now: 0) - 10) < 1e-6)
    }

    @Test(
        arguments: [
            (403, ["Retry-After": "1"], "", FailureClass.rate),
            (403, ["X-Mashery-Error-Code": "ERR_403_DEVELOPER_OVER_QPS"], "", .rate),
            (403, [:], "<h1>Developer Over Qps</h1>", .rate),
            (403, ["X-RateLimit-Remaining": "0"], "", .rate),
            (403, [:], #"{"message":"API rate limit exceeded"}"#, .rate),
            (403, ["X-RateLimit-Remaining": "3"], "<Code>AccessDenied</Code>", .refused),
            (420, [:], "", .rate), (429, [:], "", .rate), (503, [:], "<Code>SlowDown</Code>", .rate),
            (503, [:], "", .transient), (401, [:], "", .refused),
        ] as [(Int, HTTPHeaders, String, FailureClass)])
    func `a rate limit is recognised by its status, header fields or text`(
        status: Int, headers: HTTPHeaders, body: String, failure: FailureClass
    ) {
        let isLimit = RetryHint.isRateLimit(headers, Array(body.utf8))
        #expect(FailureClass(status: status, isRateLimit: isLimit) == failure)
    }

    @Test(
        arguments: [
            (["X-RateLimit-Reset": "1700000002"], 2), (["RateLimit-Reset": "7"], 7),
            (["Retry-After": "1", "X-RateLimit-Reset": "1700000009"], 1),
        ] as [(HTTPHeaders, Int64)])
    func `the end of a rate limit is a time or a number of seconds`(headers: HTTPHeaders, wait: Int64) {
        #expect(RetryHint.seconds(in: headers, now: UnixSeconds(1_700_000_000)) == wait)
    }
}
