import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Bytes changed at random` {
    private static let files = [
        PNGFixture(.trueColourAlpha, depth: 8, width: 9, height: 9).bytes, Gradient.jpeg,
        Gradient.progressiveJPEG, Gradient.greyJPEG, Gradient.cmykJPEG, Gradient.lossyWebP,
        Gradient.losslessWebP, Fade.lossyWebP, Animation.webp,
    ]
    private static let limits = ImageLimits(side: 64, bytes: 4096)

    /// Decodes bytes, and checks a resulting picture against its header and the limits. Returns true if there
    /// is one.
    private func decodes(_ bytes: [UInt8], _ seed: UInt64) throws -> Bool {
        do throws(ImageFailure) {
            let raster = try SniffingDecoder().decode(bytes, limits: Self.limits)
            let header = try ImageHeader(reading: bytes)
            #expect(raster.width == header.width && raster.height == header.height, "seed \(seed)")
            #expect(max(raster.width, raster.height) <= Self.limits.side, "seed \(seed)")
            return true
        } catch {
            #expect(!error.description.isEmpty)
            return false
        }
    }

    @Test(arguments: files.indices)
    func `decoding never crashes, and every picture obeys header and limits`(index: Int) throws {
        let seed = SplitMix.anySeed
        print("file \(index): RHUMB_TEST_SEED=\(seed)")
        var noise = SplitMix(seed: seed)
        let whole = Self.files[index]
        var refused = 0
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &noise) {
                let at = Int.random(in: bytes.indices, using: &noise)
                bytes[at] = UInt8.random(in: 0...255, using: &noise)
            }
            if try !decodes(bytes, seed) { refused += 1 }
        }
        #expect(refused > 0, "seed \(seed)")
    }
}
