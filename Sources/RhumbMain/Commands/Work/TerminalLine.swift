internal import CLinux
internal import Glibc
internal import Rhumb
internal import Synchronization

/// The terminal line in which progress is drawn. Messages clear it, and the next update draws it again.
enum TerminalLine {
    private static let width = Mutex(0)
    private static let barWidth = 16
    private static let widthWithBar = 50

    /// Draws a line over the previous one.
    static func show(_ line: ProgressMeter.Line) {
        endLineOnSignals()
        let text = text(line, columns: columns, isUnicode: Output.isUnicode)
        width.withLock { width in
            let columns = text.width
            write("\r" + text + String(repeating: " ", count: max(width - columns, 0)))
            width = columns
        }
    }

    /// Clears the line if it is drawn.
    static func clear() {
        width.withLock { width in
            if width > 0 { write("\r" + String(repeating: " ", count: width) + "\r") }
            width = 0
        }
    }

    /// Returns the text of a line, such as "home ████████░░░░░░░░ 600/1,200 50% · 48 tiles/s · 13 s left",
    /// shortened at a word.
    static func text(_ line: ProgressMeter.Line, columns: Int, isUnicode: Bool) -> String {
        var text = SafeText.harmless(line.sentence)
        if let fraction = line.fraction, columns >= widthWithBar {
            let label = line.label.isEmpty ? "" : SafeText.harmless(line.label) + " "
            text = label + bar(fraction, isUnicode) + " " + text.dropFirst(label.count)
        }
        text = shortened(text, below: columns)
        if !isUnicode { text = Transliteration.plain(text) }
        while text.width >= max(columns, 1) { text.removeLast() }
        return text
    }

    /// Returns the text without its last parts or, if the first part alone is too wide, without its last
    /// words.
    private static func shortened(_ text: String, below columns: Int) -> String {
        guard text.width >= columns else { return text }
        let separator = text.contains(" · ") ? " · " : " "
        let parts = text.split(separator: separator).dropLast()
        return parts.isEmpty ? text : shortened(parts.joined(separator: separator), below: columns)
    }

    private static func bar(_ fraction: Double, _ isUnicode: Bool) -> String {
        let full = Int(clamping: (min(max(fraction, 0), 1) * Double(barWidth)).rounded(.down))
        let (done, left) = isUnicode ? ("█", "░") : ("#", ".")
        let bar = String(repeating: done, count: full) + String(repeating: left, count: barWidth - full)
        return isUnicode ? bar : "[\(bar)]"
    }

    private static var columns: Int { Output.window(STDERR_FILENO).map { Int($0.ws_col) } ?? 80 }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Ends the line before a signal ends the program, unless the signal has another handler.
    private static func endLineOnSignals() { _ = handlers }

    private static let handlers: Void = {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else {
                continue
            }
            signal(number) { number in
                var newline = UInt8(ascii: "\n")
                _ = Glibc.write(STDERR_FILENO, &newline, 1)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }()
}
