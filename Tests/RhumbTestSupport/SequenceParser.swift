/// A parsed control sequence.
struct ControlCode: CustomStringConvertible {
    /// The private marker, such as `?` or `>`.
    var mark: UInt8?
    /// The parameters with their sub-parameters, which colons separate. Empty ones are nil.
    var parameters: [[Int?]] = []
    var intermediates: [UInt8] = []
    var final: UInt8 = 0

    var numbers: [Int?] { parameters.map { $0.first ?? nil } }

    subscript(index: Int) -> Int? { index < parameters.count ? parameters[index].first ?? nil : nil }

    var description: String {
        "CSI \(mark.map { String(Unicode.Scalar($0)) } ?? "")\(numbers) \(Unicode.Scalar(final))"
    }
}

/// A parser that splits a terminal's bytes into characters, controls and sequences (ECMA-48 and the state
/// machine of DEC terminals).
struct SequenceParser {
    enum Token {
        case character(Unicode.Scalar)
        case control(UInt8)
        case escape(UInt8)
        case sequence(ControlCode)
        case system(String)
    }

    private enum State {
        case ground
        case escape
        /// The designation of a character set, with one more byte to come.
        case charset
        case sequence([UInt8])
        case system([UInt8])
    }

    private var state = State.ground
    private var utf8: [UInt8] = []

    mutating func take(_ byte: UInt8) -> Token? {
        if byte == 0x18 || byte == 0x1A {
            state = .ground
            return nil
        }
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .charset: state = .ground
        case .sequence(let bytes): return sequence(bytes, byte)
        case .system(let bytes): return system(bytes, byte)
        }
        return nil
    }

    private mutating func ground(_ byte: UInt8) -> Token? {
        if byte == 0x1B {
            state = .escape
            return nil
        }
        if byte < 0x20 || byte == 0x7F { return .control(byte) }
        if byte < 0x80 { return .character(Unicode.Scalar(byte)) }
        if byte >= 0xC0 { utf8 = [] }
        utf8.append(byte)
        var decoder = UTF8()
        var iterator = utf8.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        utf8 = []
        return .character(scalar)
    }

    private mutating func escape(_ byte: UInt8) -> Token? {
        state = .ground
        switch Unicode.Scalar(byte) {
        case "[": state = .sequence([])
        case "]", "P", "_", "^": state = .system([])
        case "(", ")", "*", "+": state = .charset
        default: return .escape(byte)
        }
        return nil
    }

    private mutating func sequence(_ bytes: [UInt8], _ byte: UInt8) -> Token? {
        if byte < 0x20 { return .control(byte) }
        guard 0x40...0x7E ~= byte else {
            state = .sequence(bytes + [byte])
            return nil
        }
        state = .ground
        return .sequence(SequenceParser.code(bytes, byte))
    }

    private static func code(_ bytes: [UInt8], _ final: UInt8) -> ControlCode {
        var code = ControlCode()
        code.final = final
        code.intermediates = bytes.filter { 0x20...0x2F ~= $0 }
        code.mark = bytes.first.flatMap { 0x3C...0x3F ~= $0 ? $0 : nil }
        let digits = bytes.filter { 0x30...0x3B ~= $0 }
        code.parameters = digits.split(separator: 0x3B, omittingEmptySubsequences: false).map {
            $0.split(separator: 0x3A, omittingEmptySubsequences: false).map {
                Int(String(decoding: $0, as: UTF8.self))
            }
        }
        return code
    }

    private mutating func system(_ bytes: [UInt8], _ byte: UInt8) -> Token? {
        let isEnded = byte == 0x07 || (byte == 0x5C && bytes.last == 0x1B)
        guard isEnded else {
            state = .system(bytes + [byte])
            return nil
        }
        state = .ground
        return .system(String(decoding: byte == 0x07 ? bytes[...] : bytes.dropLast(), as: UTF8.self))
    }
}
