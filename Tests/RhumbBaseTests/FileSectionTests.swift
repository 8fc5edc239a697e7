import RhumbBase
import Testing

struct FileSectionTests {
    private func groups(_ sections: [FileSection], gap: UInt64, limit: UInt64 = 1000) -> [[UInt64]] {
        FileSection.groups(of: sections, gap: gap, limit: limit) { $0 }.map { $0.items.map(\.offset) }
    }

    @Test func `sections are read together up to a gap, in the order of the file`() {
        let sections = [30, 0, 10].map { FileSection(offset: $0, length: 10) }
        #expect(groups(sections, gap: 10) == [[0, 10, 30]])
        #expect(groups(sections, gap: 9) == [[0, 10], [30]])
        #expect(groups(sections, gap: 0) == [[0, 10], [30]])
    }

    @Test func `a group ends at its limit, unless a single section is longer`() {
        let sections = [0, 10, 20].map { FileSection(offset: $0, length: 10) }
        #expect(groups(sections, gap: 100, limit: 20) == [[0, 10], [20]])
        #expect(groups(sections, gap: 100, limit: 19) == [[0], [10], [20]])
        let long = FileSection(offset: 0, length: 500), inside = FileSection(offset: 100, length: 5)
        #expect(groups([long, inside], gap: 0, limit: 10) == [[0, 100]])
    }
}
