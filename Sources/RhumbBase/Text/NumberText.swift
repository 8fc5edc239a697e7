extension Double {
    /// Returns the number rounded to this many decimals; unchanged if it has more than 15 digits then.
    package func rounded(_ decimals: Int) -> Double {
        let scale = Double.tens(decimals), units = self * scale
        return units.magnitude < 1e15 ? units.rounded() / scale : self
    }

    /// Returns the number with this many decimals and without an exponent; "?" for NaN and for numbers with
    /// more than 18 digits.
    public func decimals(_ count: Int) -> String {
        let units = (self * Double.tens(count)).rounded()
        return units.magnitude < 1e18 ? Double.text(Int(units), count) : "?"
    }

    /// Returns the number with this many decimals, or without decimals and with thousands separators from
    /// 1,000; "?" for NaN and for numbers with more than 18 digits.
    public func grouped(_ count: Int) -> String {
        let whole = rounded()
        guard whole.magnitude >= 1000, whole.magnitude < 1e18 else { return decimals(count) }
        return AmountText.count(Int(whole))
    }

    /// Returns the number, limited to ±1e11, with at most this many decimals and without an exponent, as
    /// used in addresses; "0" for NaN.
    package func plain(_ decimals: Int = 6) -> String {
        var units = Int(clamping: Swift.min(Swift.max(self, -1e11), 1e11) * Double.tens(decimals))
        var count = decimals
        while count > 0, units.isMultiple(of: 10) {
            units /= 10
            count -= 1
        }
        return Double.text(units, count)
    }

    /// Returns a power of ten with an exponent of 0…15; others are limited to it.
    package static func tens(_ exponent: Int) -> Double {
        (0..<Swift.min(Swift.max(exponent, 0), 15)).reduce(1) { power, _ in power * 10 }
    }

    private static func text(_ units: Int, _ decimals: Int) -> String {
        guard decimals > 0 else { return "\(units)" }
        let (whole, rest) = abs(units).quotientAndRemainder(dividingBy: Int(tens(decimals)))
        return "\(units < 0 ? "-" : "")\(whole).\(rest.digits(decimals))"
    }
}

extension FixedWidthInteger {
    /// Returns the number with at least this many digits.
    package func digits(_ count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(magnitude, radix: radix, uppercase: uppercase)
        let zeros = String(repeating: "0", count: Swift.max(count - digits.utf8.count, 0))
        return (self < 0 ? "-" : "") + zeros + digits
    }
}
