/// Skipping values, at almost no cost.
extension JSONParser {
    /// Skips a value; inside arrays and objects only brackets and quotes are examined.
    package mutating func pass() throws(JSONFailure) {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"), UInt8(ascii: "["): try passNested()
        case UInt8(ascii: "\""): try passString()
        default: _ = try value(depth: 0)
        }
    }

    private mutating func passNested() throws(JSONFailure) {
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                try passString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return }
        }
        throw failure("brackets are left open")
    }

    private mutating func passString() throws(JSONFailure) {
        _ = try stringBytes()
    }

    /// The bytes between the quotes of a string, escapes as they are written; the opening quote comes next.
    mutating func stringBytes() throws(JSONFailure) -> ArraySlice<UInt8> {
        position += 1
        let start = position
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return bytes[start..<(position - 1)] }
            if byte == UInt8(ascii: "\\") { position += 1 }
        }
        throw failure("unterminated string")
    }

    /// A text; nil for another kind of value, which is passed.
    package mutating func text() throws(JSONFailure) -> String? {
        skipSpace()
        guard next == UInt8(ascii: "\"") else {
            try pass()
            return nil
        }
        return try string()
    }

    /// A number; nil for another kind of value, which is passed.
    package mutating func double() throws(JSONFailure) -> Double? {
        skipSpace()
        guard let next, next == UInt8(ascii: "-") || (48...57).contains(next) else {
            try pass()
            return nil
        }
        if let short = shortNumber() { return short }
        return try number().double
    }

    /// A number whose digits are a whole number that a Double holds, as most are: then one division gives it
    /// exactly.
    /// - Returns: nil for any other, which stays where it is.
    private mutating func shortNumber() -> Double? {
        var at = position, mantissa: UInt64 = 0
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        func digits(_ at: inout Int) -> Int {
            let start = at
            while at < bytes.count, case let digit = bytes[at] &- 48, digit < 10, at - start < 20 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                at += 1
            }
            return at - start
        }
        let first = at, whole = digits(&at)
        guard whole > 0, whole == 1 || bytes[first] != UInt8(ascii: "0") else { return nil }
        var decimals = 0
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            at += 1
            decimals = digits(&at)
            guard decimals > 0 else { return nil }
        }
        let after = at < bytes.count ? bytes[at] : 0
        guard after | 0x20 != UInt8(ascii: "e"), after &- 48 > 9, whole + decimals <= 19, mantissa <= 1 << 53
        else { return nil }
        position = at
        let value = Double(mantissa) / Self.powers[decimals]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = (0..<20).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    /// The members of an object whose names are looked for, by their places among those; others are passed,
    /// and so is another kind of value. No name becomes a text, which makes it quick where there are very
    /// many objects.
    package mutating func members(
        named names: [StaticString], _ member: (inout JSONParser, Int) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        skipSpace()
        guard next == UInt8(ascii: "{") else { return try pass() }
        position += 1
        skipSpace()
        if pass("}") { return }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a member needs a quoted name") }
            let name = try stringBytes()
            skipSpace()
            guard pass(":") else { throw failure("a member needs ':' after its name") }
            if let place = names.firstIndex(where: { $0.isSame(as: name) }) {
                try member(&self, place)
            } else {
                try pass()
            }
            skipSpace()
            if pass("}") { return }
            guard pass(",") else { throw failure("an object needs ',' or '}' here") }
        }
    }

    /// Each element of an array; another kind of value is passed.
    package mutating func elements(
        _ element: (inout JSONParser) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        skipSpace()
        guard next == UInt8(ascii: "[") else { return try pass() }
        try array(depth: 0, element: element)
    }

    /// Each member of an object; another kind of value is passed.
    package mutating func members(
        _ member: (inout JSONParser, String) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        skipSpace()
        guard next == UInt8(ascii: "{") else { return try pass() }
        try object(depth: 0) { parser, name, _ throws(JSONFailure) in try member(&parser, name) }
    }
}

extension StaticString {
    fileprivate func isSame(as bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == utf8CodeUnitCount else { return false }
        return bytes.elementsEqual(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
    }
}
