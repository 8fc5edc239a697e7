/// A 64-bit hash for finding equal bodies in a store. Equality of the bytes decides.
enum BodyHash {
    /// Returns the hash of a body. Four independent lanes let the processor work in parallel.
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

    /// Returns true if a row's hash matches its body, in the current format or that of earlier releases.
    static func fits(_ hash: Int?, _ body: [UInt8]) -> Bool {
        hash == of(body) || hash == ContentHash(body).half
    }
}
