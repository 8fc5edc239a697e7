import RhumbBase
import Testing

@Suite struct BroadcastTests {
    @Test func `every listener receives the values from its beginning on, in order`() async {
        let broadcast = Broadcast<Int>()
        let early = broadcast.stream()
        broadcast.send(1)
        let late = broadcast.stream(startingWith: 10)
        broadcast.send(2)
        broadcast.finish()
        #expect(await all(early) == [1, 2])
        #expect(await all(late) == [10, 2])
    }

    @Test func `a slow listener with a limit keeps the newest values`() async {
        let broadcast = Broadcast<Int>()
        let slow = broadcast.stream(buffering: .bufferingNewest(2))
        for value in 1...5 { broadcast.send(value) }
        broadcast.finish()
        #expect(await all(slow) == [4, 5])
    }

    @Test func `a listener that comes after the end receives only its first value`() async {
        let broadcast = Broadcast<Int>()
        broadcast.finish()
        broadcast.send(1)
        #expect(await all(broadcast.stream(startingWith: 7)) == [7])
        #expect(await all(broadcast.stream()).isEmpty)
    }

    @Test func `releasing a broadcast ends its streams`() async {
        var broadcast: Broadcast<Int>? = Broadcast()
        let stream = broadcast?.stream(startingWith: 3)
        broadcast = nil
        if let stream { #expect(await all(stream) == [3]) }
        #expect(stream != nil)
    }

    private func all(_ stream: AsyncStream<Int>) async -> [Int] {
        var values: [Int] = []
        for await value in stream { values.append(value) }
        return values
    }
}
