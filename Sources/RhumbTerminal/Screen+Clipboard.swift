extension Screen {
    /// The longest text that terminals take, in bytes: xterm's limit is the lowest.
    private static let clipboardLimit = 74_000

    /// Gives a text to the terminal for its clipboard (OSC 52). Whether it takes it can't be known.
    public func copy(_ text: String) {
        guard profile.answersQueries, text.utf8.count <= Screen.clipboardLimit else { return }
        clipboard = Array("\u{1B}]52;c;\(Base64.encoded(Array(text.utf8)))\u{1B}\\".utf8)
        sendClipboard()
    }

    /// Between two frames: within one it would cut a sequence short.
    func sendClipboard() {
        guard !clipboard.isEmpty, !output.isBusy else { return }
        _ = device.write(clipboard[...], patience: 500)
        clipboard = []
    }
}

/// RFC 4648, with padding.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let value = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0..<4 {
                text.append(place <= part.count ? digits[value >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
