internal import CExpat
internal import Glibc

/// Converts text in an encoding that iconv knows to UTF-8, piece by piece.
final class TextDecoder {
    private let decoder: iconv_t
    /// The beginning of a character whose end follows in the next bytes.
    private var held: [UInt8] = []
    private static let replacement = Array("\u{FFFD}".utf8)

    /// Returns nil for an unknown encoding, and for one in which bytes of ASCII have other meanings.
    init?(_ encoding: String) {
        let isName = encoding.utf8.allSatisfy { byte in
            byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._:".utf8.contains(byte)
        }
        guard isName, !encoding.isEmpty, let decoder = iconv_open("UTF-8", encoding),
            decoder != iconv_t(bitPattern: -1)
        else { return nil }
        self.decoder = decoder
        // Japanese encodings have other signs in the places of the backslash and the tilde.
        let isASCII = (0..<0x80).allSatisfy { (byte: UInt8) in
            "\\~".utf8.contains(byte) || utf8([byte], isFinal: true) == [byte]
        }
        guard isASCII else { return nil }
    }

    deinit { iconv_close(decoder) }

    /// Returns the next bytes in UTF-8. Invalid ones are replaced.
    /// - Parameter isFinal: True at the end of the text.
    func utf8(_ bytes: some Sequence<UInt8>, isFinal: Bool) -> [UInt8] {
        var input = (held + bytes).map { CChar(bitPattern: $0) }, output: [UInt8] = []
        held = []
        input.withUnsafeMutableBufferPointer { input in
            var next = input.baseAddress, left = input.count
            while left > 0 {
                let (problem, text) = convert(&next, &left)
                output += text
                if problem == EINVAL, !isFinal {
                    held = input.suffix(left).map { UInt8(bitPattern: $0) }
                    left = 0
                } else if problem == EINVAL || problem == EILSEQ {
                    output += Self.replacement
                    next = next.map { $0 + 1 }
                    left -= 1
                }
            }
        }
        // A letter may be held back, because an accent could follow.
        var none: UnsafeMutablePointer<CChar>?, noBytes = 0
        if isFinal { output += convert(&none, &noBytes).text }
        return output
    }

    /// Returns true for a name of UTF-8 and of ASCII, which is a part of it. Programs that save a document in
    /// UTF-8 may leave the name of UTF-16, which the bytes contradict.
    static func isUTF8(_ name: String) -> Bool {
        let name = name.filter { $0.isLetter || $0.isNumber }
        return ["utf8", "xutf8", "csutf8", "unicode11utf8", "usascii", "ascii"].contains(name)
            || ["utf16", "ucs2", "iso10646ucs2"].contains { name.hasPrefix($0) }
    }

    /// Converts as many bytes as fit a piece, or those held back if there are none.
    /// - Returns: iconv's error, 0 for none, and the text.
    private func convert(
        _ input: inout UnsafeMutablePointer<CChar>?, _ count: inout Int
    ) -> (problem: Int32, text: [UInt8]) {
        var problem: Int32 = 0
        let text = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, written in
            buffer.withMemoryRebound(to: CChar.self) { piece in
                var output = piece.baseAddress, room = piece.count
                let result = iconv(decoder, &input, &count, &output, &room)
                problem = result == -1 ? errno : 0
                written = piece.count - room
            }
        }
        return (problem, text)
    }
}
