internal import RhumbBase

/// Cells as a drawing in Scalable Vector Graphics (SVG 1.1). Backgrounds and block glyphs become shapes, all
/// other glyphs become text in a monospaced font.
public enum SVGWriter {
    /// The size of a cell in SVG units.
    private static let width = 8, height = 16
    /// The baseline and the font size in a cell.
    private static let baseline = 12, size = 13

    /// Returns the whole document.
    /// - Parameters:
    ///   - ink: The colour for the terminal's own foreground.
    ///   - paper: The colour for its background.
    public static func text(_ grid: CellGrid, ink: RGB, paper: RGB) -> String {
        let size = "\(grid.columns * width)\" height=\"\(grid.rows * height)\""
        let drawing = Drawing(grid, ink: ink, paper: paper)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size) \
            viewBox="0 0 \(grid.columns * width) \(grid.rows * height)">
            <rect width="100%" height="100%" fill="\(hex(paper))"/>
            <g shape-rendering="crispEdges" stroke="none">
            \(drawing.shapes)</g>
            <g font-family="DejaVu Sans Mono, monospace" font-size="\(SVGWriter.size)" stroke="none" xml:space="preserve">
            \(drawing.texts)</g>
            </svg>

            """
    }

    fileprivate static func hex(_ colour: RGB) -> String {
        "#" + colour.hex.digits(6, radix: 16)
    }

    /// The shapes of a grid, grouped by colour.
    private struct Drawing {
        private var papers: [RGB: String] = [:]
        private var blocks: [RGB: String] = [:]
        private(set) var texts = ""
        private let ink: RGB
        private let paper: RGB

        init(_ grid: CellGrid, ink: RGB, paper: RGB) {
            self.ink = ink
            self.paper = paper
            for row in 0..<grid.rows {
                var run = Run()
                for column in 0..<grid.columns { add(grid[row, column], row, column, &run) }
                end(&run)
            }
        }

        /// The rectangles, with backgrounds first.
        var shapes: String { paths(papers) + paths(blocks) }

        private func paths(_ shapes: [RGB: String]) -> String {
            shapes.sorted { $0.key.hex < $1.key.hex }.map {
                "<path fill=\"\(hex($0.key))\" d=\"\($0.value)\"/>\n"
            }.joined()
        }

        private mutating func add(_ cell: Cell, _ row: Int, _ column: Int, _ run: inout Run) {
            var front = cell.ink.rgb ?? ink
            var back = cell.paper.rgb ?? paper
            if cell.style.contains(.reverse) { (front, back) = (back, front) }
            if back != paper { papers[back, default: ""] += box(column * width, row * height, width, height) }
            if let shape = BlockShape(cell.glyph) {
                end(&run)
                for part in shape.parts {
                    blocks[front, default: ""] += box(
                        column * width + part.x, row * height + part.y, part.width, part.height)
                }
            } else if !cell.isContinuation {
                put(cell, front, row, column, &run)
            }
        }

        private func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
            "M\(x) \(y)h\(width)v\(height)h-\(width)z"
        }

        // MARK: Text

        /// Adjacent characters with the same colour and weight.
        private struct Run {
            var text = ""
            var row = 0
            var column = 0
            var columns = 0
            var colour = RGB(0)
            var isBold = false
        }

        private mutating func put(_ cell: Cell, _ colour: RGB, _ row: Int, _ column: Int, _ run: inout Run) {
            let isBold = cell.style.contains(.bold)
            let goesOn =
                !run.text.isEmpty && run.colour == colour && run.isBold == isBold
                && run.column + run.columns == column
            if !goesOn {
                end(&run)
                if cell.glyph == " " { return }
                run.row = row
                run.column = column
                run.colour = colour
                run.isBold = isBold
            }
            run.text.unicodeScalars.append(cell.glyph)
            if let mark = cell.mark { run.text.unicodeScalars.append(mark) }
            run.columns += TextWidth.columns(of: cell.glyph)
        }

        private mutating func end(_ run: inout Run) {
            defer { run = Run() }
            while run.text.last == " " {
                run.text.removeLast()
                run.columns -= 1
            }
            guard !run.text.isEmpty else { return }
            texts +=
                "<text x=\"\(run.column * width)\" y=\"\(run.row * height + baseline)\" fill=\"\(hex(run.colour))\""
            if run.isBold { texts += " font-weight=\"bold\"" }
            texts +=
                " textLength=\"\(run.columns * width)\" lengthAdjust=\"spacingAndGlyphs\">\(escaped(run.text))</text>\n"
        }

        private func escaped(_ text: String) -> String {
            var safe = ""
            for character in SafeText.harmless(text) {
                switch character {
                case "&": safe += "&amp;"
                case "<": safe += "&lt;"
                case ">": safe += "&gt;"
                default: safe.append(character)
                }
            }
            return safe
        }
    }
}

/// A block glyph as rectangles in a cell of 8 × 16 units.
private struct BlockShape {
    struct Part { let x, y, width, height: Int }

    let parts: [Part]

    /// - Returns: nil if the glyph is not a block.
    init?(_ glyph: Unicode.Scalar) {
        guard let parts = BlockShape.all[glyph] else { return nil }
        self.parts = parts
    }

    private static let all: [Unicode.Scalar: [Part]] = {
        var all: [Unicode.Scalar: [Part]] = [:]
        let families = [
            (BlockGlyphs.octant, 2, 4), (BlockGlyphs.sextant, 2, 3), (BlockGlyphs.quadrant, 2, 2),
            (BlockGlyphs.half, 1, 2),
        ]
        for (glyphs, columns, rows) in families {
            for (bits, glyph) in glyphs.enumerated() where glyph != " " {
                all[glyph] = (0..<columns * rows).filter { bits >> $0 & 1 == 1 }.map {
                    part($0, columns, rows)
                }
            }
        }
        return all
    }()

    private static func part(_ bit: Int, _ columns: Int, _ rows: Int) -> Part {
        let top = 16 * (bit / columns) / rows, bottom = 16 * (bit / columns + 1) / rows
        return Part(x: 8 / columns * (bit % columns), y: top, width: 8 / columns, height: bottom - top)
    }
}
