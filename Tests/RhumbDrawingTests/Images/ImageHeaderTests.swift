import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Reading only the header` {
    private static let files: [(ImageKind, Int, Int, [UInt8])] = [
        (.png, 7, 5, PNGFixture(.indexed, depth: 4, width: 7, height: 5).bytes),
        (.png, 300, 1, PNGFixture(.greyAlpha, depth: 16, width: 300, height: 1).bytes),
        (.jpeg, 16, 16, Gradient.jpeg),
        (.jpeg, 16, 16, Gradient.progressiveJPEG),
        (.webp, 16, 16, Gradient.lossyWebP),
        (.webp, 16, 16, Gradient.losslessWebP),
        (.webp, 8, 8, Fade.lossyWebP),
    ]

    @Test(arguments: files.indices) func `kind and size are detected`(index: Int) throws {
        let (kind, width, height, bytes) = Self.files[index]
        let header = try ImageHeader(reading: bytes)
        #expect(header.kind == kind && header.width == width && header.height == height)
    }

    @Test func `the pixels may be missing`() throws {
        let png = PNGFixture(.grey, depth: 8, width: 60, height: 40).bytes.prefix(33)
        #expect(try ImageHeader(reading: Array(png)).width == 60)
        #expect(try ImageHeader(reading: Gradient.jpeg.dropLast(10)).height == 16)
    }

    @Test func `a damaged header is reported as damage`() {
        var png = PNGFixture(.grey, depth: 8, width: 60, height: 40).bytes
        png[19] = 0
        #expect(throws: ImageFailure.corrupt(kind: "PNG", reason: "invalid image width")) {
            try ImageHeader(reading: png)
        }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        #expect(
            throws: ImageFailure.corrupt(kind: "JPEG", reason: "no image in the file")
        ) { try ImageHeader(reading: jpeg) }
    }
}
