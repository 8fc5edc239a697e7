/// 64 bits by which a store finds the bodies that may equal one; their bytes decide.
enum BodyHash {
    /// Four words at a time, each on its own, so that the processor works on all of them at once.
    static func of(_ body: [UInt8]) -> Int {
        body.withUnsafeBytes { bytes in
            var lanes = SIMD4<UInt64>(
                0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93, 0xA076_1D64_78BD_642F, UInt64(bytes.count))
            var at = 0
            while at + 32 <= bytes.count {
                for lane in 0..<4 {
                    lanes[lane] = ContentHash.mixed(
                        lanes[lane] ^ bytes.loadUnaligned(fromByteOffset: at + 8 * lane, as: UInt64.self))
                }
                at += 32
            }
            for byte in bytes[at...] { lanes[0] = ContentHash.mixed(lanes[0] ^ UInt64(byte)) }
            let sum = (1..<4).reduce(lanes[0]) { ContentHash.mixed($0 &+ lanes[$1]) }
            return Int(truncatingIfNeeded: sum)
        }
    }

    /// Returns true if a hash belongs to a body, as computed now or by earlier releases.
    static func fits(_ hash: Int?, _ body: [UInt8]) -> Bool {
        hash == of(body) || hash == ContentHash(body).half
    }
}
