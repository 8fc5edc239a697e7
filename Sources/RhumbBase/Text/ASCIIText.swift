extension StringProtocol {
    /// True if two ASCII texts are equal, ignoring case.
    package func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// The text without blanks and tabs at either end.
    package var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }),
            let last = lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }
}

extension UInt8 {
    /// The lower-case letter for an upper-case ASCII letter; any other byte unchanged.
    package var lowercasedASCII: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
