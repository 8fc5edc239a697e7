import Rhumb
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests which bodies may be stored as tiles, by their kind.
struct TileValidatorTests {
    private let picture = fakePicture(.world, side: 256)
    private let vectorTile = VectorTileFixture([("roads", [.init(.line, through: [(0, 0), (9, 9)])])]).bytes

    @Test(arguments: [TileValidator.Depth.structure, .content])
    func `valid bodies of the expected kind have no faults`(depth: TileValidator.Depth) {
        for side in [1, 256, 257] {
            let picture = blankPicture(RGB(0x336699), side: side)
            #expect(TileValidator(.picture, depth: depth).fault(in: picture) == nil)
        }
        for body in [vectorTile, Gzip.packed(vectorTile), []] {
            #expect(TileValidator(.vectorTile, depth: depth).fault(in: body) == nil)
        }
    }

    @Test func `an image is checked for its kind and its end`() {
        let tileValidator = TileValidator(.picture)
        let cut = TileDefect.picture(.corrupt(kind: "PNG", reason: "truncated"))
        #expect(tileValidator.fault(in: picture.dropLast(5)) == cut)
        #expect(tileValidator.fault(in: []) == .picture(.empty))
        #expect(tileValidator.fault(in: Array("<html>".utf8)) == .picture(.unsupported(kind: "HTML")))
        #expect(tileValidator.fault(in: vectorTile) == .picture(.unsupported(kind: "unknown")))
        #expect("\(cut)".hasPrefix("damaged image: "))
    }

    @Test(arguments: [TileValidator.Depth.structure, .content])
    func `damage within the pixels of a PNG is found by its checksums`(depth: TileValidator.Depth) {
        var body = picture
        body[body.count - 20] ^= 0x55
        let fault = TileDefect.picture(.corrupt(kind: "PNG", reason: "invalid chunk checksum"))
        #expect(TileValidator(.picture, depth: depth).fault(in: body) == fault)
    }

    @Test func `missing pixels of a PNG are found by checking the content`() {
        let body = PNGFixture.file([
            ("IHDR", bigEndian(256) + bigEndian(256) + [8, 2, 0, 0, 0]), ("IDAT", zlibStored([0])),
            ("IEND", []),
        ])
        #expect(TileValidator(.picture).fault(in: body) == nil)
        #expect(TileValidator(.picture, depth: .content).fault(in: body) != nil)
    }

    @Test func `a vector tile is checked for its kind and its end`() {
        let tileValidator = TileValidator(.vectorTile)
        for body in [picture, vectorTile.dropLast(2), Array("<html>".utf8)] {
            guard case .vectorTile? = tileValidator.fault(in: body) else {
                Issue.record("taken for a vector tile")
                continue
            }
        }
        #expect(tileValidator.fault(in: Gzip.packed(vectorTile).dropLast(9)) == .packing)
    }

    @Test func `a damaged layer is found by checking the content`() {
        let layer = VectorTileFixture.message(1, Array("roads".utf8)) + VectorTileFixture.varint(5 << 3) + [0]
        let body = VectorTileFixture.message(3, layer)
        #expect(TileValidator(.vectorTile).fault(in: body) == nil)
        #expect(TileValidator(.vectorTile, depth: .content).fault(in: body) != nil)
    }
}
