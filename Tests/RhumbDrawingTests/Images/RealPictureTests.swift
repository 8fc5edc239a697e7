import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite(.enabled(if: TestData.isPresent, "set RHUMB_TEST_DATA to the folder of real files"))
struct `Real map tiles` {
    /// Each file with its side in pixels, and the FNV-1a hash of its RGBA pixels as decoded by libpng.
    private static let pictures: [(String, Int, UInt64)] = [
        ("bluemarble_256_z4_8_5.png", 256, 0x7D5F_18A6_8D90_6F2D),
        ("osmcarto_256_z4_8_5.png", 256, 0xD9D1_E2C7_291D_ECDE),
        ("toner_256_z3_4_2.png", 256, 0xD142_275A_B667_1D9A),
        ("usgstopo_512_z8_43_100.png", 512, 0x85DD_0B34_A003_D4EB),
    ]

    private func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @Test(arguments: pictures)
    func `they decode to the same pixels as in libpng`(
        name: String, side: Int, pixels: UInt64
    ) throws {
        let bytes = try #require(TestData.bytes(of: "pictures/" + name))
        let header = try ImageHeader(reading: bytes)
        #expect(header.width == side && header.height == side)
        let raster = try SniffingDecoder().decode(bytes, limits: .tile)
        #expect(fingerprint(raster.pixels) == pixels)
        #expect(try SniffingDecoder().decode(PNGEncoder.encode(raster), limits: .tile) == raster)
    }
}
