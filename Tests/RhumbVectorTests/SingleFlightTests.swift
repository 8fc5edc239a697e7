import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

struct SingleFlightTests {
    private let flight = SingleFlight<String, Int>()
    private let starts = Counter()

    private final class Counter: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
        var value: Int { count.load(ordering: .relaxed) }
    }

    /// Returns work that ends when its task is cancelled or the stream ends.
    private func waiting(for end: AsyncStream<Void>) -> @Sendable () async -> Int {
        { [starts] in
            let number = starts.next()
            for await _ in end {}
            return Task.isCancelled ? -number : number
        }
    }

    @Test func `concurrent calls with one key share one piece of work`() async {
        let (end, gate) = AsyncStream.makeStream(of: Void.self), work = waiting(for: end)
        let calls = (1...3).map { _ in Task { [flight] in await flight.value(for: "a", work) } }
        let joined = await eventually { [flight] in flight.waiterCount(for: "a") == 3 }
        #expect(joined)
        let other = await flight.value(for: "b") { 7 }
        #expect(other == 7)
        gate.finish()
        for call in calls {
            let value = await call.value
            #expect(value == 1)
        }
        #expect(starts.value == 1)
    }

    @Test func `a later call does the work again`() async {
        for number in 1...3 {
            let value = await flight.value(for: "a") { [starts] in starts.next() }
            #expect(value == number)
        }
    }

    @Test func `work is cancelled with its last caller, and started again for the next`() async {
        let (end, _) = AsyncStream.makeStream(of: Void.self), work = waiting(for: end)
        let calls = (1...2).map { _ in Task { [flight] in await flight.value(for: "a", work) } }
        let joined = await eventually { [flight] in flight.waiterCount(for: "a") == 2 }
        #expect(joined)
        calls[0].cancel()
        let left = await eventually { [flight] in flight.waiterCount(for: "a") == 1 }
        #expect(left)
        calls[1].cancel()
        for call in calls {
            let value = await call.value
            #expect(value == -1)
        }
        let again = await flight.value(for: "a") { [starts] in starts.next() }
        #expect(again == 2)
    }
}
