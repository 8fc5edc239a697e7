import RhumbCore
import Testing

struct PartitioningIndexTests {
    @Test(arguments: 0...9)
    func `the second part is found wherever it begins`(start: Int) {
        #expect((0..<9).partitioningIndex { $0 >= start } == start)
        #expect(Array(0..<9).partitioningIndex { $0 >= start } == start)
    }

    @Test func `an empty collection has no second part, and a slice keeps its indices`() {
        #expect([Int]().partitioningIndex { _ in true } == 0)
        #expect([5, 1, 2, 8, 9].suffix(3).partitioningIndex { $0 > 2 } == 3)
    }

    @Test func `only a few of many elements are examined`() {
        var looks = 0
        let place = (0..<1_000_000).partitioningIndex {
            looks += 1
            return $0 >= 777_777
        }
        #expect(place == 777_777 && looks <= 20)
    }
}
