/// Cells as text with colours for a terminal (ECMA-48 SGR, direct colours after ISO 8613-6 with
/// semicolons as xterm reads them), with as few bytes as will do.
public enum ANSIWriter {
    /// One line for each row, each ended by a reset, if one is needed, and a line feed.
    public static func bytes(_ grid: CellGrid) -> [UInt8] {
        var line = Line()
        for row in 0..<grid.rows {
            for column in 0..<grid.columns { line.append(grid[row, column]) }
            line.end()
        }
        return line.bytes
    }

    private struct Line {
        var bytes: [UInt8] = []
        private var ink = CellColor.terminal
        private var paper = CellColor.terminal
        private var style: Cell.Style = []

        mutating func append(_ cell: Cell) {
            guard !cell.isContinuation else { return }
            var codes: [UInt8] = []
            if cell.style != style { restyle(cell.style, &codes) }
            // A space shows no ink unless it is underlined or reversed.
            let showsInk =
                cell.glyph != " " || cell.mark != nil
                || !cell.style.isDisjoint(with: [.reverse, .underline])
            if showsInk && cell.ink != ink {
                ink = cell.ink
                codes.appendColour(ink, base: 30)
            }
            if cell.paper != paper {
                paper = cell.paper
                codes.appendColour(paper, base: 40)
            }
            if !codes.isEmpty {
                codes.removeLast()
                bytes += [0x1B, 0x5B] + codes + [0x6D]
            }
            bytes += String(cell.glyph).utf8
            if let mark = cell.mark { bytes += String(mark).utf8 }
        }

        mutating func end() {
            if ink != .terminal || paper != .terminal || style != [] {
                bytes += [0x1B, 0x5B, 0x6D]
            }
            (ink, paper, style) = (.terminal, .terminal, [])
            bytes.append(0x0A)
        }

        private mutating func restyle(_ next: Cell.Style, _ codes: inout [UInt8]) {
            codes.appendNumber(0)
            (ink, paper, style) = (.terminal, .terminal, next)
            for (flag, number) in [
                (Cell.Style.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7),
            ] where next.contains(flag) {
                codes.appendNumber(number)
            }
        }
    }
}

extension [UInt8] {
    /// A decimal number and a semicolon.
    fileprivate mutating func appendNumber(_ number: Int) {
        append(contentsOf: String(number).utf8)
        append(0x3B)
    }

    /// The parameters that choose a colour; base 30 for ink, 40 for paper.
    fileprivate mutating func appendColour(_ colour: CellColor, base: Int) {
        switch colour.kind {
        case .terminal:
            appendNumber(base + 9)
        case .indexed(let index) where index < 8:
            appendNumber(base + Int(index))
        case .indexed(let index) where index < 16:
            appendNumber(base + 52 + Int(index))
        case .indexed(let index):
            for number in [base + 8, 5, Int(index)] { appendNumber(number) }
        case .rgb(let colour):
            for number in [base + 8, 2, Int(colour.red), Int(colour.green), Int(colour.blue)] {
                appendNumber(number)
            }
        }
    }
}
