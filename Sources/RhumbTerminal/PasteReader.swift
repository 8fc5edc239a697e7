/// Collects a bracketed paste, which is enclosed in `CSI 200 ~` and `CSI 201 ~`.
struct PasteReader {
    /// The maximum size of a paste in bytes. The rest is dropped.
    private static let limit = 64 << 10
    static let start = Array("\u{1B}[200~".utf8)
    private static let end = Array("\u{1B}[201~".utf8)

    private var collected: [UInt8] = []

    /// Consumes bytes. Returns the number consumed, and the text once the paste has ended.
    mutating func read(_ bytes: ArraySlice<UInt8>) -> (count: Int, text: String?) {
        let plain = bytes.prefix { $0 != 0x1B }
        append(plain)
        let rest = bytes.dropFirst(plain.count)
        if rest.starts(with: Self.end) {
            return (plain.count + Self.end.count, text)
        }
        if rest.isEmpty || Self.end.starts(with: rest) { return (plain.count, nil) }
        return (plain.count + 1, nil)
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        collected += bytes.prefix(Self.limit - collected.count)
    }

    /// The collected text. Line ends and tabs become spaces; other control characters are removed.
    var text: String {
        var kept = String.UnicodeScalarView()
        for scalar in String(decoding: collected, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || scalar == "\t" || scalar == "\r" {
                kept.append(" ")
            } else if !scalar.isControl {
                kept.append(scalar)
            }
        }
        return String(kept)
    }
}
