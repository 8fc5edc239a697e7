/// Removes private data from texts for strangers: keys, paths of addresses, places and the home folder.
public enum Redaction {
    /// Returns a text in which of each web address only the scheme and host remain, because paths and queries
    /// may contain keys and places. Coordinates become "…", and the home folder "~".
    /// - Parameter home: The home folder; nil if unknown.
    public static func redacted(_ text: String, home: String?) -> String {
        var text = text
        if let home, home.count > 1 { text = text.replacing(home, with: "~") }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: " ", omittingEmptySubsequences: false).map(redacted)
                .joined(separator: " ")
        }
        .joined(separator: "\n")
    }

    /// Returns a word without coordinates, and without the user, path and query of the address in it.
    private static func redacted(_ word: Substring) -> String {
        let bytes = Array(word.utf8)
        guard let start = bytes.indices.dropLast(2).first(where: { bytes[$0...].starts(with: "://".utf8) })
        else {
            return withoutPlaces(word)
        }
        let rest = bytes[(start + 3)...]
        let authority = rest.prefix { !"/?#\"'),;".utf8.contains($0) }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
        let tail = authority.endIndex < rest.endIndex ? "/…" : ""
        let before = withoutPlaces(String(decoding: bytes[..<start], as: UTF8.self)[...])
        return "\(before)://\(String(decoding: host, as: UTF8.self))\(tail)"
    }

    /// Returns a word without coordinates: numbers with at least two decimals, and the addresses of tiles.
    private static func withoutPlaces(_ word: Substring) -> String {
        var result = "", number = ""
        func add() {
            let decimals = number.split(separator: ".", omittingEmptySubsequences: false)
            let isPlace = decimals.count == 2 && decimals[1].count >= 2 || number.contains("/")
            result += isPlace && number.contains(where: \.isASCIIDigit) ? "…" : number
            number = ""
        }
        for character in word {
            // A version such as 0.2.0 has two full stops, a tile such as 12/2345/1123 two slashes.
            if character.isASCIIDigit || number.last?.isASCIIDigit == true && "./".contains(character) {
                number.append(character)
            } else {
                add()
                result.append(character)
            }
        }
        add()
        return result
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
