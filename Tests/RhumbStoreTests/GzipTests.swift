import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests data that is unpacked at once against the same data unpacked piece by piece, by another library.
struct GzipTests {
    private static let sizes = [0, 1, 300, 511, 4096, 70_000, 300_000]

    private static func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix(seed: UInt64(count))
        return (0..<count).map { $0 % 7 == 0 ? UInt8(random.next() & 15) : UInt8(truncatingIfNeeded: $0 / 9) }
    }

    /// Returns the bytes as zlib data (RFC 1950).
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let sum = b << 16 | a
        return [0x78, 0x9C] + Gzip.packed(bytes).dropFirst(10).dropLast(8)
            + [24, 16, 8, 0].map { UInt8(sum >> $0 & 255) }
    }

    private static func inPieces(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], Gzip.Failure> {
        Result { () throws(Gzip.Failure) in
            var all: [UInt8] = []
            try Gzip.unpack(bytes, limit: limit) {
                all += $0
                return true
            }
            return all
        }
    }

    private static func atOnce(_ bytes: [UInt8], limit: Int) -> Result<[UInt8], Gzip.Failure> {
        Result { () throws(Gzip.Failure) in try Gzip.unpacked(bytes, limit: limit) }
    }

    @Test(arguments: sizes)
    func `packed data is unpacked to the same bytes, up to the limit`(size: Int) throws {
        let bytes = Self.bytes(size)
        for packed in [Gzip.packed(bytes), Self.zlib(bytes)] {
            #expect(try Gzip.unpacked(packed) == bytes)
            #expect(try Gzip.unpacked(packed, limit: size) == bytes)
            if size > 0 {
                #expect(throws: Gzip.Failure.tooLarge) { try Gzip.unpacked(packed, limit: size - 1) }
            }
        }
        let joined = Gzip.packed(bytes) + Gzip.packed([7, 8, 9])
        #expect(try Gzip.unpacked(joined) == bytes + [7, 8, 9])
    }

    @Test(arguments: sizes)
    func `damaged data fails, or not, the same in both ways`(size: Int) {
        var random = SplitMix(seed: UInt64(size))
        for whole in [Gzip.packed(Self.bytes(size)), Self.zlib(Self.bytes(size))] {
            for step in 0..<60 {
                var damaged = whole
                switch step % 4 {
                case 0: damaged[Int(random.next() % UInt64(whole.count))] ^= UInt8(1 << (random.next() % 8))
                case 1: damaged.removeLast(Int(random.next() % UInt64(whole.count)))
                case 2: damaged += (0...random.next() % 20).map { _ in UInt8(random.next() & 255) }
                default: damaged[whole.count - 1 - Int(random.next() % 4)] = UInt8(random.next() & 255)
                }
                #expect(Self.atOnce(damaged, limit: 1 << 20) == Self.inPieces(damaged, limit: 1 << 20))
            }
        }
    }
}
