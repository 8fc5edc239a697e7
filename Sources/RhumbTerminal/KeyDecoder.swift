internal import RhumbCore

/// Decodes a terminal's bytes into keys, mouse events, pastes and query responses. Input may be split
/// anywhere. Unknown bytes are dropped, and a lone Escape is held back only until a pause.
package struct KeyDecoder {
    /// The result of decoding one sequence.
    enum Step {
        /// The number of bytes consumed, and their reports, which may be empty.
        case read(Int, [TerminalReport])
        /// The bytes may be the start of a longer sequence.
        case incomplete
    }

    private let isUTF8: Bool
    private var pending: [UInt8] = []
    private var paste: PasteReader?

    package init(isUTF8: Bool) { self.isUTF8 = isUTF8 }

    /// The held-back bytes and the wait that decides about them.
    enum Wait {
        /// Escape, alone or with a second byte, may be a key. Call `pause()` after a short pause.
        case key
        /// The beginning of a longer sequence or character. Call `expire()` if its end does not arrive.
        case sequence
        /// The beginning of a paste. Call `expire()` if its end does not arrive.
        case paste
    }

    /// The wait for more bytes; nil if nothing is held back.
    var wait: Wait? {
        if paste != nil { return .paste }
        guard !pending.isEmpty else { return nil }
        return pending.first == 0x1B && pending.count <= 2 ? .key : .sequence
    }

    /// Appends bytes and returns the complete reports.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalReport] {
        pending += bytes
        return decode(afterPause: false)
    }

    /// Reports a pause in the input, which turns a lone Escape into the Escape key.
    package mutating func pause() -> [TerminalReport] { decode(afterPause: true) }

    /// Drops an unfinished sequence, and ends an unfinished paste.
    package mutating func expire() -> [TerminalReport] {
        let reports = decode(afterPause: true)
        pending = []
        guard let text = paste?.text else { return reports }
        paste = nil
        return reports + [.key(.paste(text))]
    }

    private mutating func decode(afterPause isPause: Bool) -> [TerminalReport] {
        var reports: [TerminalReport] = []
        var rest = pending[...]
        while !rest.isEmpty {
            guard case .read(let count, let said) = step(rest, isPause) else { break }
            reports += said
            rest = rest.dropFirst(count)
        }
        pending = Array(rest)
        return reports
    }

    private mutating func step(_ bytes: ArraySlice<UInt8>, _ isPause: Bool) -> Step {
        if paste != nil { return readPaste(bytes) }
        guard let first = bytes.first else { return .incomplete }
        if first == 0x1B { return readEscape(bytes, isPause) }
        if first < 0x80 { return .read(1, Self.ascii(first).map { [.key($0)] } ?? []) }
        return isUTF8
            ? UTF8Reader.step(bytes)
            : .read(1, first < 0xA0 ? [] : [.key(.character(Character(Unicode.Scalar(first))))])
    }

    // MARK: Escape

    private mutating func readEscape(_ bytes: ArraySlice<UInt8>, _ isPause: Bool) -> Step {
        let lone = Step.read(1, [.key(.escape)])
        guard let second = bytes.dropFirst().first else { return isPause ? lone : .incomplete }
        if bytes.starts(with: PasteReader.start) {
            paste = PasteReader()
            return .read(PasteReader.start.count, [])
        }
        let step: Step
        switch second {
        case UInt8(ascii: "["): step = ControlSequence.step(bytes)
        case UInt8(ascii: "O"): step = SingleShift.step(bytes)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"): step = ControlString.step(bytes)
        default: return lone
        }
        // More than two bytes are part of a response split by a slow line, not typed keys.
        if case .incomplete = step, isPause, bytes.count <= 2 { return lone }
        return step
    }

    private mutating func readPaste(_ bytes: ArraySlice<UInt8>) -> Step {
        guard var reader = paste else { return .incomplete }
        let (count, text) = reader.read(bytes)
        paste = text == nil ? reader : nil
        if let text { return .read(count, [.key(.paste(text))]) }
        return count == 0 ? .incomplete : .read(count, [])
    }

    // MARK: Single bytes

    private static func ascii(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0A, 0x0D: .enter
        case 0x09: .tab
        case 0x08, 0x7F: .backspace
        case 0x00: .control(" ")
        case ..<0x1B: .control(Character(Unicode.Scalar(byte + 0x60)))
        case ..<0x20: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: .character(Character(Unicode.Scalar(byte)))
        }
    }
}

/// Collects a bracketed paste, which is enclosed in `CSI 200 ~` and `CSI 201 ~`.
struct PasteReader {
    /// The maximum size of a paste in bytes. The rest is dropped.
    private static let limit = 64 << 10
    static let start = Array("\u{1B}[200~".utf8)
    private static let end = Array("\u{1B}[201~".utf8)

    private var collected: [UInt8] = []

    /// Consumes bytes. Returns the number consumed, and the text once the paste has ended.
    mutating func read(_ bytes: ArraySlice<UInt8>) -> (count: Int, text: String?) {
        let plain = bytes.prefix { $0 != 0x1B }
        append(plain)
        let rest = bytes.dropFirst(plain.count)
        if rest.starts(with: Self.end) {
            return (plain.count + Self.end.count, text)
        }
        if rest.isEmpty || Self.end.starts(with: rest) { return (plain.count, nil) }
        return (plain.count + 1, nil)
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        collected += bytes.prefix(Self.limit - collected.count)
    }

    /// The collected text. Line ends and tabs become spaces; other control characters are removed.
    var text: String {
        var kept = String.UnicodeScalarView()
        for scalar in String(decoding: collected, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || scalar == "\t" || scalar == "\r" {
                kept.append(" ")
            } else if !scalar.isControl {
                kept.append(scalar)
            }
        }
        return String(kept)
    }
}

/// Keys sent as `ESC O letter`.
enum SingleShift {
    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        guard let letter = bytes.dropFirst(2).first else { return .incomplete }
        guard let key = keys[Unicode.Scalar(letter)] else { return .read(1, [.key(.escape)]) }
        return .read(3, [.key(key)])
    }

    private static let keys: [Unicode.Scalar: Key] = [
        "A": .arrow(.up, shift: false), "B": .arrow(.down, shift: false),
        "C": .arrow(.right, shift: false), "D": .arrow(.left, shift: false),
        "H": .home, "F": .end, "M": .enter,
        "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
    ]
}

/// Decodes one non-ASCII character of UTF-8. Malformed bytes and C1 controls are dropped.
enum UTF8Reader {
    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        guard let first = bytes.first, let length = length(first) else { return .read(1, []) }
        let tail = bytes.dropFirst().prefix(length - 1).prefix { 0x80...0xBF ~= $0 }
        let count = 1 + tail.count
        if count < length {
            return count == bytes.count ? .incomplete : .read(count, [])
        }
        guard let scalar = scalar(bytes.prefix(length)), !scalar.isControl else {
            return .read(length, [])
        }
        return .read(length, [.key(.character(Character(scalar)))])
    }

    private static func length(_ first: UInt8) -> Int? {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    /// Decodes a character; nil for overlong forms, surrogates and values beyond U+10FFFF.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }
}
