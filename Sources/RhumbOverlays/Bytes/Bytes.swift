internal import RhumbBase

/// The bytes of a text being parsed, without a copy.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer<UInt8> {
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
        // Swift also reads hexadecimal numbers.
        guard count < 64, !contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let value = Double(text),
            value.isFinite
        else { return nil }
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

    /// Parses an ISO 8601 time such as "2024-05-01T12:00:00.5Z" or "20240501T120000+0200" to seconds since
    /// 1970; nil for anything else, such as a zone in words. Without a zone, it is UTC.
    var moment: Double? {
        var at = 0
        /// Reads a number with a fixed count of digits.
        func number(_ length: Int) -> Int64? {
            guard at + length <= count, let value = part(at..<at + length).digits else { return nil }
            at += length
            return Int64(value)
        }
        func skip(_ byte: UInt8) -> Bool {
            guard at < count, self[at] == byte else { return false }
            at += 1
            return true
        }
        let dash = UInt8(ascii: "-"), colon = UInt8(ascii: ":")
        guard let year = number(4) else { return nil }
        let isLong = skip(dash)
        guard let month = number(2), skip(dash) == isLong, let day = number(2) else { return nil }
        var date = CivilDate(year: year, month: month, day: day), fraction = 0.0
        if skip(UInt8(ascii: "T")) || skip(UInt8(ascii: "t")) || skip(UInt8(ascii: " ")) {
            guard let hour = number(2) else { return nil }
            let hasColon = skip(colon)
            guard let minute = number(2) else { return nil }
            date.hour = hour
            date.minute = minute
            if hasColon ? skip(colon) : at < count && self[at] &- 0x30 < 10 {
                guard let second = number(2) else { return nil }
                date.second = second
                let start = at
                if skip(UInt8(ascii: ".")) || skip(UInt8(ascii: ",")) {
                    while at < count, self[at] &- 0x30 < 10 { at += 1 }
                    fraction = part(start..<at).number(comma: true) ?? 0
                }
            }
        }
        // The end of a day, as in XML Schema.
        let isEnd = date.hour == 24 && date.minute == 0 && date.second == 0 && fraction == 0
        if isEnd { date.hour = 0 }
        guard let seconds = date.seconds, let zone = part(at..<count).zone else { return nil }
        return Double(seconds.value) + fraction - zone + (isEnd ? 86_400 : 0)
    }

    /// Parses a zone such as "Z", "+02:00", "-0330" or "+2", also with a minus sign (U+2212), to seconds, 0
    /// for none; nil for anything else, because a time of an unknown zone is wrong by hours.
    private var zone: Double? {
        let rest = trimmed
        if rest.isEmpty || rest.equals("Z") || rest.equals("z") || rest.equals("UTC") || rest.equals("GMT") {
            return 0
        }
        let isMinus = rest.begins(with: "-") || rest.begins(with: "\u{2212}")
        guard isMinus || rest.begins(with: "+") else { return nil }
        let digits = rest.part((rest.begins(with: "\u{2212}") ? 3 : 1)..<rest.count).filter {
            $0 != UInt8(ascii: ":")
        }
        let isNumber = digits.allSatisfy { $0 &- 0x30 < 10 }
        guard isNumber, let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let (hours, minutes) = digits.count <= 2 ? (value, 0) : (value / 100, value % 100)
        guard digits.count <= 4, hours <= 14, minutes < 60 else { return nil }
        return Double(hours * 3600 + minutes * 60) * (isMinus ? -1 : 1)
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
