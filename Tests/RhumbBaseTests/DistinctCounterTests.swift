import RhumbCore
import Testing

struct DistinctCounterTests {
    /// Returns the counter of that many different values, each added twice.
    private func counter(_ count: Int) -> DistinctCounter {
        var counter = DistinctCounter()
        var state: UInt64 = 1
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let mixed = (state ^ state >> 31) &* 0xBF58_476D_1CE4_E5B9
            counter.insert(mixed)
            counter.insert(mixed)
        }
        return counter
    }

    @Test(arguments: [0, 1, DistinctCounter.limit]) func `few values are counted exactly`(count: Int) {
        let counter = counter(count)
        #expect(counter.count == count && counter.isExact)
    }

    @Test(arguments: [20_000, 300_000]) func `many values are estimated within 5 %`(count: Int) {
        let counter = counter(count)
        #expect(!counter.isExact && abs(counter.count - count) < count / 20, "\(counter.count)")
    }
}
