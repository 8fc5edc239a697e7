internal import Glibc
internal import Rhumb
internal import Synchronization

/// One line about work under way: overwritten on a terminal, else written now and then.
final class ProgressLine: Sendable {
    private struct State {
        var shown = -100.0
        var width = 0
        var standing = ""
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Seconds since it was made.
    var now: Double { start.duration(to: .now) / .seconds(1) }

    /// Shows a text, unless one was shown just now.
    /// - Parameter standing: a part of it that is told at once when it changes.
    func show(_ text: String, standing: String) {
        let now = now, text = SafeText.harmless(text)
        let line: String? = state.withLock { state in
            guard standing != state.standing || now - state.shown >= (isTerminal ? 0.2 : 10) else { return nil }
            (state.shown, state.standing) = (now, standing)
            let padding = String(repeating: " ", count: max(state.width - text.count, 0))
            state.width = text.count
            return isTerminal ? "\r\(text)\(padding)" : text + "\n"
        }
        if let line { ProgressLine.write(line) }
    }

    func end() {
        if isTerminal, state.withLock({ $0.width }) > 0 { ProgressLine.write("\n") }
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
