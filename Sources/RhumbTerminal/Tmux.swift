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

    /// Asks tmux about the program's pane; nil if there is none, as in a popup.
    static func current() -> Tmux? {
        guard let pane = getenv("TMUX_PANE"), pane.pointee != 0 else { return nil }
        let command =
            "timeout 1 tmux display-message -p -t \"$TMUX_PANE\" '#{allow-passthrough} #{client_termtype}'"
        guard let pipe = popen(command + " 2>/dev/null </dev/null", "re") else { return nil }
        var text = [UInt8](repeating: 0, count: 256)
        let count = fread(&text, 1, text.count, pipe)
        guard pclose(pipe) == 0 else { return nil }
        return Tmux(answer: String(decoding: text.prefix(count), as: UTF8.self))
    }
}
