internal import RhumbBase

/// The bytes of a text being parsed, without a copy.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer<UInt8> {
    /// Returns a part of the bytes.
    func part(_ range: Range<Int>) -> Bytes { Bytes(rebasing: self[range]) }

    var text: String { String(decoding: self, as: UTF8.self) }

    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount
            && zip(self, UnsafeBufferPointer(start: text.utf8Start, count: count)).allSatisfy(==)
    }

    func begins(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && part(0..<text.utf8CodeUnitCount).equals(text)
    }

    /// The bytes without leading and trailing white space.
    var trimmed: Bytes {
        var low = 0, high = count
        while low < high, self[low] <= 0x20 { low += 1 }
        while high > low, self[high - 1] <= 0x20 { high -= 1 }
        return part(low..<high)
    }

    /// Parses a decimal number such as "-1.5" or "2e3"; nil for anything else and for non-finite numbers.
    /// - Parameter comma: True to accept a comma as the decimal separator.
    func number(comma: Bool = false) -> Double? {
        var at = 0, mantissa: UInt64 = 0, digits = 0, decimals = 0, isNegative = false
        if at < count, self[at] == UInt8(ascii: "-") || self[at] == UInt8(ascii: "+") {
            isNegative = self[at] == UInt8(ascii: "-")
            at += 1
        }
        var hasPoint = false
        while at < count {
            let byte = self[at]
            if byte &- 0x30 < 10 {
                digits += 1
                if digits > 18 { return slowNumber }
                mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
                decimals += hasPoint ? 1 : 0
            } else if !hasPoint, byte == UInt8(ascii: ".") || comma && byte == UInt8(ascii: ",") {
                hasPoint = true
            } else {
                return slowNumber
            }
            at += 1
        }
        guard digits > 0 else { return nil }
        // Mantissa and power of ten are exact, so the quotient is correctly rounded.
        guard mantissa < 1 << 53 else { return slowNumber }
        let value = Double(mantissa) / Decimals.tens[decimals]
        return isNegative ? -value : value
    }

    private var slowNumber: Double? {
        guard count < 64, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The value of an integer that consists of digits only; nil for anything else.
    var digits: Int? {
        guard !isEmpty, count < 18 else { return nil }
        var value = 0
        for byte in self {
            guard byte &- 0x30 < 10 else { return nil }
            value = value * 10 + Int(byte &- 0x30)
        }
        return value
    }

    /// Parses an ISO 8601 time such as "2024-05-01T12:00:00.5Z" to seconds since 1970; nil for anything else.
    /// Without a zone, it is UTC.
    var moment: Double? {
        guard count >= 10, self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-"),
            let year = part(0..<4).digits,
            let month = part(5..<7).digits, let day = part(8..<10).digits
        else { return nil }
        var date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
        var rest = 10, fraction = 0.0
        if count >= 16, let hour = part(11..<13).digits, let minute = part(14..<16).digits {
            date.hour = Int64(hour)
            date.minute = Int64(minute)
            rest = 16
            if count >= 19, self[16] == UInt8(ascii: ":"), let second = part(17..<19).digits {
                date.second = Int64(second)
                rest = 19
            }
        }
        if rest < count, self[rest] == UInt8(ascii: ".") {
            var end = rest + 1
            while end < count, self[end] &- 0x30 < 10 { end += 1 }
            fraction = part(rest..<end).number() ?? 0
            rest = end
        }
        return date.seconds.map { Double($0.value) + fraction - part(rest..<count).zone }
    }

    /// Parses a zone such as "+02:00" to seconds; 0 for anything else.
    private var zone: Double {
        guard count >= 3, self[0] == UInt8(ascii: "+") || self[0] == UInt8(ascii: "-"),
            let hours = part(1..<3).digits
        else { return 0 }
        let minutes = count >= 6 ? part(4..<6).digits ?? 0 : count == 5 ? part(3..<5).digits ?? 0 : 0
        return Double(hours * 3600 + minutes * 60) * (self[0] == UInt8(ascii: "-") ? -1 : 1)
    }
}

private enum Decimals {
    static let tens: [Double] = (0...18).reduce(into: [1]) { tens, _ in tens.append(tens[tens.count - 1] * 10)
    }
}

/// A queue of received bytes that haven't been parsed yet.
struct ByteQueue {
    private(set) var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }

    mutating func append(_ more: Bytes) {
        if start > 0, start == bytes.count || start > 1 << 20 {
            bytes.removeSubrange(0..<start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Calls a closure with the queued bytes.
    func withBytes<Outcome>(_ body: (Bytes) -> Outcome) -> Outcome {
        bytes.withUnsafeBufferPointer { body($0.part(start..<$0.count)) }
    }

    /// Removes the first bytes.
    mutating func drop(_ number: Int) { start += min(number, count) }
}
