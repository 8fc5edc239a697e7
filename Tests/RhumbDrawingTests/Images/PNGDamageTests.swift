import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Damaged PNG` {
    private let decoder = SniffingDecoder()
    private static let fixture = PNGFixture(.indexed, depth: 4, width: 7, height: 5)

    private func failure(_ bytes: [UInt8], limits: ImageLimits = .tile) -> ImageFailure? {
        do throws(ImageFailure) {
            _ = try decoder.decode(bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func file(
        _ change: (inout [(String, [UInt8])]) -> Void, of fixture: PNGFixture = fixture
    ) -> [UInt8] {
        var chunks = fixture.chunks
        change(&chunks)
        return PNGFixture.file(chunks)
    }

    @Test func `a file truncated anywhere is rejected`() {
        let whole = Self.fixture.bytes
        #expect(failure(whole) == nil)
        for count in whole.indices {
            #expect(failure(Array(whole.prefix(count))) != nil, "cut after \(count) bytes")
        }
    }

    @Test func `a file that ends in its header is reported as damaged`() {
        for bytes in [Array(Self.fixture.bytes.prefix(20)), [0x89] + Array("PNG garbage".utf8)] {
            guard case .corrupt(kind: "PNG", _) = failure(bytes) else {
                Issue.record("\(String(describing: failure(bytes)))")
                continue
            }
        }
        #expect(
            failure(Array(Self.fixture.bytes.prefix(20))) == .corrupt(kind: "PNG", reason: "truncated"))
    }

    @Test func `any single flipped bit is detected`() {
        let whole = Self.fixture.bytes
        for at in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[at] ^= 1 << UInt8(bit)
                #expect(failure(bytes) != nil, "byte \(at), bit \(bit)")
            }
        }
    }

    @Test func `an invalid checksum is stated as the reason`() {
        var bytes = Self.fixture.bytes
        bytes[bytes.count - 13] ^= 1  // the last byte of IDAT's checksum
        #expect(failure(bytes) == .corrupt(kind: "PNG", reason: "invalid chunk checksum"))
    }

    @Test func `an invalid checksum in a chunk without pixels counts, too`() {
        var bytes = file { $0.insert(("tEXt", Array("Title\0Map".utf8)), at: 1) }
        #expect(failure(bytes) == nil)
        bytes[PNGFixture.signature.count + 25 + 8] ^= 1  // the first letter of the text
        #expect(failure(bytes) == .corrupt(kind: "PNG", reason: "invalid chunk checksum"))
    }

    @Test func `too little image data is rejected`() {
        let bytes = file { chunks in
            for at in chunks.indices where chunks[at].0 == "IDAT" {
                chunks[at].1 = zlibStored([0, 1, 2, 3, 4])
            }
        }
        guard case .corrupt(kind: "PNG", _) = failure(bytes) else {
            Issue.record("decoded, or refused for another reason")
            return
        }
    }

    @Test func `a palette missing from an indexed image is rejected`() {
        #expect(failure(file { $0.removeAll { $0.0 == "PLTE" } }) != nil)
    }

    @Test func `a sample beyond the palette is opaque black`() throws {
        let bytes = file { chunks in
            for at in chunks.indices where chunks[at].0 == "PLTE" { chunks[at].1 = [1, 2, 3] }
        }
        let raster = try decoder.decode(bytes, limits: .tile)
        for at in 0..<Self.fixture.width {
            let isNamed = Self.fixture.sample(at, 0, 0) == 0
            #expect(pixel(raster, at, 0) == (isNamed ? [1, 2, 3, 255] : [0, 0, 0, 255]))
        }
    }

    @Test(arguments: [(60000, 60000), (4097, 1), (1, 4097), (0x7FFF_FFFF, 0x7FFF_FFFF)])
    func `a header with too many pixels is rejected before memory is allocated`(
        width: Int, height: Int
    ) {
        var bomb = Self.fixture
        bomb.width = width
        bomb.height = height
        let bytes = PNGFixture.file([
            ("IHDR", bomb.header), ("PLTE", [0, 0, 0]), ("IDAT", zlibStored([0])), ("IEND", []),
        ])
        #expect(failure(bytes) == .tooLarge(width: width, height: height, limit: 4096))
    }

    @Test(arguments: [(0, 1), (1, 0), (0x8000_0000, 1)])
    func `a size that the standard forbids is damage`(width: Int, height: Int) {
        var fixture = Self.fixture
        fixture.width = width
        fixture.height = height
        let bytes = PNGFixture.file([("IHDR", fixture.header), ("IEND", [])])
        guard case .corrupt(kind: "PNG", _) = failure(bytes) else {
            Issue.record("decoded, or refused for another reason")
            return
        }
    }

    @Test func `a text that decompresses to more than the limit is rejected`() throws {
        // 32 MiB in few bytes: the image data of a uniform picture, disguised as text.
        let even = Raster(width: 4096, height: 2048, filledWith: RGB(0))
        let packed = contents(of: "IDAT", in: try PNGEncoder.encode(even))
        #expect(packed.count < 1 << 17)
        let bytes = file { $0.insert(("zTXt", Array("Title\0\0".utf8) + packed), at: 1) }
        #expect(failure(bytes) == .corrupt(kind: "PNG", reason: "reached chunk/cache limits"))
    }

    private func contents(of type: String, in file: [UInt8]) -> [UInt8] {
        var (at, contents): (Int, [UInt8]) = (8, [])
        while at + 12 <= file.count {
            let end = at + 8 + file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            if file[at + 4..<at + 8].elementsEqual(type.utf8) { contents += file[at + 8..<end] }
            at = end + 4
        }
        return contents
    }

    @Test func `a file larger than the limit is rejected without reading it`() {
        let bytes = Self.fixture.bytes
        let fits = bytes.count
        let over = bytes.count - 1
        #expect(failure(bytes, limits: ImageLimits(side: 7, bytes: fits)) == nil)
        #expect(
            failure(bytes, limits: ImageLimits(side: 7, bytes: over))
                == .tooManyBytes(count: fits, limit: over))
        #expect(
            failure(bytes, limits: ImageLimits(side: 6, bytes: fits))
                == .tooLarge(width: 7, height: 5, limit: 6))
    }
}
