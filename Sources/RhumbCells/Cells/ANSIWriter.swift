/// The encoding of cells as text with terminal colours: ECMA-48 SGR, with direct colours as in ISO 8613-6 but
/// with semicolons, as xterm accepts them. It takes as few bytes as necessary.
public enum ANSIWriter {
    /// Returns one line per row. A line ends with a reset, if one is needed, and a line feed.
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
        private var codes: [UInt8] = []

        mutating func append(_ cell: Cell) {
            guard !cell.isContinuation else { return }
            codes.removeAll(keepingCapacity: true)
            if cell.style != style { restyle(cell.style) }
            // A space shows no foreground unless it is underlined or reversed.
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
                bytes += [0x1B, 0x5B]
                bytes += codes.dropLast()
                bytes.append(0x6D)
            }
            bytes += cell.glyph.utf8
            if let mark = cell.mark { bytes += mark.utf8 }
        }

        mutating func end() {
            if ink != .terminal || paper != .terminal || style != [] {
                bytes += [0x1B, 0x5B, 0x6D]
            }
            ink = .terminal
            paper = .terminal
            style = []
            bytes.append(0x0A)
        }

        private mutating func restyle(_ next: Cell.Style) {
            codes.appendNumber(0)
            ink = .terminal
            paper = .terminal
            style = next
            for (flag, number) in [
                (Cell.Style.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7),
            ] where next.contains(flag) {
                codes.appendNumber(number)
            }
        }
    }
}

extension [UInt8] {
    /// Appends a decimal number and a semicolon.
    fileprivate mutating func appendNumber(_ number: Int) {
        appendDigits(number)
        append(0x3B)
    }

    private mutating func appendDigits(_ number: Int) {
        if number > 9 { appendDigits(number / 10) }
        append(0x30 + UInt8(number % 10))
    }

    /// Appends the SGR parameters of a colour. `base` is 30 for the foreground and 40 for the background.
    fileprivate mutating func appendColour(_ colour: CellColor, base: Int) {
        switch colour.kind {
        case .terminal:
            appendNumber(base + 9)
        case .indexed(let index) where index < 8:
            appendNumber(base + Int(index))
        case .indexed(let index) where index < 16:
            appendNumber(base + 52 + Int(index))
        case .indexed(let index):
            appendNumber(base + 8)
            appendNumber(5)
            appendNumber(Int(index))
        case .rgb(let colour):
            appendNumber(base + 8)
            appendNumber(2)
            appendNumber(Int(colour.red))
            appendNumber(Int(colour.green))
            appendNumber(Int(colour.blue))
        }
    }
}
