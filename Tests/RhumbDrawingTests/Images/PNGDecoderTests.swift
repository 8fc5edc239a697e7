import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Decoding PNG` {
    private static let sizes = [(1, 1), (3, 2), (5, 9), (17, 13)]
    private static let combinations = sizes.flatMap { width, height in
        PNGFixture.allCombinations(width: width, height: height)
    }
    private static let keyed = combinations.filter {
        $0.colour != .greyAlpha && $0.colour != .trueColourAlpha
    }

    private func pixels(of fixture: PNGFixture) throws -> [UInt8] {
        let raster = try SniffingDecoder().decode(fixture.bytes, limits: .tile)
        #expect(raster.width == fixture.width && raster.height == fixture.height)
        return raster.pixels
    }

    @Test func `the standard allows fifteen combinations of colour type and depth`() {
        #expect(PNGFixture.allCombinations(width: 1, height: 1).count == 15)
    }

    @Test(arguments: combinations, [false, true])
    func `every colour type, depth and interlace becomes RGBA`(
        fixture: PNGFixture, isInterlaced: Bool
    ) throws {
        var fixture = fixture
        fixture.isInterlaced = isInterlaced
        #expect(try pixels(of: fixture) == fixture.expected)
    }

    @Test(arguments: keyed, [false, true])
    func `a tRNS chunk makes its colour or entries transparent`(
        fixture: PNGFixture, isInterlaced: Bool
    ) throws {
        var fixture = fixture
        fixture.isInterlaced = isInterlaced
        fixture.hasTransparency = true
        #expect(fixture.expected.indices.contains { $0 % 4 == 3 && fixture.expected[$0] < 255 })
        #expect(try pixels(of: fixture) == fixture.expected)
    }

    @Test(arguments: PNGFixture.allCombinations(width: 19, height: 11), [false, true])
    func `every row filter is reversed`(fixture: PNGFixture, isInterlaced: Bool) throws {
        var fixture = fixture
        fixture.isInterlaced = isInterlaced
        fixture.filters = [4, 1, 2, 3, 0]
        #expect(try pixels(of: fixture) == fixture.expected)
    }

    @Test func `image data split over several chunks is one stream`() throws {
        let fixture = PNGFixture(.trueColour, depth: 8, width: 9, height: 7)
        let file = PNGFixture.file(
            fixture.chunks.flatMap { type, contents in
                guard type == "IDAT" else { return [(type, contents)] }
                return contents.map { (type, [$0]) }
            })
        let raster = try SniffingDecoder().decode(file, limits: .tile)
        #expect(raster.pixels == fixture.expected)
    }

    @Test func `the still image of an animated PNG is used`() throws {
        let fixture = PNGFixture(.trueColour, depth: 8, width: 9, height: 7)
        var chunks = fixture.chunks
        chunks.insert(("acTL", [0, 0, 0, 1, 0, 0, 0, 0]), at: 1)
        chunks.insert(("fdAT", [0, 0, 0, 1] + zlibStored([0, 1, 2, 3])), at: chunks.count - 1)
        let raster = try SniffingDecoder().decode(PNGFixture.file(chunks), limits: .tile)
        #expect(raster.pixels == fixture.expected)
    }

    @Test func `an opaque image is distinguished from one with transparency`() throws {
        let opaque = PNGFixture(.trueColour, depth: 8, width: 4, height: 4)
        var keyed = opaque
        keyed.hasTransparency = true
        #expect(try SniffingDecoder().decode(opaque.bytes, limits: .tile).isOpaque)
        #expect(try !SniffingDecoder().decode(keyed.bytes, limits: .tile).isOpaque)
    }
}
