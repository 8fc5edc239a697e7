import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct GazetteerDamageTests {
    @Test func `a file that is not a gazetteer is rejected with a message`() throws {
        for bytes in [[], Array("not a database at all, but long enough to be one".utf8)] as [[UInt8]] {
            let failure = #expect(throws: PlaceSearchFailure.self) {
                try Gazetteer(BuiltGazetteer.kept(bytes), name: "places")
            }
            #expect(failure?.description.contains("places") == true)
        }
        #expect(throws: PlaceSearchFailure.self) { try Gazetteer(file: "/nowhere/places.db") }
    }

    @Test func `opening a gazetteer reads an index, not all places`() throws {
        let connection = try Connection(TestFiles.path("Assets/places.db"), .immutable)
        let plan = try connection.prepare(
            "EXPLAIN QUERY PLAN SELECT first, count, ceiling, west, south, east, north FROM chunk ORDER BY first",
            to: "explain the query")
        #expect(try plan.all { $0.text(3) ?? "" } == ["SCAN chunk USING COVERING INDEX chunk_box"])
    }

    @Test func `a truncated or damaged gazetteer fails or answers but never crashes`() throws {
        let whole = try #require(TestFiles.bytes("Assets/places.db"))
        var random = SplitMix(seed: 11)
        for round in 0..<12 {
            var bytes = whole
            if round % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
            for _ in 0..<2000 {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if place >= 100 { bytes[place] ^= UInt8.random(in: 1...255, using: &random) }
            }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            memory.copyBytes(from: bytes)
            use(MemoryBytes(UnsafeRawBufferPointer(memory)))
            memory.deallocate()
        }
    }

    private func use(_ memory: MemoryBytes) {
        guard let gazetteer = try? Gazetteer(memory, name: "places") else { return }
        for text in ["s", "turku", "lodnon", "東京"] {
            _ = try? gazetteer.places(
                matching: text, near: Coordinate(latitude: 60, longitude: 22), limit: 20)
        }
        _ = try? gazetteer.nearest(to: Coordinate(latitude: 60, longitude: 22), minimumImportance: 0)
        _ = try? gazetteer.places(in: .world, minimumImportance: 0, limit: 500)
    }

    @Test(
        arguments: [
            ([], 1), ([1], 1), ([2, 2, 4, 9], 1),
            ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0, 0], 1),
            ([0x80], 1), ([2, 2, 8], 1),
        ] as [([UInt8], Int)])
    func `numbers that don't describe the stated count of places are rejected`(bytes: [UInt8], count: Int) {
        #expect(PlaceNumbers(bytes, count: count) == nil)
    }

    @Test func `numbers are differences from place to place`() throws {
        // A capital of 5 people at +1.0000 east and -0.5000 north, then a village of 3 people with fame at
        // +0.0001 east and 0 north, then a peak at the same point.
        let bytes: [UInt8] = [0xA0, 0x9C, 0x01, 0x89, 0x4E, 81, 2, 0, 56, 100, 0, 0, 0xA4, 0x94, 0x24]
        let numbers = try #require(PlaceNumbers(bytes, count: 3))
        #expect(
            numbers.longitudes == [1, 1.0001, 1.0001]
                && numbers.latitudes.map { ($0 * 10).rounded() } == [-5, -5, -5])
        #expect(numbers.populations == [5, 3, 0] && numbers.kinds == [.capital, .village, .peak])
        #expect(numbers.importances[2] == 4.628 && numbers.fames == [0, 0.5, 0])
    }

    @Test func `lines without a number or a name are skipped`() {
        let names = PlaceNames(Array("7\tTurku\tÅbo\nx\tTurku\n7\n\n99999999999\tTurku".utf8))
        #expect(names[0]?.region == 7 && names[0]?.others.count == 1)
        let ranked = PlaceNames(Array("7\tTurku\t=Turku\tÅbo\t~Abo\t~~Aboa".utf8))[0]?.others ?? []
        #expect(
            ranked.map(\.rank) == [.local, .common, .rare, .obsolete]
                && ranked.map { String(decoding: $0.name, as: UTF8.self) }.last == "Aboa")
        for index in [-1, 1, 2, 3, 4, 5, 6] { #expect(names[index] == nil) }
    }
}
