/// The block characters, indexed by the sub-cells they fill: bit 0 is the upper left sub-cell, bit 1 the one
/// to its right, and so on row by row.
enum BlockGlyphs {
    /// Upper and lower half: bit 0 above, bit 1 below.
    static let half: [Unicode.Scalar] = [" ", "▀", "▄", "█"]

    static let quadrant: [Unicode.Scalar] = [
        " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
    ]

    /// U+1FB00…1FB3B in the order of their bits. Patterns encoded before Unicode 13 are missing there.
    static let sextant = filled(
        count: 64, known: [0: " ", 21: "▌", 42: "▐", 63: "█"], from: 0x1FB00)

    /// U+1CD00…1CDE5 in the order of their bits. The quadrants, the quarters and a few single and middle
    /// octants are encoded elsewhere.
    static let octant: [Unicode.Scalar] = {
        var known: [Int: Unicode.Scalar] = [
            0x03: "\u{1FB82}", 0x3F: "\u{1FB85}", 0xC0: "\u{2582}", 0xFC: "\u{2586}",
            0x01: "\u{1CEA8}", 0x02: "\u{1CEAB}", 0x40: "\u{1CEA3}", 0x80: "\u{1CEA0}",
            0x14: "\u{1FBE6}", 0x28: "\u{1FBE7}",
        ]
        for (bits, glyph) in quadrant.enumerated() {
            let upper = bits & 3
            let lower = bits >> 2
            known[upper | upper << 2 | lower << 4 | lower << 6] = glyph
        }
        return filled(count: 256, known: known, from: 0x1CD00)
    }()

    /// U+2800…28FF. Unicode numbers the dots down the left column first.
    static let braille: [Unicode.Scalar] = {
        let dots: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
        return (0..<256).map { bits in
            let raised = dots.indices.filter { bits >> $0 & 1 == 1 }.reduce(0) { $0 | dots[$1] }
            return Unicode.Scalar(0x2800 | raised) ?? " "
        }
    }()

    private static func filled(
        count: Int, known: [Int: Unicode.Scalar], from first: UInt32
    ) -> [Unicode.Scalar] {
        var next = first
        return (0..<count).map { bits in
            if let glyph = known[bits] { return glyph }
            defer { next += 1 }
            return Unicode.Scalar(next) ?? " "
        }
    }
}
