internal import Glibc
internal import RhumbCore

/// The terminal around tmux, as tmux reports it.
public struct Tmux: Equatable, Sendable {
    /// The name and version of the terminal, such as "kitty(0.35.0)"; empty if unknown.
    public let terminal: String
    /// True if programs may write to the terminal past tmux.
    public let passesThrough: Bool

    /// - Parameter answer: "on", "all", "off", or in tmux 3.3 "1" or "0"; a space, and the name.
    init(answer: some StringProtocol) {
        let parts = answer.split(separator: " ", maxSplits: 1)
        passesThrough = parts.first.map { ["on", "all", "1"].contains($0) } ?? false
        terminal =
            parts.count > 1
            ? SafeText.sanitised(String(parts[1].prefix { !$0.isNewline }), limit: 60) : ""
    }

    /// A question to tmux about the program's pane. tmux answers within milliseconds.
    final class Question {
        /// Becomes readable with the answer.
        let descriptor: Int32
        private let pipe: UnsafeMutablePointer<FILE>

        /// Asks; nil if there is no pane, as in a popup.
        init?() {
            guard let pane = getenv("TMUX_PANE"), pane.pointee != 0 else { return nil }
            let command =
                "timeout 1 tmux display-message -p -t \"$TMUX_PANE\" "
                + "'#{allow-passthrough} #{client_termtype}' 2>/dev/null </dev/null"
            guard let pipe = popen(command, "re") else { return nil }
            self.pipe = pipe
            descriptor = fileno(pipe)
        }

        /// Waits for the answer; nil if there is none.
        func answer() -> Tmux? {
            var text = [UInt8](repeating: 0, count: 256)
            text.removeLast(text.count - fread(&text, 1, text.count, pipe))
            return text.isEmpty ? nil : Tmux(answer: String(decoding: text, as: UTF8.self))
        }

        deinit { pclose(pipe) }
    }
}
