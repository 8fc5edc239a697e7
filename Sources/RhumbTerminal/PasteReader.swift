/// Collects a bracketed paste, which stands between `CSI 200 ~` and `CSI 201 ~`.
struct PasteReader {
    /// The most bytes of a paste; the rest is dropped.
    private static let limit = 64 << 10
    static let start = Array("\u{1B}[200~".utf8)
    private static let end = Array("\u{1B}[201~".utf8)

    private var collected: [UInt8] = []

    /// Takes bytes in; returns how many are used up, and the text once it has ended.
    mutating func read(_ bytes: ArraySlice<UInt8>) -> (count: Int, text: String?) {
        let plain = bytes.prefix { $0 != 0x1B }
        keep(plain)
        let rest = bytes.dropFirst(plain.count)
        if rest.starts(with: Self.end) {
            return (plain.count + Self.end.count, text)
        }
        if rest.isEmpty || Self.end.starts(with: rest) { return (plain.count, nil) }
        return (plain.count + 1, nil)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        collected += bytes.prefix(Self.limit - collected.count)
    }

    /// Line ends and tabs become spaces, other control characters go.
    private var text: String {
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
