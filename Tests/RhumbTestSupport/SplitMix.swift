internal import Glibc

/// The generator SplitMix64, which returns the same numbers for the same seed.
public struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// The seed in RHUMB_TEST_SEED, which repeats a run, or a new seed each time.
    public static var anySeed: UInt64 {
        let given = getenv("RHUMB_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        return given ?? UInt64.random(in: 0...UInt64.max)
    }
}
