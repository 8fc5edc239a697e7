internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

/// The clipboard.
extension Runtime {
    func copy(_ text: String) {
        screen.copy(text)
        copied = screen.takesClipboard ? nil : text
        send(.copied(text, isSure: screen.takesClipboard))
    }
}
