// Not generic, because generic functions are slow across modules.
extension String {
    /// Returns true if two ASCII texts are equal, ignoring case.
    package func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && (self == other || zip(utf8, other.utf8).allSatisfy(UInt8.areEqualIgnoringCase))
    }
}

extension Substring {
    /// Returns true if two ASCII texts are equal, ignoring case.
    package func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy(UInt8.areEqualIgnoringCase)
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at either end.
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

    fileprivate static func areEqualIgnoringCase(_ one: UInt8, _ other: UInt8) -> Bool {
        one == other || one.lowercasedASCII == other.lowercasedASCII
    }
}
