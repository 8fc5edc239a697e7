extension String {
    /// The text in lower case without accents.
    package var withoutAccents: String { FoldedName.fold(self) }
}

/// Names folded for comparison: in lower case without accents.
package enum FoldedName {
    /// Returns the folded name.
    package static func fold(_ name: String) -> String {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
        var folded = ""
        for scalar in name.unicodeScalars {
            let lower = scalar.properties.lowercaseMapping
            folded += lower.unicodeScalars.reduce("") { $0 + base(of: $1) }
        }
        return folded
    }

    /// Returns the base letter of an accented one, which its Unicode name states.
    private static func base(of scalar: Unicode.Scalar) -> String {
        if scalar.properties.generalCategory == .nonspacingMark { return "" }
        guard let name = scalar.properties.name, name.hasPrefix(latin),
            let with = name.utf8.dropFirst(latin.utf8.count + 1).first,
            with == UInt8(ascii: " "), let letter = name.dropFirst(latin.count).first
        else { return String(scalar) }
        return letter.lowercased()
    }

    private static let latin = "LATIN SMALL LETTER "

    /// Returns 0 for the whole name, 1 for its beginning, 2 for the beginning of a word, 3 elsewhere; nil if
    /// it is not found.
    static func rank(of wanted: String, in name: String) -> Int? {
        if name == wanted { return 0 }
        if name.hasPrefix(wanted) { return 1 }
        if name.contains(" " + wanted) || name.contains("-" + wanted) { return 2 }
        return name.contains(wanted) ? 3 : nil
    }
}
