/// A page of the manual, parsed from Markdown.
public struct ManualPage: Sendable {
    /// The topic, as given to `rhumb help`.
    public let topic: String
    /// The contents, from top to bottom. The first block is the title.
    public private(set) var blocks: [ManualBlock]

    /// - Parameter markdown: The text, which consists of headings, paragraphs, lists, tables and fenced code.
    public init(topic: String, markdown: String) {
        self.topic = topic
        var parser = ManualParser()
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) { parser.read(line) }
        blocks = parser.finished()
    }

    /// The title.
    public var title: String {
        for case .heading(1, let text) in blocks { return text.plain }
        return topic
    }

    /// The first paragraph, which describes the page in one line.
    public var summary: String {
        for case .paragraph(let text) in blocks { return text.plain }
        return ""
    }

    /// The commands and listings in the page's code blocks.
    public var code: [(lines: [String], info: String)] {
        blocks.compactMap { if case .code(let lines, let info) = $0 { (lines, info) } else { nil } }
    }

    /// Returns the page with a table appended.
    public func appending(table rows: [[String]]) -> ManualPage {
        var page = self
        page.blocks.append(.table(rows.map { $0.map { ManualText(plain: $0) } }))
        return page
    }
}

/// A block of a page.
public enum ManualBlock: Equatable, Sendable {
    /// A heading; level 1 is the title.
    case heading(level: Int, ManualText)
    /// Running text.
    case paragraph(ManualText)
    /// A bulleted list.
    case list([ManualText])
    /// Lines of code, and the info string after the opening fence.
    case code([String], info: String)
    /// Rows of cells. The first row is the header.
    case table([[ManualText]])
}

/// Parses the blocks of a page line by line.
private struct ManualParser {
    private var blocks: [ManualBlock] = []
    private var paragraph: [Substring] = []
    private var items: [[Substring]] = []
    private var rows: [[ManualText]] = []
    private var code: (lines: [String], info: String)?

    mutating func read(_ line: Substring) {
        if let open = code {
            if line.hasPrefix("```") {
                blocks.append(.code(open.lines, info: open.info))
                code = nil
            } else {
                code?.lines.append(String(line))
            }
        } else if line.hasPrefix("```") {
            endBlock()
            code = ([], String(line.dropFirst(3)))
        } else if line.hasPrefix("#") {
            endBlock()
            let level = line.prefix { $0 == "#" }.count
            blocks.append(.heading(level: level, ManualText(line.dropFirst(level + 1))))
        } else if line.hasPrefix("|") {
            if rows.isEmpty { endBlock() }
            let cells = ManualParser.cells(line)
            if !cells.allSatisfy(ManualParser.isRule) { rows.append(cells.map { ManualText($0[...]) }) }
        } else if line.hasPrefix("- ") {
            if items.isEmpty { endBlock() }
            items.append([line.dropFirst(2)])
        } else if line.allSatisfy({ $0 == " " }) {
            endBlock()
        } else if items.isEmpty {
            paragraph.append(line)
        } else {
            items[items.count - 1].append(line.drop { $0 == " " })
        }
    }

    mutating func finished() -> [ManualBlock] {
        endBlock()
        return blocks
    }

    private mutating func endBlock() {
        if !paragraph.isEmpty { blocks.append(.paragraph(ManualText(paragraph.joined(separator: " ")[...]))) }
        if !items.isEmpty { blocks.append(.list(items.map { ManualText($0.joined(separator: " ")[...]) })) }
        if !rows.isEmpty { blocks.append(.table(rows)) }
        paragraph = []
        items = []
        rows = []
    }

    /// Returns the cells of a table row. `\|` stands for a bar in a cell.
    private static func cells(_ line: Substring) -> [String] {
        var cells = [""], isEscaped = false
        for character in line.dropFirst() {
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                if character == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        return cells.dropLast()
    }

    /// True for a cell of the row between header and body, such as "---".
    private static func isRule(_ cell: String) -> Bool {
        cell.contains("-") && cell.allSatisfy { "-: ".contains($0) }
    }
}
