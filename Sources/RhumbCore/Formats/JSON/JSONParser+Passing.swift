/// Reading a text for some of its values only: what is passed over costs next to nothing.
extension JSONParser {
    /// Passes a value; what lies in arrays and objects is looked at for brackets and quotes alone.
    mutating func pass() throws(JSONFailure) {
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
        throw failure("a string has no end")
    }

    /// A text; nil for another kind of value, which is passed.
    mutating func text() throws(JSONFailure) -> String? {
        skipSpace()
        guard next == UInt8(ascii: "\"") else {
            try pass()
            return nil
        }
        return try string()
    }

    /// A number; nil for another kind of value, which is passed.
    mutating func double() throws(JSONFailure) -> Double? {
        skipSpace()
        guard let next, next == UInt8(ascii: "-") || (48...57).contains(next) else {
            try pass()
            return nil
        }
        return try number().double
    }

    /// Each element of an array; another kind of value is passed.
    mutating func elements(_ element: (inout JSONParser) throws(JSONFailure) -> Void) throws(JSONFailure) {
        skipSpace()
        guard next == UInt8(ascii: "[") else { return try pass() }
        try array(depth: 0, element: element)
    }

    /// Each member of an object; another kind of value is passed.
    mutating func members(
        _ member: (inout JSONParser, String) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        skipSpace()
        guard next == UInt8(ascii: "{") else { return try pass() }
        try object(depth: 0) { parser, name, _ throws(JSONFailure) in try member(&parser, name) }
    }
}
