internal import RhumbBase

/// The reason why some input is skipped, in words.
struct InputFault: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// A cursor over JSON text that only decodes the needed values, because there may be millions.
struct JSONCursor {
    let bytes: Bytes
    var at = 0
    private static let deepest = 64

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func skipSpace() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    /// Returns the first byte of the next value without consuming it; nil at the end.
    mutating func next() -> UInt8? {
        skipSpace()
        return at < bytes.count ? bytes[at] : nil
    }

    private func fault(_ problem: String) -> InputFault {
        InputFault(
            at < bytes.count
                ? "\(problem) before \(JSONCursor.excerpt(bytes, from: at))" : "the JSON is truncated")
    }

    /// Returns the beginning of a text for a message.
    private static func excerpt(_ bytes: Bytes, from start: Int = 0) -> String {
        "\"\(SafeText.sanitised(bytes.part(start..<min(start + 20, bytes.count)).text))\""
    }

    private mutating func pass(_ byte: Unicode.Scalar) throws(InputFault) {
        guard next() == UInt8(ascii: byte) else { throw fault("'\(byte)' is missing") }
        at += 1
    }

    /// Reads a string without decoding its escapes.
    mutating func rawString() throws(InputFault) -> Bytes {
        try pass("\"")
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard at < bytes.count else { throw fault("") }
        at += 1
        return bytes.part(start..<at - 1)
    }

    /// Skips a value of any type and returns its bytes.
    mutating func value() throws(InputFault) -> Bytes {
        guard let first = next() else { throw fault("") }
        let start = at
        switch first {
        case UInt8(ascii: "\""): _ = try rawString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): try skipNested()
        default:
            while at < bytes.count, !Self.endsScalar(bytes[at]) { at += 1 }
            guard at > start else { throw fault("a value is missing") }
        }
        return bytes.part(start..<at)
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }

    private mutating func skipNested() throws(InputFault) {
        var depth = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                _ = try rawString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= Self.deepest else { throw fault("nested deeper than \(Self.deepest)") }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            at += 1
            if depth == 0 { return }
        }
        throw fault("")
    }

    /// Iterates over the members of an object, whose names are decoded. The body must consume each value.
    mutating func members(
        _ body: (inout JSONCursor, Bytes) throws(InputFault) -> Void
    ) throws(InputFault) {
        try pass("{")
        if next() == UInt8(ascii: "}") {
            at += 1
            return
        }
        while true {
            let name = try rawString()
            try pass(":")
            if let decoded = name.unescaped {
                try decoded.withBytes { name throws(InputFault) in try body(&self, name) }
            } else {
                try body(&self, name)
            }
            if next() == UInt8(ascii: "}") {
                at += 1
                return
            }
            try pass(",")
            skipSpace()
        }
    }

    /// Iterates over the elements of an array. The body must consume each element.
    mutating func elements(_ body: (inout JSONCursor) throws(InputFault) -> Void) throws(InputFault) {
        try pass("[")
        if next() == UInt8(ascii: "]") {
            at += 1
            return
        }
        while true {
            try body(&self)
            if next() == UInt8(ascii: "]") {
                at += 1
                return
            }
            try pass(",")
        }
    }

    /// True before an array without elements.
    var isEmptyArray: Bool {
        var ahead = self
        guard ahead.next() == UInt8(ascii: "[") else { return false }
        ahead.at += 1
        return ahead.next() == UInt8(ascii: "]")
    }

    /// Reads a number.
    mutating func number() throws(InputFault) -> Double {
        let text = try value()
        guard let number = text.number() else {
            let isText = text.first == UInt8(ascii: "\"")
            throw InputFault(
                "\(isText ? text.part(0..<Swift.min(text.count, 20)).text : JSONCursor.excerpt(text)) is not a number"
            )
        }
        return number
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// A JSON value as plain text: strings without quotes and escapes, others unchanged.
    var jsonWords: String {
        guard first == UInt8(ascii: "\"") else { return text }
        let inner = part(1..<Swift.max(count - 1, 1))
        guard inner.contains(UInt8(ascii: "\\")) else { return inner.text }
        return (try? JSON.parse(Array(self)))?.string
            ?? (try? JSON.parse(withoutLoneSurrogates))?.string ?? inner.text
    }

    /// The contents of a JSON string, given without its quotes, with decoded escapes; nil if it has none.
    var unescaped: [UInt8]? {
        guard contains(UInt8(ascii: "\\")) else { return nil }
        let quote = [UInt8(ascii: "\"")]
        return (quote + self + quote).withUnsafeBufferPointer { Array($0.jsonWords.utf8) }
    }

    /// The value of a string or number that identifies a feature; empty for null and any other value.
    var jsonIdentifier: String { first == UInt8(ascii: "\"") || number() != nil ? jsonWords : "" }

    /// The bytes with the replacement character instead of halves of surrogate pairs.
    private var withoutLoneSurrogates: [UInt8] {
        var bytes = Array(self), at = 0
        func half(_ at: Int) -> UInt16? {
            guard at + 6 <= count, self[at] == UInt8(ascii: "\\"), self[at + 1] == UInt8(ascii: "u"),
                let unit = UInt16(part(at + 2..<at + 6).text, radix: 16), UTF16.isSurrogate(unit)
            else { return nil }
            return unit
        }
        while at < count {
            guard let unit = half(at) else {
                at += self[at] == UInt8(ascii: "\\") ? 2 : 1
                continue
            }
            let isPair = UTF16.isLeadSurrogate(unit) && half(at + 6).map(UTF16.isTrailSurrogate) == true
            if !isPair { bytes.replaceSubrange(at + 2..<at + 6, with: "fffd".utf8) }
            at += isPair ? 12 : 6
        }
        return bytes
    }

    /// The value of a number, also if it is in quotes.
    var jsonNumber: Double? {
        first == UInt8(ascii: "\"") && count > 1 ? part(1..<count - 1).number() : number()
    }
}

extension [UInt8] {
    /// Calls a closure with the bytes.
    func withBytes<Outcome>(_ body: (Bytes) throws(InputFault) -> Outcome) throws(InputFault) -> Outcome {
        try withUnsafeBufferPointer { bytes in
            Result { () throws(InputFault) in try body(bytes) }
        }.get()
    }
}
