/// Splits a stream of JSON into texts: the single features of a collection, everything else as a whole. Only
/// the current feature of a collection is in memory, whatever the collection's size. A record separator
/// (RFC 8142) ends an incomplete text.
struct JSONTextSplitter: Sendable {
    /// The meaning of a text.
    enum Kind {
        case features
        /// The coordinate system of the features.
        case reference
        /// The same behind the features.
        case lateReference
        /// The beginning of a text that another one interrupts.
        case truncated
    }

    /// A function that receives a text and the number of its first line.
    typealias Take = (_ text: Bytes, _ line: Int, _ kind: Kind) throws(InputFault) -> Void

    private var queue = ByteQueue()
    /// The position in the queue up to which the bytes have been scanned.
    private var at = 0
    private var depth = 0
    private var isInString = false, isEscaped = false
    /// The start of the current text in the queue; nil if there is none.
    private var start: Int?
    /// The last string at the first level, which may be a member's name.
    private var name = 0..<0
    /// The nesting depth of the collection's features; 0 if there are none, or not yet.
    private var featureDepth = 0
    /// True after the features of a collection; its other members are skipped.
    private var isInTail = false
    /// The start of the coordinate system in the queue; nil outside of it.
    private var referenceStart: Int?
    private(set) var line = 1
    private var startLine = 1

    /// Maximum length of a text in bytes.
    private static let longest = 256 << 20
    private static let deepest = 256

    /// Reads the next bytes.
    mutating func read(_ more: Bytes, _ take: Take) throws(InputFault) {
        var queue = ByteQueue(), fault: InputFault?
        swap(&queue, &self.queue)
        queue.append(more)
        guard queue.count <= Self.longest else { throw InputFault("the JSON is larger than 256 MiB") }
        queue.withBytes { bytes in
            do throws(InputFault) {
                while at < bytes.count {
                    try step(bytes[at], bytes, take)
                    at += 1
                }
            } catch {
                fault = error
            }
        }
        let done = min(start ?? referenceStart ?? (depth == 1 ? name.lowerBound : at), at)
        queue.drop(done)
        swap(&queue, &self.queue)
        shift(by: done)
        if let fault { throw fault }
    }

    /// Ends the input.
    /// - Throws: `InputFault` if a text is incomplete.
    func finish() throws(InputFault) {
        if depth > 0 { throw InputFault("the JSON is truncated") }
    }

    /// Adjusts the positions after bytes were removed from the start of the queue.
    private mutating func shift(by count: Int) {
        at -= count
        start = start.map { $0 - count }
        referenceStart = referenceStart.map { $0 - count }
        name = max(name.lowerBound - count, 0)..<max(name.upperBound - count, 0)
    }

    private mutating func step(_ byte: UInt8, _ bytes: Bytes, _ take: Take) throws(InputFault) {
        if byte == 0x1E { return try interrupt(bytes, take) }
        if isInString { return stepInString(byte) }
        switch byte {
        case 0x0A: line += 1
        case UInt8(ascii: "\""):
            isInString = true
            if depth == 1 { name = at + 1..<at + 1 }
        case UInt8(ascii: "{"), UInt8(ascii: "["): try open(byte, bytes)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): try close(bytes, take)
        default:
            guard depth > 0 || byte <= 0x20 || byte == UInt8(ascii: ",") else {
                throw InputFault(
                    byte == UInt8(ascii: "/")
                        ? "line \(line) has a comment, which JSON doesn't allow; remove it"
                        : "line \(line) is not JSON")
            }
        }
    }

    /// Ends a text that is incomplete. JSON can't contain a record separator.
    private mutating func interrupt(_ bytes: Bytes, _ take: Take) throws(InputFault) {
        guard depth > 0 else { return }
        try take(bytes.part((start ?? at)..<at), startLine, .truncated)
        depth = 0
        featureDepth = 0
        start = nil
        referenceStart = nil
        name = 0..<0
        isInString = false
        isEscaped = false
        isInTail = false
    }

    private mutating func stepInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            if depth == 1 { name = name.lowerBound..<at }
        }
    }

    private mutating func open(_ byte: UInt8, _ bytes: Bytes) throws(InputFault) {
        let isArray = byte == UInt8(ascii: "[")
        if depth == 0 {
            isInTail = false
            // The elements of an array are separate texts.
            if isArray { (featureDepth, start) = (1, nil) } else { (start, startLine) = (at, line) }
        } else if depth == 1, isArray, !isInTail, featureDepth == 0,
            Self.isNamed("features", bytes.part(name))
        {
            featureDepth = 2
            start = nil
        } else if depth == featureDepth, start == nil, !isArray {
            start = at
            startLine = line
        }
        if depth == 1, !isArray, Self.isNamed("crs", bytes.part(name)) { referenceStart = at }
        depth += 1
        guard depth <= Self.deepest else {
            throw InputFault("line \(line) is nested deeper than \(Self.deepest)")
        }
    }

    private static func isNamed(_ name: StaticString, _ text: Bytes) -> Bool {
        text.unescaped.map { $0.withUnsafeBufferPointer { $0.equals(name) } } ?? text.equals(name)
    }

    private mutating func close(_ bytes: Bytes, _ take: Take) throws(InputFault) {
        guard depth > 0 else { return }
        depth -= 1
        if depth == 1, let begun = referenceStart {
            try take(bytes.part(begun..<at + 1), line, isInTail ? .lateReference : .reference)
            referenceStart = nil
        }
        if depth == featureDepth, let begun = start {
            if !isInTail { try take(bytes.part(begun..<at + 1), startLine, .features) }
            start = nil
        } else if featureDepth > 0, depth < featureDepth {
            featureDepth = 0
            isInTail = depth > 0
        }
        if depth == 0 { isInTail = false }
    }
}
