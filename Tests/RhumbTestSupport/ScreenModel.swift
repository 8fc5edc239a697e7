public import RhumbCore

/// A small terminal that interprets a program's output into cells, as xterm would.
///
/// It supports what ncurses and Rhumb send: cursor moves, colours in every notation, erasing, inserting and
/// deleting, repeating, scroll regions, the alternate screen, and wide and combining characters.
public struct ScreenModel {
    /// The content of the screen.
    public private(set) var grid: CellGrid
    /// The position of the cursor, counted from 0.
    public private(set) var cursor: (row: Int, column: Int) = (0, 0)
    public private(set) var isCursorShown = true
    public private(set) var isAlternate = false
    /// The private modes that are set: 1002, 1006, 2004, 2026, …
    public private(set) var modes: Set<Int> = [7]
    /// Sequences that were not understood, which a correct program doesn't send.
    public private(set) var unknown: [String] = []
    /// The terminal's replies to queries since they were last taken.
    public var replies: [UInt8] = []
    /// The background colour reported to queries; nil for no reply.
    public var background: RGB? = RGB(0x10202E)

    /// The images; nil for a terminal without them.
    public var images: ImageModel?
    /// The name and version that the terminal reports; nil for no reply.
    public var name: String?
    /// The size of a cell in pixels that the terminal reports; nil for no reply.
    public var cellSize: (width: Int, height: Int)?

    private var parser = SequenceParser()
    private var pen = Cell.blank
    private var top = 0
    private var bottom: Int
    private var isWrapPending = false
    private var lastGlyph: Unicode.Scalar = " "
    private var saved: (row: Int, column: Int) = (0, 0)
    private var mainGrid: CellGrid?

    public init(columns: Int, rows: Int) {
        grid = CellGrid(columns: columns, rows: rows)
        bottom = rows - 1
    }

    /// The screen as text, a line for each row, without trailing spaces.
    public var text: String {
        grid.lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    public mutating func resize(columns: Int, rows: Int) {
        var resized = CellGrid(columns: columns, rows: rows)
        for row in 0..<min(rows, grid.rows) {
            for column in 0..<min(columns, grid.columns) { resized[row, column] = grid[row, column] }
        }
        grid = resized
        mainGrid = mainGrid.map { _ in CellGrid(columns: columns, rows: rows) }
        top = 0
        bottom = rows - 1
        move(row: cursor.row, column: cursor.column)
    }

    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch parser.take(byte) {
            case nil: break
            case .character(let scalar): put(scalar)
            case .control(let byte): control(byte)
            case .sequence(let sequence): run(sequence)
            case .escape(let letter): escape(letter)
            case .system(let text): system(text)
            }
        }
    }

    // MARK: Characters

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = TextWidth.columns(of: scalar)
        if width == 0 { return combine(scalar) }
        if isWrapPending || cursor.column + width > grid.columns {
            cursor.column = 0
            lineFeed()
        }
        isWrapPending = false
        lastGlyph = scalar
        for offset in 0..<min(width, grid.columns) {
            breakWide(cursor.row, cursor.column + offset)
            var cell = pen
            cell.glyph = offset == 0 ? scalar : " "
            cell.isContinuation = offset == 1
            grid[cursor.row, cursor.column + offset] = cell
        }
        cursor.column += width
        if cursor.column >= grid.columns {
            cursor.column = grid.columns - 1
            isWrapPending = true
        }
    }

    private mutating func combine(_ mark: Unicode.Scalar) {
        var column = isWrapPending ? cursor.column : cursor.column - 1
        guard column >= 0 else { return }
        if grid[cursor.row, column].isContinuation { column -= 1 }
        grid[cursor.row, column].mark = mark
    }

    private mutating func breakWide(_ row: Int, _ column: Int) {
        if grid[row, column].isContinuation, column > 0 { grid[row, column - 1].glyph = " " }
        if column + 1 < grid.columns, grid[row, column + 1].isContinuation {
            grid[row, column + 1].isContinuation = false
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x08: move(row: cursor.row, column: cursor.column - 1)
        case 0x09: move(row: cursor.row, column: (cursor.column / 8 + 1) * 8)
        case 0x0A, 0x0B, 0x0C: lineFeed()
        case 0x0D: move(row: cursor.row, column: 0)
        default: break
        }
    }

    private mutating func lineFeed() {
        isWrapPending = false
        if cursor.row == bottom { scroll(1) } else { cursor.row = min(cursor.row + 1, grid.rows - 1) }
    }

    // MARK: Sequences

    private mutating func escape(_ letter: UInt8) {
        switch Unicode.Scalar(letter) {
        case "7": saved = cursor
        case "8": move(row: saved.row, column: saved.column)
        case "M":
            if cursor.row == top { scroll(-1) } else { move(row: cursor.row - 1, column: cursor.column) }
        case "c": self = ScreenModel(columns: grid.columns, rows: grid.rows)
        case "=", ">", "\\": break
        default: unknown.append("ESC \(Unicode.Scalar(letter))")
        }
    }

    private mutating func system(_ text: String) {
        if text.hasPrefix("G") {
            replies += (images?.run(text, at: cursor) ?? "").utf8
            return
        }
        guard text == "11;?", let background else { return }
        let channels = [background.red, background.green, background.blue].map { channel in
            let digits = String(channel, radix: 16)
            let two = digits.count == 1 ? "0" + digits : digits
            return two + two
        }
        replies += "\u{1B}]11;rgb:\(channels.joined(separator: "/"))\u{1B}\\".utf8
    }

    private mutating func run(_ sequence: ControlCode) {
        if sequence.mark != nil { return runPrivate(sequence) }
        guard sequence.intermediates.isEmpty else { return }
        let count = max(sequence[0] ?? 1, 1)
        switch Unicode.Scalar(sequence.final) {
        case "A": move(row: cursor.row - count, column: cursor.column)
        case "B", "e": move(row: cursor.row + count, column: cursor.column)
        case "C", "a": move(row: cursor.row, column: cursor.column + count)
        case "D": move(row: cursor.row, column: cursor.column - count)
        case "E": move(row: cursor.row + count, column: 0)
        case "F": move(row: cursor.row - count, column: 0)
        case "G", "`": move(row: cursor.row, column: count - 1)
        case "d": move(row: count - 1, column: cursor.column)
        case "H", "f": move(row: count - 1, column: max(sequence[1] ?? 1, 1) - 1)
        case "J": eraseScreen(sequence[0] ?? 0)
        case "K": eraseLine(sequence[0] ?? 0)
        case "X": erase(cursor.row, cursor.column..<(cursor.column + count))
        case "@": shift(by: count)
        case "P": shift(by: -count)
        case "L": scroll(-count, from: cursor.row)
        case "M": scroll(count, from: cursor.row)
        case "S": scroll(count)
        case "T": scroll(-count)
        case "b": for _ in 0..<count { put(lastGlyph) }
        case "r": setRegion(sequence)
        case "m": Rendition.apply(sequence, to: &pen)
        case "c": replies += "\u{1B}[?62;22c".utf8
        case "s": saved = cursor
        case "u": move(row: saved.row, column: saved.column)
        case "t" where sequence[0] == 16:
            if let cellSize { replies += "\u{1B}[6;\(cellSize.height);\(cellSize.width)t".utf8 }
        case "t", "h", "l", "n", "g": break
        default: unknown.append(sequence.description)
        }
    }

    private mutating func runPrivate(_ sequence: ControlCode) {
        if sequence.mark == UInt8(ascii: ">"), sequence.final == UInt8(ascii: "q"), let name {
            replies += "\u{1B}P>|\(name)\u{1B}\\".utf8
        }
        guard sequence.mark == UInt8(ascii: "?") else { return }
        switch (Unicode.Scalar(sequence.final), sequence.intermediates) {
        case ("h", []): for number in sequence.numbers { set(number ?? 0, true) }
        case ("l", []): for number in sequence.numbers { set(number ?? 0, false) }
        case ("p", [UInt8(ascii: "$")]):
            let state = modes.contains(sequence[0] ?? 0) ? 1 : 2
            replies += "\u{1B}[?\(sequence[0] ?? 0);\(state)$y".utf8
        // The Linux console's sequence for the cursor's shape.
        case ("c", []): break
        default: unknown.append(sequence.description)
        }
    }

    private mutating func set(_ mode: Int, _ isOn: Bool) {
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
        switch mode {
        case 25: isCursorShown = isOn
        case 47, 1047, 1049: setAlternate(isOn)
        default: break
        }
    }

    private mutating func setAlternate(_ isOn: Bool) {
        guard isOn != isAlternate else { return }
        images?.clear()
        isAlternate = isOn
        if isOn {
            saved = cursor
            mainGrid = grid
            grid = CellGrid(columns: grid.columns, rows: grid.rows)
        } else {
            grid = mainGrid ?? grid
            mainGrid = nil
            move(row: saved.row, column: saved.column)
        }
    }

    // MARK: Cursor, erasing and moving text

    private mutating func move(row: Int, column: Int) {
        cursor.row = max(0, min(row, grid.rows - 1))
        cursor.column = max(0, min(column, grid.columns - 1))
        isWrapPending = false
    }

    private mutating func eraseScreen(_ part: Int) {
        if part == 2 { images?.clear() }
        if part == 0 { eraseLine(0) }
        if part == 1 { eraseLine(1) }
        let rows = part == 0 ? (cursor.row + 1)..<grid.rows : part == 1 ? 0..<cursor.row : 0..<grid.rows
        for row in rows { erase(row, 0..<grid.columns) }
    }

    private mutating func eraseLine(_ part: Int) {
        switch part {
        case 0: erase(cursor.row, cursor.column..<grid.columns)
        case 1: erase(cursor.row, 0..<(cursor.column + 1))
        default: erase(cursor.row, 0..<grid.columns)
        }
    }

    private var erased: Cell { Cell(" ", paper: pen.paper) }

    private mutating func erase(_ row: Int, _ columns: Range<Int>) {
        for column in columns.clamped(to: 0..<grid.columns) {
            breakWide(row, column)
            grid[row, column] = erased
        }
    }

    /// Moves the rest of the line right, inserting blanks, or left, deleting cells.
    private mutating func shift(by count: Int) {
        let old = grid
        for column in cursor.column..<grid.columns {
            let from = column - count
            let isKept = from >= cursor.column && from < grid.columns
            grid[cursor.row, column] = isKept ? old[cursor.row, from] : erased
        }
    }

    private mutating func setRegion(_ sequence: ControlCode) {
        top = max((sequence[0] ?? 1) - 1, 0)
        bottom = min((sequence[1] ?? grid.rows) - 1, grid.rows - 1)
        if top >= bottom { (top, bottom) = (0, grid.rows - 1) }
        move(row: 0, column: 0)
    }

    /// Moves the lines of the region up, or down if the count is negative.
    private mutating func scroll(_ count: Int, from first: Int? = nil) {
        let old = grid
        let first = first ?? top
        guard first <= bottom else { return }
        for row in first...bottom {
            let from = row + count
            for column in 0..<grid.columns {
                grid[row, column] = (first...bottom).contains(from) ? old[from, column] : erased
            }
        }
    }
}
