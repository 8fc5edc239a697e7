import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Decoding WebP` {
    private let decoder = SniffingDecoder()

    @Test func `a lossless file decodes to the exact picture`() throws {
        let raster = try decoder.decode(Gradient.losslessWebP, limits: .tile)
        expect(raster, side: 16, within: 0, row: gradientRow)
        #expect(raster.isOpaque)
    }

    @Test func `a lossy file decodes to nearly the same picture`() throws {
        let raster = try decoder.decode(Gradient.lossyWebP, limits: .tile)
        expect(raster, side: 16, within: 24, row: gradientRow)
    }

    @Test(arguments: [Fade.losslessWebP, Fade.lossyWebP])
    func `alpha is straight, not premultiplied`(bytes: [UInt8]) throws {
        let raster = try decoder.decode(bytes, limits: .tile)
        #expect(!raster.isOpaque)
        for y in 0..<7 {
            let distance = zip(pixel(raster, 3, y), fadeRow(y)).map { abs($0 - $1) }.max() ?? 255
            #expect(distance <= 3, "row \(y)")
        }
        #expect(pixel(raster, 3, 7)[3] == 0)
    }

    @Test func `an animation is rejected by name`() {
        #expect(throws: ImageFailure.unsupported(kind: "animated WebP")) {
            try decoder.decode(Animation.webp, limits: .tile)
        }
    }

    @Test(arguments: [
        Gradient.losslessWebP, Gradient.lossyWebP, Fade.losslessWebP, Fade.lossyWebP,
    ])
    func `a file truncated anywhere is rejected`(whole: [UInt8]) {
        for count in whole.indices {
            #expect(throws: ImageFailure.self, "cut after \(count) bytes") {
                try decoder.decode(Array(whole.prefix(count)), limits: .tile)
            }
        }
    }

    @Test func `a file truncated in its pixels is reported as truncated`() {
        #expect(throws: ImageFailure.corrupt(kind: "WebP", reason: "truncated")) {
            try decoder.decode(Gradient.lossyWebP.dropLast(1), limits: .tile)
        }
    }

    @Test func `a picture over the limit is rejected`() {
        #expect(throws: ImageFailure.tooLarge(width: 16, height: 16, limit: 15)) {
            try decoder.decode(
                Gradient.losslessWebP, limits: ImageLimits(side: 15, bytes: 1 << 20))
        }
    }
}
