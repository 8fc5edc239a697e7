internal import RhumbCore

/// Reduces a cell of a grid to the colours of the terminal and the characters of its locale, without control
/// characters. Cells that look the same become equal.
struct CellReduction: Sendable {
    let depth: ColorDepth
    let isUTF8: Bool
    /// True if the palette has 8 colours, so that bright colours are drawn bold.
    let foldsBright: Bool

    /// Returns the cell as shown. A wide character is reduced as its left half; the caller derives the right
    /// half from the result.
    ///
    /// - Parameter next: The right neighbour, which must be a continuation if the cell is wide.
    func reduced(_ cell: Cell, next: Cell?) -> Cell {
        var shown = cell
        reduceGlyph(&shown, next: next)
        reduceColors(&shown)
        if shown.isBlank {
            shown.ink = .terminal
            shown.style = []
        }
        return shown
    }

    private func reduceGlyph(_ cell: inout Cell, next: Cell?) {
        if cell.isContinuation { cell.glyph = " " }
        cell.isContinuation = false
        if let mark = cell.mark, !isUTF8 || TextWidth.columns(of: mark) != 0 || mark.isControl {
            cell.mark = nil
        }
        let columns = TextWidth.columns(of: cell.glyph)
        if columns == 0 {
            cell.glyph = " "
        } else if !isUTF8 {
            cell.glyph = ASCIIFallback.glyph(for: cell.glyph)
        } else if columns == 2 && next?.isContinuation != true {
            cell.glyph = " "
        }
    }

    private func reduceColors(_ cell: inout Cell) {
        switch depth {
        case .truecolor: return
        case .mono:
            cell.ink = .terminal
            cell.paper = .terminal
        case .indexed256, .indexed16:
            cell.ink = reduced(cell.ink)
            cell.paper = reduced(cell.paper)
            if foldsBright { foldBright(&cell) }
        }
    }

    private func reduced(_ color: CellColor) -> CellColor {
        switch (color.kind, depth) {
        case (.rgb(let rgb), .indexed256): .indexed(Palette256.index(near: rgb))
        case (.rgb(let rgb), _): .indexed(ColorMatch.indexed16(rgb))
        case (.indexed(let index), .indexed16): .indexed(ColorMatch.indexed16(index))
        default: color
        }
    }

    private func foldBright(_ cell: inout Cell) {
        if case .indexed(let index) = cell.ink.kind, index >= 8 {
            cell.ink = .indexed(index & 7)
            cell.style.insert(.bold)
        }
        if case .indexed(let index) = cell.paper.kind { cell.paper = .indexed(index & 7) }
    }
}

extension Cell {
    /// True if only the background is visible.
    var isBlank: Bool {
        glyph == " " && mark == nil && !isContinuation
            && style.isDisjoint(with: [.reverse, .underline])
    }
}

extension Unicode.Scalar {
    /// True for C0 controls, DEL and C1 controls.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

/// Finds the nearest palette colours for the few cells whose colours exceed the terminal's depth. Pictures
/// are reduced earlier, with a better method.
enum ColorMatch {
    /// Returns the nearest of the 16 ANSI colours, with xterm's RGB values.
    static func indexed16(_ color: RGB) -> UInt8 {
        (0..<16).min { distance(color, Palette16.colour($0)) < distance(color, Palette16.colour($1)) } ?? 0
    }

    /// Returns the nearest of the 16 ANSI colours to a palette colour. The first 16 are unchanged.
    static func indexed16(_ index: UInt8) -> UInt8 {
        index < 16 ? index : indexed16(Palette256.colour(Int(index)))
    }

    /// Returns the squared distance, weighted by the perceived brightness of the channels.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return 3 * red * red + 6 * green * green + blue * blue
    }
}
