internal import RhumbCore

/// The response to the background colour query: `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, terminated by BEL or `ESC
/// \`.
enum TerminalAnswer {
    private static let opening = Array("11;".utf8)
    private static let longest = 64

    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        let lone = KeyDecoder.Step.read(1, [.key(.escape)])
        let body = bytes.dropFirst(2)
        guard body.starts(with: opening) else {
            return opening.starts(with: body) ? .incomplete : lone
        }
        let text = body.prefix { 0x20...0x7E ~= $0 }
        let ending = body.dropFirst(text.count)
        guard text.count <= longest else { return .read(2 + text.count, []) }
        switch ending.first {
        case nil: return .incomplete
        case 0x07: return .read(3 + text.count, report(text))
        case 0x1B where ending.count == 1: return .incomplete
        case 0x1B where ending.dropFirst().first == UInt8(ascii: "\\"):
            return .read(4 + text.count, report(text))
        default: return .read(2 + text.count, [])
        }
    }

    private static func report(_ text: ArraySlice<UInt8>) -> [TerminalReport] {
        let value = String(decoding: text.dropFirst(opening.count), as: UTF8.self)
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
}
