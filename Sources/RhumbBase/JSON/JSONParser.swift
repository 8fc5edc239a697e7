/// The reason why a text is not JSON.
public struct JSONFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem.
    public let problem: String
    /// The offset in bytes.
    public let offset: Int

    package init(problem: String, offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    public var description: String { "not valid JSON: \(problem) at byte \(offset)" }
}

extension JSON {
    /// Parses a text strictly by RFC 8259. A byte order mark is ignored, and the last of repeated member
    /// names counts.
    /// - Parameters:
    ///   - bytes: The whole text in UTF-8.
    ///   - depthLimit: The maximum nesting of arrays and objects.
    ///   - memoryLimit: The approximate limit of the value's size, in bytes.
    /// - Throws: `JSONFailure`.
    public static func parse(
        _ bytes: [UInt8], depthLimit: Int = 64, memoryLimit: Int = 160 << 20
    ) throws(JSONFailure) -> JSON {
        var parser = JSONParser(bytes: bytes, depthLimit: depthLimit, memoryLimit: memoryLimit)
        return try parser.document()
    }

    /// Parses a text; see `parse(_:depthLimit:)`.
    public static func parse(_ text: String) throws(JSONFailure) -> JSON {
        try parse(Array(text.utf8))
    }
}

/// Parses one JSON text, byte by byte.
package struct JSONParser {
    let bytes: [UInt8]
    let depthLimit: Int
    package var position = 0
    private var memoryLeft: Int

    /// The approximate sizes in bytes of an element of an array, an array, an object, and a member of an
    /// object.
    private enum Weight {
        static let value = 24, array = 48, object = 160, member = 80
    }

    package init(bytes: [UInt8], depthLimit: Int, memoryLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        memoryLeft = memoryLimit
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func document() throws(JSONFailure) -> JSON {
        let value = try value(depth: 0)
        try end()
        return value
    }

    package mutating func end() throws(JSONFailure) {
        skipSpace()
        guard position == bytes.count else { throw failure("unexpected data after the value") }
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    package func failure(_ problem: String) -> JSONFailure {
        JSONFailure(problem: next == nil ? "truncated" : problem, offset: position)
    }

    /// Passes the colon after the name of a member.
    private mutating func passColon() throws(JSONFailure) {
        skipSpace()
        guard pass(":") else { throw failure("a member needs ':' after its name") }
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips the byte if it comes next, and returns true.
    package mutating func pass(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Reads a value of any kind.
    package mutating func value(depth: Int) throws(JSONFailure) -> JSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"):
            var members = JSONObject()
            try object(depth: depth) { parser, name, _ throws(JSONFailure) in
                members[name] = try parser.value(depth: depth + 1)
            }
            return .object(members)
        case UInt8(ascii: "["):
            var values: [JSON] = []
            try array(depth: depth) { parser throws(JSONFailure) in
                values.append(try parser.value(depth: depth + 1))
            }
            return .array(values)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func spend(_ weight: Int) throws(JSONFailure) {
        memoryLeft -= weight
        guard memoryLeft >= 0 else { throw failure("too many values") }
    }

    private mutating func word(_ text: String, _ value: JSON) throws(JSONFailure) -> JSON {
        guard bytes[position...].starts(with: text.utf8) else { throw failure("an unknown word") }
        position += text.utf8.count
        return value
    }

    private func checkDepth(_ depth: Int) throws(JSONFailure) {
        guard depth < depthLimit else { throw failure("nested deeper than \(depthLimit)") }
    }

    /// Reads an array. Its opening bracket comes next.
    @inline(__always)
    mutating func array(
        depth: Int, element: (inout JSONParser) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        try checkDepth(depth)
        position += 1
        skipSpace()
        try spend(Weight.array)
        if pass("]") { return }
        while true {
            try spend(Weight.value)
            try element(&self)
            skipSpace()
            if pass("]") { return }
            guard pass(",") else { throw failure("an array needs ',' or ']' here") }
        }
    }

    /// Reads an object. Its opening brace comes next.
    /// - Parameter member: Reads the value of a member, given its name and the offset of the name.
    @inline(__always)
    mutating func object(
        depth: Int, member: (inout JSONParser, String, Int) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        try checkDepth(depth)
        position += 1
        skipSpace()
        try spend(Weight.object)
        if pass("}") { return }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a member needs a quoted name") }
            try spend(Weight.member)
            let start = position, name = try string()
            try passColon()
            try member(&self, name, start)
            skipSpace()
            if pass("}") { return }
            guard pass(",") else { throw failure("an object needs ',' or '}' here") }
        }
    }
}

extension JSONNode {
    /// Parses a text as strictly as `JSON.parse` does.
    /// - Throws: `JSONFailure`.
    public static func parse(
        _ bytes: [UInt8], depthLimit: Int = 64, memoryLimit: Int = 160 << 20
    ) throws(JSONFailure) -> JSONNode {
        var parser = JSONParser(bytes: bytes, depthLimit: depthLimit, memoryLimit: memoryLimit)
        let node = try parser.node(depth: 0)
        try parser.end()
        return node
    }
}

extension JSONParser {
    fileprivate mutating func node(depth: Int) throws(JSONFailure) -> JSONNode {
        skipSpace()
        let start = position, content: JSONNode.Content
        switch next {
        case UInt8(ascii: "{"): content = .object(try members(depth: depth))
        case UInt8(ascii: "["): content = .array(try elements(depth: depth))
        default: content = .scalar(try value(depth: depth))
        }
        return JSONNode(content, source: bytes[start..<position])
    }

    private mutating func elements(depth: Int) throws(JSONFailure) -> [JSONNode] {
        var elements: [JSONNode] = []
        try array(depth: depth) { parser throws(JSONFailure) in
            elements.append(try parser.node(depth: depth + 1))
        }
        return elements
    }

    private mutating func members(depth: Int) throws(JSONFailure) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        try object(depth: depth) { parser, name, start throws(JSONFailure) in
            members.append(.init(name: name, offset: start, value: try parser.node(depth: depth + 1)))
        }
        return members
    }
}

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
            try passColon()
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
