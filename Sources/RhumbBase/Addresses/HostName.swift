/// The name of a host as it is compared: the one that is asked, however an address writes it.
enum HostName {
    /// The name in lowercase, percent-decoded and without final dots; empty for one that can't be
    /// compared, since it holds characters that are taken for others on the way to the server.
    static func normalised(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy(isLowercaseName), !text.hasSuffix(".") { return String(text) }
        var name = (text.contains("%") ? PercentCoding.decoded(String(text)) : String(text)).lowercased()
        while name.hasSuffix(".") { name.removeLast() }
        return name.unicodeScalars.allSatisfy(isPlain) ? name : ""
    }

    /// Of most names: nothing in them need be changed or looked up.
    private static func isLowercaseName(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value > 0x20 && !"/\\@?#\u{7F}".unicodeScalars.contains(scalar) }
        return scalar != "\u{3002}" && !scalar.properties.changesWhenNFKCCaseFolded
    }
}
