/// The 64-bit hash function of Fowler, Noll and Vo, variant 1a. Not safe against deliberate collisions.
public enum FNV1a {
    /// Returns the hash of bytes.
    public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
