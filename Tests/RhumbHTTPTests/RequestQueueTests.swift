import RhumbEngine
@testable import RhumbHTTP
import Testing

struct RequestQueueTests {
    private var queue = RequestQueue(limit: 100)

    private mutating func add(
        _ number: UInt64, _ urgency: HTTPPriority = .visible(view: 0), origin: String = "a",
        source: String = "s", connections: Int = 50, rate: Double? = nil
    ) {
        queue.add(
            .init(
                number: number, origin: origin,
                rules: SourceRules(id: source, connections: connections, requestsPerSecond: rate),
                urgency: urgency))
    }

    private mutating func drain(now: Double = 0) -> [UInt64] {
        var order: [UInt64] = []
        while let ticket = queue.next(now: now) { order.append(ticket.number) }
        return order
    }

    @Test mutating func `the newest view goes first, then prefetching, then downloads`() {
        add(1, .download)
        add(2, .prefetch)
        add(3, .visible(view: 1))
        add(4, .visible(view: 2))
        add(5, .visible(view: 1))
        add(6, .visible(view: 2))
        #expect(drain() == [4, 6, 3, 5, 2, 1])
    }

    @Test(arguments: [1000, 20_000, 500_000])
    mutating func
        `downloads keep to their bytes a second on average, and who looks on does not wait for them`(
            rate: Int
        )
    {
        queue = RequestQueue(limit: 100, downloadRate: rate)
        let size = 40_000
        var came = 0
        for number in 1...200 { add(UInt64(number), .download) }
        for now in stride(from: 0.0, to: 100, by: 0.25) {
            for number in drain(now: now) {
                came += size
                queue.settle(number, bytes: size, now: now)
                queue.remove(number)
            }
            // Up to a second's worth of bytes may arrive immediately, plus requests that started before their
            // length was known.
            #expect(Double(came) <= Double(rate) * (now + 1) + Double(size) * 100)
            if now >= 50 { #expect(Double(came) <= Double(rate) * (now + 1.25) + Double(size)) }
        }
        #expect(came >= min(Int(Double(rate) * 90), 200 * size))
        if rate == 1000 {
            #expect(queue.wait(now: 99.75) ?? 0 > 0)
            add(900, .visible(view: 1))
            #expect(drain(now: 99.75) == [900])
        }
    }

    @Test mutating func `a long download pays for its bytes as they arrive`() {
        queue = RequestQueue(limit: 100, downloadRate: 100_000)
        for number in 1...2 { add(UInt64(number), .download) }
        #expect(drain(now: 0) == [1, 2])
        let pieces: [(number: UInt64, bytes: Int, now: Double)] = [
            (1, 300_000, 0), (1, 310_000, 2), (2, 15_000, 2), (1, 350_000, 2.5),
        ]
        let taken = pieces.map { queue.receive($0.number, bytes: $0.bytes, now: $0.now) }
        // The third request is within the amount that its download has paid in advance.
        #expect(taken == [true, false, true, true])
        let wait = queue.downloadWait(now: 2.5)
        queue.settle(2, bytes: 15_000, now: 2.5)
        #expect(wait > queue.downloadWait(now: 2.5))
    }

    @Test mutating func `a thousand requests of one kind are sent in order`() {
        let numbers = (1...1000).map(UInt64.init)
        for number in numbers { add(number) }
        queue.remove(500)
        var order: [UInt64] = []
        while let ticket = queue.next(now: 0) {
            order.append(ticket.number)
            queue.remove(ticket.number)
        }
        #expect(order == numbers.filter { $0 != 500 })
    }

    @Test mutating func `no more requests run than the total, host and source limits allow`() {
        queue = RequestQueue(limit: 3)
        for number in 1...9 { add(UInt64(number), source: "s\(number)") }
        #expect(drain() == [1, 2, 3])
        queue.remove(2)
        #expect(drain() == [4])
        queue = RequestQueue(limit: 100)
        for number in 1...4 { add(UInt64(number), connections: 2) }
        add(9, origin: "b", source: "other", connections: 2)
        #expect(drain() == [1, 2, 9])
        queue.remove(1)
        #expect(drain() == [3])
    }

    @Test mutating func `a source at its limit doesn't delay another`() {
        add(1, connections: 1)
        add(2, .visible(view: 9), connections: 1)
        add(3, .download, origin: "b", source: "t")
        #expect(drain() == [2, 3])
        #expect(queue.waitingCount == 1 && queue.runningCount == 2)
    }

    @Test mutating func `a waiting request becomes more urgent, never less`() {
        add(1, .prefetch)
        add(2, .visible(view: 0))
        queue.raise(1, to: .visible(view: 1))
        queue.raise(2, to: .download)
        #expect(drain() == [1, 2])
    }

    @Test mutating func `the pauses of a host that requests them increase, and other hosts continue`() {
        let waits = [0.0, 5, 15, 35].map { queue.pauseHost("a", retryAfter: nil, now: $0) }
        #expect(waits == [5, 10, 20, 40])
        add(1)
        add(2, origin: "b")
        #expect(drain(now: 40) == [2])
        #expect(queue.wait(now: 40) == 35)
        #expect(drain(now: 75) == [1])
    }

    @Test mutating func `a server that names a second each time is not asked each second`() {
        let waits = [0.0, 1, 6, 16].map { queue.pauseHost("a", retryAfter: 1, now: $0) }
        #expect(waits == [1, 5, 10, 20])
    }

    @Test mutating func `a host that keeps failing is paused, and then gets one request at a time`() {
        for _ in 1..<Outage.limit { queue.failed("a", status: 500, "HTTP 500", now: 0) }
        #expect(queue.outage(of: "a") == nil)
        queue.failed("a", status: 500, "HTTP 500", now: 0)
        #expect(queue.outage(of: "a")?.failures == Outage.limit)
        for number in 1...3 { add(UInt64(number)) }
        #expect(drain(now: 4) == [])
        #expect(queue.next(now: 5)?.number == 1 && queue.next(now: 5) == nil)
        queue.succeeded(origin: "a", source: "s", now: 6)
        #expect(queue.outage(of: "a") == nil && queue.next(now: 6)?.number == 2)
    }

    @Test mutating func `responses in flight don't lengthen a pause`() {
        #expect(queue.pauseHost("a", retryAfter: nil, now: 0) == 5)
        #expect(queue.pauseHost("a", retryAfter: nil, now: 1) == 5)
        #expect(queue.pauseHost("a", retryAfter: 30, now: 1) == 30)
    }

    @Test mutating func `a rejected key pauses its source for a minute, at most ten`() {
        var now = 0.0
        let waits = (0..<6).map { _ in
            let wait = queue.pauseSource("s", status: 401, now: now)
            now += wait
            return wait
        }
        #expect(waits == [60, 120, 240, 480, 600, 600])
        add(1)
        #expect(queue.pause(origin: "a", source: "s", now: now - 1).source == 1)
        queue.endPause(ofSource: "s")
        #expect(drain(now: now - 1) == [1])
    }

    @Test mutating func `a success after the pause resets it`() {
        _ = queue.pauseHost("a", retryAfter: nil, now: 0)
        queue.succeeded(origin: "a", source: "s", now: 3)
        #expect(queue.pause(origin: "a", source: "s", now: 3).host == 2)
        queue.succeeded(origin: "a", source: "s", now: 6)
        #expect(queue.pauseHost("a", retryAfter: nil, now: 6) == 5)
    }

    @Test mutating func `a rate is obeyed`() {
        for number in 1...5 { add(UInt64(number), rate: 2) }
        #expect(drain(now: 0) == [1, 2])
        #expect((queue.wait(now: 0).map { abs($0 - 0.5) } ?? 9) < 1e-6)
        #expect(drain(now: 0.5) == [3])
        #expect(drain(now: 1.5) == [4, 5])
    }
}
