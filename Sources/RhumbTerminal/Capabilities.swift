package import RhumbCore

/// The terminal's control sequences, read from terminfo once. A plain value, so that painting needs neither a
/// database nor a terminal.
package struct Capabilities: Equatable, Sendable {
    /// The way to move the cursor to a cell.
    enum Addressing: Equatable, Sendable {
        /// `CSI row ; column H`
        case standard
        /// A terminfo template.
        case template([CChar])
    }

    var addressing = Addressing.standard
    var clear: [UInt8] = []
    /// True if `CSI r` resets the scrolling region to the whole screen. After a resize the region may be
    /// smaller.
    var freesRegion = false
    /// True if `CSI n L` inserts and `CSI n M` deletes lines within a region set by `CSI top ; bottom r`.
    var movesLines = false
    /// True if `CSI n @` inserts and `CSI n P` deletes cells of a line.
    var movesCells = false
    /// True if `CSI n C` moves the cursor right.
    var movesRight = false
    /// True if `CSI n` with A, B, C or D moves the cursor up, down, right or left, and a backspace left.
    var movesNearby = false
    /// True if `CSI n G` moves the cursor to a column.
    var movesToColumn = false
    /// True if `CSI K` erases to the end of the line.
    var erasesLine = false
    /// True if `CSI n X` erases cells at the cursor.
    var erasesCells = false
    /// True if erased cells get the current background colour instead of the terminal's default.
    var erasesWithPaper = false
    /// True if writing the last cell of the screen doesn't scroll it.
    var fillsLastCell = true
    var reset = Attribute.parameters([0x30])
    var bold: Attribute?
    var dim: Attribute?
    var reverse: Attribute?
    var underline: Attribute?
    /// Restores only the default foreground or background; nil if that takes a full reset.
    var ownInk: Attribute?
    var ownPaper: Attribute?
    /// Palette colours as foreground and as background: 8, 16 or 256 of each, or none.
    var inks: [Attribute] = []
    var papers: [Attribute] = []

    /// Returns the capabilities of a terminfo entry at a colour depth; nil if the entry is missing or can't
    /// move the cursor.
    package static func load(_ name: String, depth: ColorDepth) -> Capabilities? {
        Terminfo.withEntry(name) { Capabilities(currentEntryIn: depth) } ?? nil
    }

    private init?(currentEntryIn depth: ColorDepth) {
        guard let template = Terminfo.string("cup") else { return nil }
        addressing =
            Terminfo.string("cup", 6, 8) == Array("\u{1B}[7;9H".utf8)
            ? .standard : .template((template + [0]).map { CChar(bitPattern: $0) })
        clear = Terminfo.string("clear") ?? []
        freesRegion = Terminfo.string("csr", 4, 6) == Array("\u{1B}[5;7r".utf8)
        movesLines =
            freesRegion && Terminfo.string("il", 5) == Array("\u{1B}[5L".utf8)
            && Terminfo.string("dl", 5) == Array("\u{1B}[5M".utf8)
        movesCells =
            Terminfo.string("ich", 5) == Array("\u{1B}[5@".utf8)
            && Terminfo.string("dch", 5) == Array("\u{1B}[5P".utf8)
        movesRight = Terminfo.string("cuf", 5) == Array("\u{1B}[5C".utf8)
        movesNearby =
            Terminfo.string("cuu", 5) == Array("\u{1B}[5A".utf8)
            && Terminfo.string("cud", 5) == Array("\u{1B}[5B".utf8)
            && Terminfo.string("cub", 5) == Array("\u{1B}[5D".utf8) && Terminfo.string("cub1") == [0x08]
            && movesRight
        movesToColumn = Terminfo.string("hpa", 5) == Array("\u{1B}[6G".utf8)
        erasesLine = Terminfo.string("el") == Array("\u{1B}[K".utf8)
        erasesCells = Terminfo.string("ech", 5) == Array("\u{1B}[5X".utf8)
        erasesWithPaper = Terminfo.flag("bce")
        fillsLastCell = !Terminfo.flag("am") || Terminfo.flag("xenl")
        readStyles()
        readColors(depth)
    }

    private mutating func readStyles() {
        reset = Terminfo.string("sgr0").map { Attribute(reset: $0) } ?? .sequence([])
        bold = Terminfo.string("bold").map { Attribute($0) }
        dim = Terminfo.string("dim").map { Attribute($0) }
        reverse = Terminfo.string("rev").map { Attribute($0) }
        underline = Terminfo.string("smul").map { Attribute($0) }
        if Terminfo.string("op") == Array("\u{1B}[39;49m".utf8) {
            ownInk = .parameters(Array("39".utf8))
            ownPaper = .parameters(Array("49".utf8))
        }
    }

    /// Reads the palette. If terminfo has too few colours or describes direct colours, the standard sequences
    /// are used, because the depth was chosen by the user or the profile.
    private mutating func readColors(_ depth: ColorDepth) {
        guard let needed = [ColorDepth.indexed16: 8, .indexed256: 256, .truecolor: 256][depth] else {
            return
        }
        let known = Terminfo.number("colors")
        guard known >= needed && known <= 256 else {
            let count = depth == .indexed16 ? 16 : 256
            inks = (0..<count).map(Attribute.standardInk)
            papers = (0..<count).map(Attribute.standardPaper)
            return
        }
        let count = depth == .indexed16 ? min(known, 16) : known
        inks = (0..<count).map { Attribute(Terminfo.string("setaf", $0) ?? []) }
        papers = (0..<count).map { Attribute(Terminfo.string("setab", $0) ?? []) }
    }

    /// Returns the bytes that move the cursor to a cell, counted from 0.
    func address(row: Int, column: Int) -> [UInt8] {
        switch addressing {
        case .standard: Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
        case .template(let template):
            template.withUnsafeBufferPointer { text in
                text.baseAddress.flatMap { Terminfo.filled($0, row, column) } ?? []
            }
        }
    }
}
