import RhumbCore
@testable import RhumbDrawing
import RhumbTestSupport
import Testing

/// Tests the check of pictures that are not drawn.
struct PNGCheckTests {
    private func verdict(_ body: () throws -> Void) -> Bool { (try? body()) != nil }

    private func agrees(_ bytes: [UInt8]) -> Bool {
        let decoder = SniffingDecoder()
        return verdict { try decoder.check(bytes, limits: .tile) }
            == verdict { _ = try decoder.decode(bytes, limits: .tile) }
    }

    @Test func `sound pictures of every kind pass`() throws {
        for var fixture in PNGFixture.allCombinations(width: 17, height: 9) {
            fixture.filters = [0, 1, 2, 3, 4]
            for isInterlaced in [false, true] {
                fixture.isInterlaced = isInterlaced
                try SniffingDecoder().check(fixture.bytes, limits: .tile)
            }
        }
    }

    @Test func `a damaged picture is judged as when it is decoded`() {
        var random = SplitMix(seed: 46)
        for fixture in PNGFixture.allCombinations(width: 40, height: 30) {
            let sound = fixture.bytes
            for _ in 0..<60 {
                var bytes = sound
                bytes[Int.random(in: bytes.indices, using: &random)] ^= .random(in: 1...255, using: &random)
                #expect(agrees(bytes))
                #expect(agrees(Array(sound.prefix(Int.random(in: 0..<sound.count, using: &random)))))
            }
        }
    }

    @Test(arguments: [(20, 20, UInt8(4), true), (21, 20, 0, false), (19, 20, 0, false), (20, 20, 5, false)])
    func `a wrong number of rows and an unknown filter are found although all checksums are right`(
        declared: Int, stored: Int, filter: UInt8, isSound: Bool
    ) {
        let header = PNGFixture(.trueColour, depth: 8, width: 20, height: declared).header
        let rows = (0..<stored).flatMap { _ in [filter] + [UInt8](repeating: 7, count: 60) }
        let file = PNGFixture.file([("IHDR", header), ("IDAT", zlibStored(rows)), ("IEND", [])])
        #expect(agrees(file))
        if declared >= stored {
            #expect(verdict { try SniffingDecoder().check(file, limits: .tile) } == isSound)
        }
    }
}
