/// A mask of eight numbers, in which every number has all bits set or none.
typealias Mask8 = SIMDMask<SIMD8<Int32>>

/// Choices between eight numbers at once. They combine bits, because the standard library's `replace` tests
/// the sign of the mask first, and its `clamped` and `pointwiseMin` handle each number by itself.
extension SIMD8<Float> {
    /// Returns the numbers where the mask is set, and 0 elsewhere.
    @inline(__always)
    func only(where mask: Mask8) -> SIMD8<Float> {
        unsafeBitCast(bits & unsafeBitCast(mask, to: SIMD8<Int32>.self), to: SIMD8<Float>.self)
    }

    /// Returns the other numbers where the mask is set, and these elsewhere.
    @inline(__always)
    func exchanged(for other: SIMD8<Float>, where mask: Mask8) -> SIMD8<Float> {
        unsafeBitCast(bits.exchanged(for: other.bits, where: mask), to: SIMD8<Float>.self)
    }

    /// Returns the numbers within limits.
    @inline(__always)
    func limited(to lowest: Float, _ highest: Float) -> SIMD8<Float> {
        let least = exchanged(for: SIMD8(repeating: lowest), where: self .< lowest)
        return least.exchanged(for: SIMD8(repeating: highest), where: least .> highest)
    }

    /// The nearest whole numbers; ties go to the even one. A sum beyond 2^23 leaves a Float no bits for
    /// fractions. Converting to integers and back is many times slower.
    @inline(__always)
    var roundedToWhole: SIMD8<Float> { (self + 12_582_912) - 12_582_912 }

    /// The nearest integers of numbers from 0 to 2^22, from the last bits of the fraction of a larger number.
    @inline(__always)
    var nearestIntegers: SIMD8<Int32> { (self + 12_582_912).bits & 0x3F_FFFF }

    @inline(__always)
    private var bits: SIMD8<Int32> { unsafeBitCast(self, to: SIMD8<Int32>.self) }
}

extension SIMD8<Int32> {
    /// A mask of the numbers that have a bit set. Comparisons handle each number by itself.
    @inline(__always)
    func hasBit(_ bit: Int) -> Mask8 {
        unsafeBitCast((self &<< Int32(truncatingIfNeeded: 31 - bit)) &>> 31, to: Mask8.self)
    }

    /// Returns the numbers where the mask is set, and 0 elsewhere.
    @inline(__always)
    func only(where mask: Mask8) -> SIMD8<Int32> { self & unsafeBitCast(mask, to: SIMD8<Int32>.self) }

    /// Returns the other numbers where the mask is set, and these elsewhere.
    @inline(__always)
    func exchanged(for other: SIMD8<Int32>, where mask: Mask8) -> SIMD8<Int32> {
        self ^ ((self ^ other) & unsafeBitCast(mask, to: SIMD8<Int32>.self))
    }
}
