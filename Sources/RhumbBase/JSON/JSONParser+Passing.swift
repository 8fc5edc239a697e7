/// Skipping values, at almost no cost.
extension JSONParser {
    /// Skips a value. Inside arrays and objects, only brackets and quotes are examined.
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

    /// Returns the bytes between the quotes of a string, with escapes as written. The opening quote comes
    /// next.
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

    /// Reads a text; skips any other kind of value, and returns nil.
    package mutating func text() throws(JSONFailure) -> String? {
        skipSpace()
        guard next == UInt8(ascii: "\"") else {
            try pass()
            return nil
        }
        return try string()
    }

    /// Reads a number; skips any other kind of value, and returns nil.
    package mutating func double() throws(JSONFailure) -> Double? {
        skipSpace()
        guard let next, next == UInt8(ascii: "-") || (48...57).contains(next) else {
            try pass()
            return nil
        }
        if let short = shortNumber() { return short }
        return try number().double
    }

    /// Reads a number whose digits form a whole number that fits in a Double, as in most numbers. A single
    /// division then gives its exact value.
    /// - Returns: nil for any other number, which remains unread.
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

    /// Reads the members of an object that have one of the names, and passes the index of the name. Skips
    /// other members, and any other kind of value. Names are not converted to texts, which is fast for very
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
            if let index = names.firstIndex(where: { $0.isSame(as: name) }) {
                try member(&self, index)
            } else {
                try pass()
            }
            skipSpace()
            if pass("}") { return }
            guard pass(",") else { throw failure("an object needs ',' or '}' here") }
        }
    }

    /// Reads each element of an array; skips any other kind of value.
    package mutating func elements(
        _ element: (inout JSONParser) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        skipSpace()
        guard next == UInt8(ascii: "[") else { return try pass() }
        try array(depth: 0, element: element)
    }

    /// Reads each member of an object; skips any other kind of value.
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
