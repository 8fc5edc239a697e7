/// Cuts a stream of JSON into texts: each feature of a collection by itself, everything else whole. Of a
/// collection of any size there is never more in memory than the feature being read.
struct JSONTextSplitter: Sendable {
    private var queue = ByteQueue()
    /// The position in the queue up to which it was scanned.
    private var at = 0
    private var depth = 0
    private var isInText = false, isInString = false, isEscaped = false
    /// The start of the current text in the queue.
    private var start: Int?
    /// The last text at the first level, which may be a member's name.
    private var name = 0..<0
    /// The depth of the features that are read one by one; 0 for none so far.
    private var featureDepth = 0
    /// The features are over: what follows in their collection is passed.
    private var isInTail = false
    private(set) var line = 1
    private var startLine = 1

    /// A larger text is not read.
    private static let longest = 256 << 20
    private static let deepest = 256

    /// Adds bytes.
    /// - Parameter take: Receives each text with its first line.
    mutating func read(_ more: Bytes, _ take: (Bytes, Int) -> Void) throws(InputFault) {
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
        let done = min(start ?? (depth == 1 ? name.lowerBound : at), at)
        queue.drop(done)
        swap(&queue, &self.queue)
        shift(by: done)
        if let fault { throw fault }
    }

    /// Checks that the last text is complete.
    func finish() throws(InputFault) {
        if depth > 0 { throw InputFault("the JSON is truncated") }
    }

    /// So many bytes at the beginning of the queue are gone.
    private mutating func shift(by count: Int) {
        at -= count
        start = start.map { $0 - count }
        name = max(name.lowerBound - count, 0)..<max(name.upperBound - count, 0)
    }

    private mutating func step(_ byte: UInt8, _ bytes: Bytes, _ take: (Bytes, Int) -> Void) throws(InputFault)
    {
        if isInString { return stepInString(byte) }
        switch byte {
        case 0x0A: line += 1
        case UInt8(ascii: "\""):
            isInString = true
            if depth == 1 { name = at + 1..<at + 1 }
        case UInt8(ascii: "{"), UInt8(ascii: "["): try open(byte, bytes)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close(bytes, take)
        default:
            guard depth > 0 || byte <= 0x20 || byte == UInt8(ascii: ",") else {
                throw InputFault("line \(line) is not JSON")
            }
        }
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
            // An array's elements are texts of their own.
            if isArray { (featureDepth, start) = (1, nil) } else { (start, startLine) = (at, line) }
        } else if depth == 1, isArray, !isInTail, featureDepth == 0, bytes.part(name).equals("features") {
            featureDepth = 2
            start = nil
        } else if depth == featureDepth, start == nil, !isArray {
            start = at
            startLine = line
        }
        depth += 1
        guard depth <= Self.deepest else {
            throw InputFault("line \(line) is nested deeper than \(Self.deepest)")
        }
    }

    private mutating func close(_ bytes: Bytes, _ take: (Bytes, Int) -> Void) {
        guard depth > 0 else { return }
        depth -= 1
        if depth == featureDepth, let begun = start {
            if !isInTail { take(bytes.part(begun..<at + 1), startLine) }
            start = nil
        } else if featureDepth > 0, depth < featureDepth {
            featureDepth = 0
            isInTail = depth > 0
        }
        if depth == 0 { isInTail = false }
    }
}
