/// Variants of samples whose numbers are replaced by extreme ones.
public enum ExtremeNumbers {
    private static let texts = [
        "0", "-1", "361", "1e-308", "1e308", "-1e308", "3.5e38", "-3.5e38", "9.3e18", "-9.3e18", "1.8e19",
        "2147483648",
        "-2147483649", "4294967296", "9223372036854775807", "-9223372036854775808", "nan", "inf",
    ]
    private static let bytes: [[UInt8]] = {
        func little(_ bits: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) } }
        let doubles = [1e308, -1e308, 3.5e38, 9.3e18, .nan, .infinity].map { little($0.bitPattern) }
        let largest: [[UInt8]] = [
            [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
            [UInt8](repeating: 0xFF, count: 8),
        ]
        return doubles + doubles.map { $0.reversed() } + largest
    }()
    /// The maximum number of positions in a sample that are changed.
    private static let placeLimit = 150

    /// Returns the variants of a sample with one number replaced at a time: numbers of a text, or
    /// positions in a binary sample.
    public static func variants(of sample: [UInt8]) -> [[UInt8]] {
        let isText = !sample.contains { $0 < 9 || $0 == 0xFF }
        let places = isText ? numbers(in: sample) : sample.indices.map { $0..<$0 }
        return stride(from: 0, to: places.count, by: places.count / placeLimit + 1).flatMap { at in
            (isText ? texts.map { Array($0.utf8) } : bytes).map { number in
                let start = places[at].lowerBound
                let end = isText ? places[at].upperBound : min(start + number.count, sample.count)
                return sample[..<start] + number + sample[end...]
            }
        }
    }

    /// Returns the runs of digits that aren't part of a word, including their signs, fractions and exponents.
    private static func numbers(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = [], start: Int?, isWord = false
        for (at, byte) in (text + [0]).enumerated() {
            let isDigit = (48...57).contains(byte), isLetter = (97...122).contains(byte | 0x20) || byte > 127
            if let first = start {
                if isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e") { continue }
                found.append(first..<at)
                start = nil
            } else if isDigit, !isWord {
                start = at > 0 && text[at - 1] == UInt8(ascii: "-") ? at - 1 : at
            }
            isWord = isLetter || isDigit && isWord
        }
        return found
    }
}
