internal import RhumbCore

/// ASCII replacements for characters, for locales that guarantee only ASCII. Unknown characters become
/// spaces.
public enum ASCIIFallback {
    /// Returns the ASCII character that replaces a character in a cell.
    public static func glyph(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII { return scalar }
        switch scalar.value {
        case 0x2500...0x257F: return line(scalar)
        case 0x2580...0x259F, 0x1FB00...0x1FBAF, 0x1CD00...0x1CDE5, 0x25A0: return "#"
        case 0x2800: return " "
        case 0x2801...0x28FF: return ":"
        default: return table[scalar] ?? Transliteration.letters(scalar)?.unicodeScalars.first ?? " "
        }
    }

    private static func line(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2574, 0x2576, 0x2578,
            0x257A, 0x257C, 0x257E:
            "-"
        case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2575, 0x2577,
            0x2579, 0x257B, 0x257D, 0x257F:
            "|"
        case 0x2550: "="
        case 0x2571: "/"
        case 0x2572: "\\"
        case 0x2573: "X"
        default: "+"
        }
    }

    private static let table: [Unicode.Scalar: Unicode.Scalar] = [
        "←": "<", "→": ">", "↑": "^", "↓": "v", "⇣": "v", "⇡": "^", "◂": "<", "▸": ">", "◀": "<",
        "▶": ">", "▲": "^", "▼": "v", "▴": "^", "▾": "v", "●": "*", "○": "o", "◉": "@", "◆": "*",
        "◇": "o", "★": "*", "☆": "*", "•": "*", "…": ".",
        "×": "x", "°": "o", "±": "~", "≈": "~", "©": "c", "®": "r", "✓": "v", "✗": "x", "⚠": "!",
    ]
}
