import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the order in which the chunks of an index are searched.
struct NearestEntriesTests {
    /// Returns chunks all over the world. Consecutive chunks are close to each other, or scattered.
    private func map(_ count: Int, seed: UInt64, isScattered: Bool) throws -> SearchMap {
        let connection = try Connection("chunks", .inMemory)
        try connection.execute(SearchSchema.statements, to: "make the tables")
        var random = SplitMix(seed: seed), at = (x: 0, y: 0)
        for number in 0..<count {
            if isScattered || number % 90 == 0 { at = (Int(random.next() % 1024), Int(random.next() % 1024)) }
            at = ((at.x + Int(random.next() % 2)) % 1024, (at.y + Int(random.next() % 2)) % 1024)
            let low = (Int(random.next() % 3000), Int(random.next() % 3000))
            try connection.run(
                """
                INSERT INTO chunks (id, source, z, x, y, west, north, east, south, categories)
                VALUES (@id, 1, 10, @x, @y, @west, @north, @east, @south, @categories)
                """,
                [
                    "id": number * 2 + 1, "x": at.x, "y": at.y, "west": low.0, "north": low.1,
                    "east": low.0 + 500, "south": low.1 + 900, "categories": Int(random.next() % 4),
                ])
        }
        var map = SearchMap()
        try map.follow(connection)
        return map
    }

    @Test(arguments: [0, 1, 63, 64, 65, 700], [false, true])
    func `the nearest entries come first, and none is omitted`(count: Int, isScattered: Bool) throws {
        let map = try map(count, seed: UInt64(count) + 5, isScattered: isScattered)
        var random = SplitMix(seed: 3)
        for _ in 0..<20 {
            let point = SIMD2(
                Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
            let found = Array(NearestEntries(map, to: point) { _ in true })
            #expect(Set(found.map(\.entry.id)) == Set(map.entries.map(\.id)) && found.count == count)
            #expect(found.map(\.distance) == map.entries.map { $0.box.distance(from: point) }.sorted())
        }
    }

    @Test func `only requested and wanted entries are returned`() throws {
        let map = try map(500, seed: 8, isScattered: false), point = SIMD2(0.5, 0.5)
        var random = SplitMix(seed: 4)
        for share in [0, 1, 3, 10] {
            // Some of the numbers belong to no chunk.
            let ids = (0..<1100).filter { _ in Int(random.next() % 10) < share }
            let found = Array(NearestEntries(map, among: ids, to: point) { $0.categories & 1 != 0 })
            let wanted = map.entries.filter { ids.contains($0.id) && $0.categories & 1 != 0 }
            #expect(Set(found.map(\.entry.id)) == Set(wanted.map(\.id)) && found.count == wanted.count)
            #expect(found.map(\.distance) == wanted.map { $0.box.distance(from: point) }.sorted())
        }
    }
}

struct MatchQualityTests {
    /// Returns the quality according to its definition, by splitting the name into words.
    private func expected(_ query: NameQuery, _ name: [UInt8]) -> MatchQuality? {
        if name == query.text { return .exact }
        if name.starts(with: query.text) {
            return name[query.text.count] == UInt8(ascii: " ") ? .firstWords : .begins
        }
        let parts = name.split(separator: UInt8(ascii: " "))
        let isWhole = query.words.dropLast().allSatisfy { word in parts.contains { $0.elementsEqual(word) } }
        return isWhole && parts.contains { $0.starts(with: query.words.last ?? []) } ? .words : nil
    }

    @Test func `a name matches by its words, in any position`() {
        var random = SplitMix(seed: 12), fits = 0
        func words(_ most: UInt64) -> [[UInt8]] {
            (0..<1 + random.next() % most).map { _ in
                (0..<1 + random.next() % 3).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 2) }
            }
        }
        for _ in 0..<5000 {
            let query = NameQuery(words(2)), name = Array(words(4).joined(separator: [UInt8(ascii: " ")]))
            #expect(query.fit(name) == expected(query, name), "\(query.text) \(name)")
            if query.fit(name) != nil { fits += 1 }
        }
        #expect(fits > 500)
    }

    @Test func `longer words are known to begin with a word`() {
        let words = ["bel", "bell", "bella", "cedri", "cedro"],
            vocabulary = Vocabulary(Array(words.joined(separator: "\n").utf8))
        for text in words + ["b", "bellas", "c", "cedr", "a", "z", "cedroo"] {
            let isBeginning = words.contains { $0 != text && $0.hasPrefix(text) }
            #expect(vocabulary.isBeginning(Array(text.utf8)) == isBeginning, "\(text)")
        }
    }
}
