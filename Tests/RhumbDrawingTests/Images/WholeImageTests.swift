import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Whole pictures` {
    private static let pictures = [
        Gradient.jpeg, Gradient.progressiveJPEG, Gradient.greyJPEG, Gradient.lossyWebP, Gradient.losslessWebP,
        PNGFixture(.indexed, depth: 4, width: 7, height: 5).bytes,
    ]

    @Test(arguments: pictures)
    func `a file truncated anywhere is detected without decoding it`(whole: [UInt8]) throws {
        let header = try ImageHeader(ofWhole: whole, limits: .tile)
        #expect(try header == ImageHeader(reading: whole))
        for count in whole.indices {
            #expect(throws: ImageFailure.self, "cut after \(count) bytes") {
                try ImageHeader(ofWhole: Array(whole.prefix(count)), limits: .tile)
            }
        }
    }

    @Test(arguments: pictures)
    func `bytes after the end are ignored`(whole: [UInt8]) throws {
        _ = try ImageHeader(ofWhole: whole + [1, 2, 3], limits: .tile)
    }

    @Test func `any flipped bit of a PNG is detected without decoding it`() {
        let whole = PNGFixture(.indexed, depth: 4, width: 7, height: 5).bytes
        for at in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[at] ^= 1 << UInt8(bit)
                #expect(throws: ImageFailure.self, "byte \(at), bit \(bit)") {
                    try ImageHeader(ofWhole: bytes, limits: .tile)
                }
            }
        }
    }

    @Test func `a picture over the limits is detected without decoding it`() {
        let limits = ImageLimits(side: 8, bytes: 1000)
        #expect(throws: ImageFailure.tooLarge(width: 16, height: 16, limit: 8)) {
            try ImageHeader(ofWhole: Gradient.jpeg, limits: limits)
        }
        #expect(throws: ImageFailure.tooManyBytes(count: 1001, limit: 1000)) {
            try ImageHeader(ofWhole: [UInt8](repeating: 0, count: 1001), limits: limits)
        }
    }

    @Test func `an animation is detected without decoding it`() {
        #expect(throws: ImageFailure.unsupported(kind: "animated WebP")) {
            try ImageHeader(ofWhole: Animation.webp, limits: .tile)
        }
    }
}
