/// A reading of a query text as the name of a street or feature and the town that it is in, such as "Via dei
/// Neri 12, 50122 Firenze".
package struct TownReading: Sendable, Equatable {
    /// The name, with its house number if there is one.
    package let name: String
    /// The possible names of the town, the most likely first. Empty if the text only has a postal code
    /// besides the name.
    package let towns: [String]
    /// True if a comma separates the town from the name.
    package let isStated: Bool

    /// The maximum number of words of a town's name without a comma.
    private static let longestTown = 3

    /// Returns the readings of a text, the most likely first.
    package static func readings(of text: String) -> [TownReading] {
        let parts = parts(of: text)
        return parts.count > 1 ? stated(parts) : implied(text.split(separator: " "))
    }

    /// Returns the parts between commas. House numbers belong to the part before them, or to the second one.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = [], leading: String?
        for part in SearchWords.separated(text, by: "\n").split(separator: "\n") {
            let words = part.split(separator: " "), plain = words.joined(separator: " ")
            guard !words.isEmpty else { continue }
            if HouseNumberText.isNumber(words) {
                if let last = parts.last, SearchWords(last).number == nil {
                    parts[parts.count - 1] = "\(last) \(plain)"
                    continue
                }
                if parts.isEmpty, leading == nil {
                    leading = plain
                    continue
                }
            }
            parts.append(plain)
        }
        if let leading, let first = parts.first { parts[0] = "\(leading) \(first)" }
        return parts
    }

    private static func stated(_ parts: [String]) -> [TownReading] {
        let rest = parts.dropFirst(), first = [parts[0]], last = [parts[parts.count - 1]]
        let pairs = [
            (parts[0], [rest.joined(separator: ", ")] + rest.reversed()), (last[0], first),
        ]
        return pairs.flatMap { name, towns in
            var seen: Set<String> = []
            let towns = towns.map { withoutPostalCodes($0.split(separator: " ")) }
                .map { $0.joined(separator: " ") }.filter { !$0.isEmpty && seen.insert($0).inserted }
            return names(name.split(separator: " ")).map {
                TownReading(name: $0, towns: towns, isStated: true)
            }
        }
    }

    private static func implied(_ words: [Substring]) -> [TownReading] {
        guard words.count > 1 else { return [] }
        let bare = withoutPostalCodes(words).joined(separator: " ")
        var readings: [TownReading] = []
        if !bare.isEmpty, bare != words.joined(separator: " ") {
            readings.append(TownReading(name: bare, towns: [], isStated: false))
        }
        for count in 1...min(longestTown, words.count - 1) {
            let splits = [
                (words.dropLast(count), words.suffix(count)), (words.dropFirst(count), words.prefix(count)),
            ]
            for (rest, town) in splits where town.allSatisfy({ $0.contains(where: \.isLetter) }) {
                readings += names(Array(rest)).map {
                    TownReading(name: $0, towns: [town.joined(separator: " ")], isStated: false)
                }
            }
        }
        return readings
    }

    /// Returns a name, and the name without postal codes if it seems to have some.
    private static func names(_ words: [Substring]) -> [String] {
        let whole = words.joined(separator: " "), bare = withoutPostalCodes(words).joined(separator: " ")
        return bare.isEmpty || bare == whole ? [whole] : [whole, bare]
    }

    private static func withoutPostalCodes(_ words: [Substring]) -> [Substring] {
        words.filter { word in
            let digits = word.drop { $0.isLetter || $0 == "-" }
            return word.count - digits.count > 3 || !(4...6).contains(digits.count)
                || !digits.allSatisfy { $0.isASCII && $0.isNumber }
        }
    }
}
