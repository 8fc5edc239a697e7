internal import RhumbCore

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
