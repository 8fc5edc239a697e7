/// Why a text is not JSON.
public struct JSONFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let problem: String
    /// Where, counted in bytes from 0.
    public let offset: Int

    public var description: String { "not valid JSON: \(problem) at byte \(offset)" }
}

extension JSON {
    /// The value a text stands for, read strictly by RFC 8259; a leading byte order mark is
    /// ignored, of a repeated member name the last value counts.
    /// - Parameters:
    ///   - bytes: the whole text, UTF-8.
    ///   - depthLimit: how deep arrays and objects may lie in each other.
    ///   - memoryLimit: about the most bytes that the value may take.
    /// - Throws: `JSONFailure`.
    public static func parse(
        _ bytes: [UInt8], depthLimit: Int = 64, memoryLimit: Int = 160 << 20
    ) throws(JSONFailure) -> JSON {
        var parser = JSONParser(bytes: bytes, depthLimit: depthLimit, memoryLimit: memoryLimit)
        return try parser.document()
    }

    /// The value a text stands for; see `parse(_:depthLimit:)`.
    public static func parse(_ text: String) throws(JSONFailure) -> JSON {
        try parse(Array(text.utf8))
    }
}

/// Reads one JSON text, a byte at a time.
struct JSONParser {
    let bytes: [UInt8]
    let depthLimit: Int
    var position = 0
    private var memoryLeft: Int

    /// About what values take: one of an array, an array, an object, a member of it.
    private enum Weight {
        static let value = 24, array = 48, object = 160, member = 80
    }

    init(bytes: [UInt8], depthLimit: Int, memoryLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        memoryLeft = memoryLimit
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func document() throws(JSONFailure) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("something follows the value") }
        return value
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func failure(_ problem: String) -> JSONFailure {
        JSONFailure(problem: next == nil ? "it ends too soon" : problem, offset: position)
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Passes the byte if it comes next.
    mutating func pass(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONFailure) -> JSON {
        skipSpace()
        guard depth < depthLimit else { throw failure("it is nested deeper than \(depthLimit)") }
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func spend(_ weight: Int) throws(JSONFailure) {
        memoryLeft -= weight
        guard memoryLeft >= 0 else { throw failure("it holds more values than are read") }
    }

    private mutating func word(_ text: String, _ value: JSON) throws(JSONFailure) -> JSON {
        guard bytes[position...].starts(with: text.utf8) else { throw failure("an unknown word") }
        position += text.utf8.count
        return value
    }

    private mutating func array(depth: Int) throws(JSONFailure) -> JSON {
        position += 1
        skipSpace()
        try spend(Weight.array)
        var values: [JSON] = []
        if pass("]") { return .array(values) }
        while true {
            try spend(Weight.value)
            values.append(try value(depth: depth + 1))
            skipSpace()
            if pass("]") { return .array(values) }
            guard pass(",") else { throw failure("an array needs ',' or ']' here") }
        }
    }

    private mutating func object(depth: Int) throws(JSONFailure) -> JSON {
        position += 1
        skipSpace()
        try spend(Weight.object)
        var members = JSONObject()
        if pass("}") { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a member needs a quoted name") }
            try spend(Weight.member)
            let name = try string()
            skipSpace()
            guard pass(":") else { throw failure("a member needs ':' after its name") }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if pass("}") { return .object(members) }
            guard pass(",") else { throw failure("an object needs ',' or '}' here") }
        }
    }
}
