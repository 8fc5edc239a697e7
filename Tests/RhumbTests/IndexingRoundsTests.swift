import Rhumb
import Testing

struct IndexingRoundsTests {
    @Test func `stored data is unknown before the first round`() {
        let rounds = IndexingRounds()
        #expect(rounds.isPending)
        #expect(!rounds.run { false })
        #expect(!rounds.isPending)
    }

    @Test func `data added during a round waits for the next`() {
        let rounds = IndexingRounds()
        _ = rounds.run {
            rounds.add()
            return true
        }
        #expect(rounds.isPending)
        #expect(rounds.run { true })
        #expect(!rounds.isPending)
    }
}
