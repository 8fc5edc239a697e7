internal import RhumbCore

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
