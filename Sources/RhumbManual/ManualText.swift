internal import RhumbCore

/// Text with emphasis.
public struct ManualText: Equatable, Sendable {
    /// A piece of text in one style.
    public struct Span: Equatable, Sendable {
        /// The emphasis of a piece of text.
        public enum Style: Sendable {
            /// Running text.
            case plain
            /// Commands, keys and important words.
            case strong
            /// The address of a web page.
            case link
        }

        /// The text.
        public var text: String
        /// Its emphasis.
        public let style: Style
    }

    /// The pieces, in order.
    public private(set) var spans: [Span] = []

    /// The text without emphasis.
    public var plain: String { spans.map(\.text).joined() }

    /// The number of terminal columns that the text occupies.
    public var columns: Int { TextWidth.columns(of: plain) }

    /// Creates a text without markup.
    public init(plain: String) { spans = plain.isEmpty ? [] : [Span(text: plain, style: .plain)] }

    init(_ spans: [Span]) { self.spans = spans }

    /// - Parameter markdown: One paragraph, which may contain code, strong text and links.
    init(_ markdown: Substring) {
        var rest = markdown.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        while let first = rest.first {
            if first == "`", let end = rest.dropFirst().firstIndex(of: "`") {
                append(String(rest[rest.index(after: rest.startIndex)..<end]), .strong)
                rest = rest[rest.index(after: end)...]
            } else if rest.hasPrefix("**"), let end = rest.dropFirst(2).firstRange(of: "**") {
                append(String(rest.dropFirst(2)[..<end.lowerBound]), .strong)
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<http"), let end = rest.firstIndex(of: ">") {
                append(String(rest[rest.index(after: rest.startIndex)..<end]), .link)
                rest = rest[rest.index(after: end)...]
            } else {
                append(String(first), .plain)
                rest = rest.dropFirst()
            }
        }
    }

    mutating func append(_ text: String, _ style: Span.Style) {
        if let last = spans.indices.last, spans[last].style == style {
            spans[last].text += text
        } else if !text.isEmpty {
            spans.append(Span(text: text, style: style))
        }
    }

    /// Breaks the text at spaces into lines of at most this many columns. A longer word gets its own line.
    func wrapped(_ width: Int) -> [ManualText] {
        var lines: [ManualText] = [], line = ManualText([]), used = 0
        for word in words {
            let columns = word.columns
            if used > 0, used + 1 + columns > width {
                lines.append(line)
                line = ManualText([])
                used = 0
            }
            if used > 0 {
                line.append(" ", .plain)
                used += 1
            }
            for span in word.spans { line.append(span.text, span.style) }
            used += columns
        }
        return lines + [line]
    }

    /// The words separated by spaces, each with its emphasis.
    private var words: [ManualText] {
        var words = [ManualText([])]
        for span in spans {
            for (number, piece) in span.text.split(separator: " ", omittingEmptySubsequences: false)
                .enumerated()
            {
                if number > 0 { words.append(ManualText([])) }
                words[words.count - 1].append(String(piece), span.style)
            }
        }
        return words.filter { !$0.spans.isEmpty }
    }
}
