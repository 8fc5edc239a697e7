internal import RhumbCore

/// Folds names for comparison: lower case, no diacritics, and a single space between words. The table is part
/// of the gazetteer, so that names are folded in the same way as when it was built.
struct Folding: Sendable {
    /// The distinct replacements.
    private let results: [[UInt8]]
    /// The index in `results` for each of the first characters; −1 if the table lacks it, and −2 for a letter
    /// or number that stays as it is. A dictionary, and Unicode's properties of each character, would take
    /// more time than the rest of a search.
    private let direct: [Int16]
    private let others: [Unicode.Scalar: Int16]
    private static let directCount: UInt32 = 0x3000
    /// The maximum number of characters that are folded; the rest are ignored.
    static let limit = 200

    /// - Parameter text: One line per replacement: the replacement, a tab, and the characters that it
    ///   replaces.
    init(_ text: String) {
        var results: [[UInt8]] = [], others: [Unicode.Scalar: Int16] = [:]
        var direct = [Int16](repeating: -1, count: Int(Folding.directCount))
        for line in text.unicodeScalars.split(separator: "\n").prefix(Int(Int16.max)) {
            guard let tab = line.firstIndex(of: "\t") else { continue }
            let index = Int16(results.count)
            results.append(Array(String(line[..<tab]).utf8))
            for scalar in line[line.index(after: tab)...] {
                if scalar.value < Folding.directCount {
                    direct[Int(scalar.value)] = index
                } else {
                    others[scalar] = index
                }
            }
        }
        for value in direct.indices.dropFirst(0x80) where direct[value] < 0 {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            if Folding.isWritten(scalar), !scalar.properties.changesWhenLowercased { direct[value] = -2 }
        }
        self.results = results
        self.direct = direct
        self.others = others
    }

    /// Returns a folded name in UTF-8: "São Tomé" becomes "sao tome".
    func fold(_ name: String) -> [UInt8] {
        var folded: [UInt8] = [], count = 0
        folded.reserveCapacity(name.utf8.count)
        for scalar in name.unicodeScalars.lazy.map(Folding.narrow) {
            if count == Folding.limit { break }
            count += 1
            if scalar.isASCII {
                append(ascii: UInt8(truncatingIfNeeded: scalar.value), to: &folded)
                continue
            }
            let index = scalar.value < Folding.directCount ? direct[Int(scalar.value)] : others[scalar] ?? -1
            switch index {
            case -2: folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case -1: append(other: scalar, to: &folded)
            default: for byte in results[Int(index)] { append(byte, to: &folded) }
            }
        }
        if folded.last == space { folded.removeLast() }
        return folded
    }

    /// Returns the ASCII character of a full-width one, as Japanese and Chinese keyboards type it.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(UInt8(scalar.value - 0xFEE0))
    }

    /// Returns a folded name, given its UTF-8 bytes.
    func fold(utf8 name: ArraySlice<UInt8>) -> [UInt8] {
        guard name.allSatisfy({ $0 < 0x80 }) else { return fold(String(decoding: name, as: UTF8.self)) }
        var folded: [UInt8] = []
        folded.reserveCapacity(name.count)
        for byte in name.prefix(Folding.limit) { append(ascii: byte, to: &folded) }
        if folded.last == space { folded.removeLast() }
        return folded
    }

    /// Returns the folded words of a text.
    func words(_ text: String) -> [[UInt8]] {
        fold(text).split(separator: space).map(Array.init)
    }

    private let space = UInt8(ascii: " ")

    private func append(_ byte: UInt8, to folded: inout [UInt8]) {
        if byte == space && (folded.isEmpty || folded.last == space) { return }
        folded.append(byte)
    }

    private func append(ascii byte: UInt8, to folded: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte + 32)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): folded.append(byte)
        default: append(space, to: &folded)
        }
    }

    /// Appends a character that the table lacks.
    private func append(other scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        guard Folding.isWritten(scalar) else { return append(space, to: &folded) }
        if Folding.isEastAsian(scalar) || !scalar.properties.changesWhenLowercased {
            folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        } else {
            folded += scalar.properties.lowercaseMapping.utf8
        }
    }

    /// Returns true for a letter or a number.
    private static func isWritten(_ scalar: Unicode.Scalar) -> Bool {
        isEastAsian(scalar) || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Returns true for most Chinese, Japanese and Korean characters, which are letters without case.
    private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        (0x3041...0x3096).contains(scalar.value) || (0x4E00...0x9FFF).contains(scalar.value)
            || (0xAC00...0xD7A3).contains(scalar.value)
    }
}

/// Folds names for comparison, in the same way as the gazetteer.
package struct NameFolding: Sendable {
    let folding: Folding
    /// A hash that identifies the table.
    let digest: Int

    /// Creates a folding from a table in the format of `Folding`. Without one, letters keep their accents.
    package init(table: String = "") {
        folding = Folding(table)
        digest = ContentHash(Array(table.utf8)).half
    }

    /// Returns a name in folded form.
    package func fold(_ name: String) -> String { String(decoding: folding.fold(name), as: UTF8.self) }
}
