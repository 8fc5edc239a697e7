/// Folds names for comparison: lower case, no diacritics, and a single space between words. The table is part
/// of the gazetteer, so that names are folded in the same way as when it was built.
struct Folding: Sendable {
    /// The distinct replacements.
    private let results: [[UInt8]]
    /// The index in `results` for each of the first characters; −1 if the table lacks it. A dictionary would
    /// take more time than the rest of a search.
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
            let place = Int16(results.count)
            results.append(Array(String(line[..<tab]).utf8))
            for scalar in line[line.index(after: tab)...] {
                if scalar.value < Folding.directCount {
                    direct[Int(scalar.value)] = place
                } else {
                    others[scalar] = place
                }
            }
        }
        self.results = results
        self.direct = direct
        self.others = others
    }

    /// Returns the replacement of a character beyond ASCII; nil if the table lacks it.
    private func result(_ scalar: Unicode.Scalar) -> [UInt8]? {
        let place = scalar.value < Folding.directCount ? direct[Int(scalar.value)] : others[scalar] ?? -1
        return place < 0 ? nil : results[Int(place)]
    }

    /// Returns a folded name in UTF-8: "São Tomé" becomes "sao tome".
    func fold(_ name: String) -> [UInt8] {
        var folded: [UInt8] = []
        for scalar in name.unicodeScalars.prefix(Folding.limit) {
            if scalar.isASCII {
                append(ascii: UInt8(truncatingIfNeeded: scalar.value), to: &folded)
            } else if let result = result(scalar) {
                for byte in result { append(byte, to: &folded) }
            } else {
                append(other: scalar, to: &folded)
            }
        }
        if folded.last == space { folded.removeLast() }
        return folded
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

    /// Appends a character that occurs in no name of the gazetteer.
    private func append(other scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        // Most of these are Chinese, Japanese or Korean, which are letters without case.
        let
            isEastAsian =
                (0x3041...0x3096).contains(scalar.value) || (0x4E00...0x9FFF).contains(scalar.value)
                || (0xAC00...0xD7A3).contains(scalar.value), properties = scalar.properties
        guard isEastAsian || properties.isAlphabetic || properties.numericType != nil else {
            append(space, to: &folded)
            return
        }
        if isEastAsian || !properties.changesWhenLowercased {
            folded += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        } else {
            folded += properties.lowercaseMapping.utf8
        }
    }
}
