/// Normalises the names of hosts for comparison, however an address spells them.
enum HostName {
    /// Returns the name in lowercase, percent-decoded and without final dots. Empty for a name that can't be
    /// compared, because it contains characters that are converted to others before the server is contacted.
    static func normalised(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy(isLowercaseName), !text.hasSuffix(".") { return String(text) }
        var name = (text.contains("%") ? PercentCoding.decoded(String(text)) : String(text)).lowercased()
        while name.hasSuffix(".") { name.removeLast() }
        return name.unicodeScalars.allSatisfy(isPlain) ? name : ""
    }

    /// Returns true for the bytes of most names, which need neither change nor lookup.
    private static func isLowercaseName(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value > 0x20 && !"/\\@?#\u{7F}".unicodeScalars.contains(scalar) }
        return scalar != "\u{3002}" && !scalar.properties.changesWhenNFKCCaseFolded
    }
}
