extension FixedWidthInteger where Self: SignedInteger {
    /// Returns the sum, or the nearest bound if it overflows.
    package func saturatingAdd(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// Returns the difference, or the nearest bound if it overflows.
    package func saturatingSubtract(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }

    /// Returns the product, or the nearest bound if it overflows.
    package func saturatingMultiply(_ other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}

extension Int {
    /// Creates the Int nearest to a number; 0 for NaN. It is meant for every number from a file, a server or
    /// the user, and for results of arithmetic on them, because `Int(_:)` ends the program for NaN and for
    /// numbers out of range.
    @inlinable
    package init(clamping value: Double) {
        self = value.isNaN ? 0 : value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int(value.rounded())
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// Returns the quotient rounded down, and the remainder, which isn't negative. The
    /// divisor must be positive.
    @inlinable
    package func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension FixedWidthInteger {
    /// Creates the integer nearest to a number within the range of Int; 0 for NaN.
    @inlinable
    package init(clamping value: Double) { self.init(clamping: Int(clamping: value)) }
}
