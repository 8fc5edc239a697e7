import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct PMTilesFormatTests {
    static let numbers: [(Int, Int, Int, UInt64)] = [
        (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5), (2, 1, 0, 6),
        (2, 3, 3, 15), (3, 5, 2, 76), (12, 3423, 1763, 19_078_479), (14, 8575, 5735, 317_488_831),
        (20, 1_048_575, 0, 1_466_015_503_700), (26, 67_108_863, 67_108_863, 4_503_599_627_370_495),
    ]

    @Test(arguments: numbers)
    func `a tile has the number defined by the format`(zoom: Int, x: Int, y: Int, number: UInt64) {
        #expect(TileID(zoom: zoom, x: x, y: y)?.hilbertID == number)
        #expect(TileID(hilbertID: number) == TileID(zoom: zoom, x: x, y: y))
    }

    @Test func `tile numbers round-trip, and children follow the order of their parents`() throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<5000 {
            let zoom = Int.random(in: 1...30, using: &random), side = 1 << zoom
            let x = Int.random(in: 0..<side, using: &random), y = Int.random(in: 0..<side, using: &random)
            let tile = try #require(TileID(zoom: zoom, x: x, y: y))
            #expect(TileID(hilbertID: tile.hilbertID) == tile)
            let place = tile.hilbertID - TileID.firstHilbertID(zoom: zoom)
            #expect(tile.parent?.hilbertID == TileID.firstHilbertID(zoom: zoom - 1) + place / 4)
        }
        #expect(TileID(hilbertID: .max) == nil)
    }

    @Test func `the header has the bytes defined by the format and is read back`() {
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: 25)
        header.metadata = .init(offset: 152, length: 30)
        header.leaves = .init(offset: 0, length: 0)
        header.tiles = .init(offset: 182, length: 220)
        header.addressedTiles = 7
        header.tileEntries = 4
        header.tileContents = 3
        header.maxZoom = 2
        header.bounds = [-1_800_000_000, -850_511_287, 1_800_000_000, 850_511_287]
        header.center = [134_050_000, 525_200_000]
        header.leaves = .init(offset: 0, length: 0)
        let expected: [UInt8] = [
            0x50, 0x4D, 0x54, 0x69, 0x6C, 0x65, 0x73, 3, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0x19, 0, 0, 0, 0, 0, 0, 0,
            0x98, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0,
            0xB6, 0, 0, 0, 0, 0, 0, 0, 0xDC, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0,
            0,
            3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 2, 0, 2, 0, 0x2E, 0xB6, 0x94, 0x49, 0x3A, 0x4E, 0xCD, 0, 0xD2,
            0x49, 0x6B, 0xB7, 0xC5, 0xB1, 0x32, 0, 0xD0, 0x70, 0xFD, 7, 0x80, 0xEA, 0x4D, 0x1F,
        ]
        #expect(header.bytes == expected)
        #expect(PMTilesHeader(expected) == header)
        #expect(PMTilesHeader(Array(expected.dropLast())) == nil)
    }

    static let directory: [UInt8] = [4, 0, 1, 4, 1, 1, 3, 1, 2, 0x64, 0x32, 0x46, 0x64, 1, 0, 0, 1]

    @Test func `a directory has the bytes defined by the format and is read back`() throws {
        let directory = PMTilesDirectory([
            .init(id: 0, run: 1, length: 100, offset: 0), .init(id: 1, run: 3, length: 50, offset: 100),
            .init(id: 5, run: 1, length: 70, offset: 150), .init(id: 6, run: 2, length: 100, offset: 0),
        ])
        #expect(directory.encoded == Self.directory)
        #expect(try PMTilesDirectory(decoding: Self.directory) == directory)
    }

    @Test(
        arguments: [
            [], [0x80], [1, 0, 1, 1, 0], [1, 0, 1, 1, 1, 9],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [200, 1, 0],
            [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1, 1, 1],
            [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 1, 1],
            [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 1, 1],
        ] as [[UInt8]])
    func `an invalid directory is rejected`(bytes: [UInt8]) {
        #expect(throws: Varints.Failure.self) { try PMTilesDirectory(decoding: bytes) }
    }

    @Test func `a repeated tile id is read`() throws {
        let directory = try PMTilesDirectory(decoding: [2, 3, 0, 1, 1, 4, 5, 1, 0])
        #expect(directory.entries.map(\.id) == [3, 3] && directory.entry(for: 3)?.length == 5)
    }

    @Test func `a truncated directory is rejected`() {
        for length in Self.directory.indices {
            #expect(throws: Varints.Failure.self) {
                try PMTilesDirectory(decoding: Array(Self.directory[..<length]))
            }
        }
    }

    @Test func `varints have the bytes defined by the format`() throws {
        for (value, expected) in [
            (624_485, [0xE5, 0x8E, 0x26]), (300, [0xAC, 2]),
            (UInt64.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
        ]
            as [(UInt64, [UInt8])]
        {
            var bytes: [UInt8] = []
            bytes.append(varint: value)
            #expect(bytes == expected)
            var reading = Varints(bytes)
            #expect(try reading.next("it") == value)
        }
    }
}
