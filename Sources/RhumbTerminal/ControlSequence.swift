internal import RhumbCore

/// A control sequence from the keyboard, mouse or terminal: `ESC [ parameters final`
/// (ECMA-48 5.4).
struct ControlSequence {
    private static let longest = 64

    /// The private marker (`<`, `=`, `>` or `?`) of a private sequence; nil otherwise.
    private let mark: UInt8?
    private let numbers: [Int]
    private let hasIntermediate: Bool
    private let final: UInt8

    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        let body = bytes.dropFirst(2)
        guard let first = body.first else { return .incomplete }
        if first == UInt8(ascii: "[") { return linuxFunction(body) }
        if first == UInt8(ascii: "M") { return OldMouse.step(bytes) }
        let inner = body.prefix { 0x20...0x3F ~= $0 }
        guard inner.count <= longest else { return .read(2 + inner.count, []) }
        guard let final = body.dropFirst(inner.count).first else { return .incomplete }
        guard 0x40...0x7E ~= final else { return .read(2 + inner.count, []) }
        return .read(3 + inner.count, ControlSequence(inner, final).reports)
    }

    /// Reads F1 to F5 of the Linux console, sent as `ESC [ [ A` to `ESC [ [ E`.
    private static func linuxFunction(_ body: ArraySlice<UInt8>) -> KeyDecoder.Step {
        guard let letter = body.dropFirst().first else { return .incomplete }
        guard 0x41...0x45 ~= letter else { return .read(3, []) }
        return .read(4, [.key(.function(Int(letter) - 0x40))])
    }

    private init(_ inner: ArraySlice<UInt8>, _ final: UInt8) {
        let isMarked = inner.first.map { 0x3C...0x3F ~= $0 } ?? false
        mark = isMarked ? inner.first : nil
        numbers = (isMarked ? inner.dropFirst() : inner)
            .split(separator: UInt8(ascii: ";"), maxSplits: 8, omittingEmptySubsequences: false)
            .map { digits in
                digits.prefix(5).reduce(0) { 0x30...0x39 ~= $1 ? $0 * 10 + Int($1) - 0x30 : $0 }
            }
        hasIntermediate = inner.contains { 0x20...0x2F ~= $0 }
        self.final = final
    }

    private func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }

    private var reports: [TerminalReport] {
        switch (mark, final) {
        case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
            mouse.map { [.key(.mouse($0))] } ?? []
        case (UInt8(ascii: "?"), UInt8(ascii: "c")):
            [.attributes(hasClipboard: numbers.contains(52), hasSixel: numbers.dropFirst().contains(4))]
        case (UInt8(ascii: "?"), UInt8(ascii: "y")) where hasIntermediate && number(0) == 2026:
            [.synchronizedFrames(number(1) == 1 || number(1) == 2)]
        case (UInt8(ascii: "?"), UInt8(ascii: "n")) where number(0) == 997: [.colourScheme]
        case (UInt8(ascii: "?"), UInt8(ascii: "S"))
        where number(0) == 2 && number(1) == 0 && number(2) > 0 && number(3) > 0:
            [.sixelLimit(width: number(2), height: number(3))]
        case (nil, UInt8(ascii: "t")) where number(0) == 6 && number(1) > 0 && number(2) > 0:
            [.cellSize(width: number(2), height: number(1))]
        case (nil, _) where !hasIntermediate: key.map { [.key($0)] } ?? []
        default: []
        }
    }

    /// The event of an SGR mouse report (mode 1006), whose columns and rows start at 1.
    private var mouse: MouseEvent? {
        MouseButton(code: number(0), isRelease: final == UInt8(ascii: "m"))
            .event(column: number(1) - 1, row: number(2) - 1)
    }

    private var key: Key? {
        let isShifted = numbers.count > 1 && (max(number(1), 1) - 1) & 1 == 1
        switch Unicode.Scalar(final) {
        case "A": return .arrow(.up, shift: isShifted)
        case "B": return .arrow(.down, shift: isShifted)
        case "C": return .arrow(.right, shift: isShifted)
        case "D": return .arrow(.left, shift: isShifted)
        case "a": return .arrow(.up, shift: true)
        case "b": return .arrow(.down, shift: true)
        case "c": return .arrow(.right, shift: true)
        case "d": return .arrow(.left, shift: true)
        case "H": return .home
        case "F": return .end
        case "Z": return .backTab
        case "P", "Q", "R", "S": return .function(Int(final) - 0x4F)
        case "~": return Self.numbered[number(0)]
        default: return nil
        }
    }

    /// Keys sent as `ESC [ number ~`.
    private static let numbered: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12),
    ]
}

/// The button code of an xterm mouse report. Only the left button and the wheel produce events.
struct MouseButton {
    let code: Int
    let isRelease: Bool

    func event(column: Int, row: Int) -> MouseEvent? {
        guard column >= 0, row >= 0, let action else { return nil }
        return MouseEvent(action, column: column, row: row, shift: code & 4 != 0)
    }

    private var action: MouseEvent.Action? {
        switch code & ~0b1_1100 {
        case 0: isRelease ? .release : .press
        case 32: isRelease ? .release : .drag
        case 64: isRelease ? nil : .wheelUp
        case 65: isRelease ? nil : .wheelDown
        default: nil
        }
    }
}

/// Mouse reports of terminals without mode 1006: `ESC [ M` and three bytes, each offset by 32.
enum OldMouse {
    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        let numbers = bytes.dropFirst(3).prefix(3).map { Int($0) - 32 }
        guard numbers.count == 3 else { return .incomplete }
        let isRelease = numbers[0] & 0b110_0011 == 3
        let button = MouseButton(code: isRelease ? 0 : numbers[0], isRelease: isRelease)
        let event = button.event(column: numbers[1] - 1, row: numbers[2] - 1)
        return .read(6, event.map { [.key(.mouse($0))] } ?? [])
    }
}

/// A response that is enclosed in a control string (ECMA-48 5.6): `ESC ]` (OSC), `ESC P` (DCS) or `ESC _`
/// (APC), terminated by `ESC \\` or, for OSC, BEL. None of its bytes are keys, however late it arrives.
enum ControlString {
    /// The maximum length of a response. Longer ones are dropped.
    private static let longest = 1024

    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        guard let kind = bytes.dropFirst().first else { return .incomplete }
        let body = bytes.dropFirst(2)
        guard let first = body.first else { return .incomplete }
        guard isStart(first, of: kind) else { return .read(1, [.key(.escape)]) }
        let text = body.prefix { 0x20...0x7E ~= $0 }
        let ending = body.dropFirst(text.count)
        guard text.count <= longest else { return .read(2 + text.count, []) }
        switch ending.first {
        case nil: return .incomplete
        case 0x07: return .read(3 + text.count, reports(kind, text))
        case 0x1B where ending.count == 1: return .incomplete
        case 0x1B where ending.dropFirst().first == UInt8(ascii: "\\"):
            return .read(4 + text.count, reports(kind, text))
        default: return .read(2 + text.count, [])
        }
    }

    /// Returns true if responses of a kind start with the byte. Others are keys pressed together with Alt.
    private static func isStart(_ byte: UInt8, of kind: UInt8) -> Bool {
        switch Unicode.Scalar(kind) {
        case "]": 0x30...0x39 ~= byte
        case "P": [0x3E, 0x21, 0x30, 0x31].contains(byte)
        default: byte == UInt8(ascii: "G")
        }
    }

    private static func reports(_ kind: UInt8, _ text: ArraySlice<UInt8>) -> [TerminalReport] {
        let value = String(decoding: text, as: UTF8.self)
        switch Unicode.Scalar(kind) {
        case "]": return value.hasPrefix("11;") ? background(value.dropFirst(3)) : []
        case "P": return value.hasPrefix(">|") ? [.name(String(value.dropFirst(2)))] : []
        default: return graphics(value.dropFirst())
        }
    }

    /// Parses the background colour, `rgb:RRRR/GGGG/BBBB`.
    private static func background(_ value: Substring) -> [TerminalReport] {
        guard value.hasPrefix("rgb:") else { return [] }
        let channels = value.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false)
            .compactMap(channel)
        guard channels.count == 3 else { return [] }
        return [.background(RGB(red: channels[0], green: channels[1], blue: channels[2]))]
    }

    /// Parses one to four hexadecimal digits and scales them to 8 bits.
    private static func channel(_ digits: Substring) -> UInt8? {
        guard 1...4 ~= digits.utf8.count, let value = UInt32(digits, radix: 16) else { return nil }
        let largest = UInt32(1) << (4 * UInt32(digits.utf8.count)) - 1
        return UInt8((value * 255 + largest / 2) / largest)
    }

    /// Parses `i=ID,…;MESSAGE`, where the message is OK or an error.
    private static func graphics(_ value: Substring) -> [TerminalReport] {
        let parts = value.split(separator: ";", maxSplits: 1)
        guard parts.count == 2 else { return [] }
        let id = parts[0].split(separator: ",").first { $0.hasPrefix("i=") }
            .flatMap { UInt32($0.dropFirst(2)) }
        return id.map { [.image(id: $0, isStored: parts[1] == "OK")] } ?? []
    }
}
