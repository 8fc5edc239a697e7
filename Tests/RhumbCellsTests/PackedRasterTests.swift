import RhumbCore
import RhumbTestSupport
import Testing

struct PackedRasterTests {
    private static let width = 600, height = 40

    /// Returns a raster with runs of one colour within the rows, of these lengths in random order.
    private static func raster(
        _ lengths: [Int], seed: UInt64 = 1, alphas: [UInt8] = [255]
    ) throws -> Raster {
        var random = SplitMix(seed: seed), pixels: [UInt8] = []
        while pixels.count < width * height * 4 {
            let colour = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
            let length = lengths.randomElement(using: &random) ?? 1
            let alpha = alphas.randomElement(using: &random) ?? 255
            for _ in 0..<length { pixels += colour + [alpha] }
        }
        return try #require(
            Raster(width: width, height: height, pixels: Array(pixels.prefix(width * height * 4))))
    }

    /// Returns the drawing of a raster at several places and sizes.
    private static func drawn(
        _ raster: Raster, _ box: FixedPointRect, part: FixedPointRect? = nil, strength: Float = 1
    ) -> [SIMD4<Float>] {
        var picture = Picture(columns: 30, rows: 9, symbols: [.sextant, .quadrant, .half])
        picture.draw(raster, at: box, part: part, strength: strength)
        return (0..<picture.height).flatMap { row in (0..<picture.width).map { picture[row, $0] } }
    }

    @Test(arguments: [[1, 2, 3, 30], [256], [257, 512, 600], [5, 6, 7], [24_000], [1, 8]])
    func `a packed raster has the same pixels`(lengths: [Int]) throws {
        let plain = try Self.raster(lengths), packed = plain.packed()
        #expect(!packed.isIdentical(to: plain) && packed.isIdentical(to: packed))
        #expect(packed.pixels == plain.pixels)
        #expect(packed == plain && plain == packed && packed == plain.packed())
        #expect(packed.isOpaque && packed.byteCount >= plain.byteCount / 2)
    }

    private static let alphas: [UInt8] = [0, 0, 1, 77, 128, 254, 255]

    @Test(arguments: [[3, 4, 30], [256], [257, 512, 600]])
    func `a packed transparent raster has the same pixels, and counts as what it takes`(
        lengths: [Int]
    ) throws {
        let plain = try Self.raster(lengths, alphas: Self.alphas), packed = plain.packed()
        #expect(!packed.isIdentical(to: plain) && packed.pixels == plain.pixels && packed == plain)
        #expect(!packed.isOpaque && packed.byteCount < plain.byteCount / 2)
        #expect(try packed != Self.raster(lengths).packed())
    }

    @Test func `packed rasters of different pixels differ`() throws {
        let one = try Self.raster([5, 50]), other = try Self.raster([5, 50], seed: 2)
        #expect(
            one.packed() != other.packed() && one.packed() != other
                && !one.packed().isIdentical(to: other.packed()))
    }

    @Test func `noise and transparent pixels stay unchanged`() throws {
        let noise = try Self.raster([1]),
            clear = try #require(Raster(width: 8, height: 8, pixels: [UInt8](repeating: 0, count: 256)))
        #expect(noise.packed().isIdentical(to: noise))
        #expect(clear.packed().isIdentical(to: clear))
    }

    @Test(arguments: [[1, 2, 3, 30], [300], [2, 3, 5]], [[255], alphas])
    func `a packed raster is drawn exactly as the plain one`(lengths: [Int], alphas: [UInt8]) throws {
        let plain = try Self.raster(lengths, alphas: alphas), packed = plain.packed(),
            one = FixedPointRect.one
        try #require(!packed.isIdentical(to: plain))
        let whole = FixedPointRect(x0: 0, y0: 0, x1: 30 * one, y1: 9 * one)
        let outside = FixedPointRect(
            x0: -7 * one - 999, y0: -one / 3, x1: 21 * one + 12_345, y1: 5 * one + 77)
        let enlarged = FixedPointRect(x0: -900 * one, y0: -30 * one, x1: 800 * one, y1: 70 * one)
        let part = FixedPointRect(x0: 33 * one + 5, y0: 3 * one, x1: 301 * one + 9, y1: 29 * one + 1)
        for box in [whole, outside, enlarged] {
            #expect(Self.drawn(packed, box) == Self.drawn(plain, box))
            #expect(
                Self.drawn(packed, box, part: part, strength: 0.25)
                    == Self.drawn(plain, box, part: part, strength: 0.25))
        }
    }
}
