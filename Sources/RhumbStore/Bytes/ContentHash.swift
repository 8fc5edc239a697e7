/// A 128-bit hash that identifies bodies. Not secure against crafted collisions.
package struct ContentHash: Hashable, CustomStringConvertible {
    let high: UInt64
    private let low: UInt64

    package init(_ bytes: [UInt8]) {
        var a: UInt64 = 0x9E37_79B9_7F4A_7C15, b = UInt64(bytes.count) &* 0xD6E8_FEB8_6659_FD93
        func take(_ word: UInt64) {
            a = ContentHash.mixed(a ^ word)
            b = ContentHash.mixed((b << 29 | b >> 35) &+ word &* 0xA076_1D64_78BD_642F)
        }
        bytes.withUnsafeBytes { bytes in
            let whole = bytes.count & ~7
            for at in stride(from: 0, to: whole, by: 8) {
                take(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            }
            take(bytes[whole...].reduce(1) { $0 << 8 | UInt64($1) })
        }
        high = ContentHash.mixed(a &+ b)
        low = ContentHash.mixed(b ^ (a << 32 | a >> 32))
    }

    /// The hash in hexadecimal.
    package var description: String { String(high, radix: 16) + "-" + String(low, radix: 16) }

    /// Returns a scrambled value. The mapping is one to one.
    static func mixed(_ value: UInt64) -> UInt64 {
        let product = (value ^ value >> 32) &* 0xE703_7ED1_A0B4_28DB
        return product ^ product >> 29
    }
}
