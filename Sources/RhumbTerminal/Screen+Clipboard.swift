internal import RhumbCore

extension Screen {
    /// The size in bytes of the longest text that all terminals accept; xterm has the lowest limit.
    private static let clipboardLimit = 74_000

    /// Sends a text to the terminal's clipboard (OSC 52). The terminal doesn't confirm it.
    public func copy(_ text: String) {
        guard profile.answersQueries, text.utf8.count <= Screen.clipboardLimit else { return }
        clipboard = Array("\u{1B}]52;c;\(Base64.encoded(Array(text.utf8)))\u{1B}\\".utf8)
        sendClipboard()
    }

    /// Sends pending clipboard text between two frames; within one it would split a sequence.
    func sendClipboard() {
        guard !clipboard.isEmpty, !output.isBusy else { return }
        _ = device.write(clipboard[...], timeout: 500)
        clipboard = []
    }
}
