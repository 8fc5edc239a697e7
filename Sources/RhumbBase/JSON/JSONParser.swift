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

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips the byte if it comes next, and returns true.
    package mutating func pass(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    mutating func value(depth: Int) throws(JSONFailure) -> JSON {
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
            skipSpace()
            guard pass(":") else { throw failure("a member needs ':' after its name") }
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
