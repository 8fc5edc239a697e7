/// The placeholders of the kitty graphics protocol: text that shows a cell of an image. A multiplexer moves
/// and erases them like other text.
public enum KittyPlaceholder {
    /// The ids of images that placeholders show. The lowest byte is a colour of the palette, so that a
    /// multiplexer can't round it, and the highest one is a mark.
    public static let ids: ClosedRange<UInt32> = high << 24 | 16...high << 24 | 255
    private static let high: UInt32 = 17
    private static let glyph: Unicode.Scalar = "\u{10EEEE}"

    /// The marks for the numbers from 0 (kitty's table of rows and columns, its first 96).
    private static let marks: [Unicode.Scalar] = [
        0x0305, 0x030D, 0x030E, 0x0310, 0x0312, 0x033D, 0x033E, 0x033F, 0x0346, 0x034A, 0x034B, 0x034C,
        0x0350, 0x0351, 0x0352, 0x0357, 0x035B, 0x0363, 0x0364, 0x0365, 0x0366, 0x0367, 0x0368, 0x0369,
        0x036A, 0x036B, 0x036C, 0x036D, 0x036E, 0x036F, 0x0483, 0x0484, 0x0485, 0x0486, 0x0487, 0x0592,
        0x0593, 0x0594, 0x0595, 0x0597, 0x0598, 0x0599, 0x059C, 0x059D, 0x059E, 0x059F, 0x05A0, 0x05A1,
        0x05A8, 0x05A9, 0x05AB, 0x05AC, 0x05AF, 0x05C4, 0x0610, 0x0611, 0x0612, 0x0613, 0x0614, 0x0615,
        0x0616, 0x0617, 0x0657, 0x0658, 0x0659, 0x065A, 0x065B, 0x065D, 0x065E, 0x06D6, 0x06D7, 0x06D8,
        0x06D9, 0x06DA, 0x06DB, 0x06DC, 0x06DF, 0x06E0, 0x06E1, 0x06E2, 0x06E4, 0x06E7, 0x06E8, 0x06EB,
        0x06EC, 0x0730, 0x0732, 0x0733, 0x0735, 0x0736, 0x073A, 0x073D, 0x073F, 0x0740, 0x0741, 0x0743,
    ].compactMap { Unicode.Scalar($0 as UInt32) }

    /// A cell of an image.
    public struct Part: Hashable, Sendable {
        /// The id of the image.
        public let id: UInt32
        /// The cell within the image.
        public let row: Int, column: Int

        /// Creates a part; nil if the image has too many cells.
        public init?(id: UInt32, row: Int, column: Int) {
            guard 0..<marks.count ~= row, 0..<marks.count ~= column else { return nil }
            self.id = id
            self.row = row
            self.column = column
        }
    }

    /// Returns the command that prepares a stored image for placeholders.
    public static func prepare(_ id: UInt32, columns: Int, rows: Int) -> [UInt8] {
        Array("\u{1B}_Ga=p,U=1,i=\(id),c=\(columns),r=\(rows),q=2\u{1B}\\".utf8)
    }

    /// Returns the text that shows cells of a row of an image, from left to right.
    /// - Parameter count: The number of cells, at least 1.
    public static func text(_ first: Part, count: Int) -> [UInt8] {
        var text = String.UnicodeScalarView("\u{1B}[0;38;5;\(first.id & 255)m".unicodeScalars)
        text.append(glyph)
        text += [marks[first.row], marks[first.column], marks[Int(first.id >> 24)]]
        // The others follow from the first one.
        for _ in 1..<max(count, 1) { text.append(glyph) }
        return Array(String(text).utf8)
    }

    /// Wraps commands in sequences that tmux passes on to its terminal.
    public static func passedThrough(_ commands: [UInt8]) -> [UInt8] {
        let start = Array("\u{1B}Ptmux;".utf8), end = Array("\u{1B}\\".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(commands.count + commands.count / 256)
        var rest = commands[...]
        while !rest.isEmpty {
            // One command in each sequence, because tmux limits their length.
            let last = rest.indices.dropFirst().first { rest[$0 - 1] == 0x1B && rest[$0] == 0x5C }
            let command = rest[...(last ?? rest.endIndex - 1)]
            rest = rest[command.endIndex...]
            bytes += start
            for byte in command { bytes += byte == 0x1B ? [byte, byte] : [byte] }
            bytes += end
        }
        return bytes
    }
}
