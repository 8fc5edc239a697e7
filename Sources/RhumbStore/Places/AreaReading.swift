/// A way to read the text of a search: a name, and the areas that contain the place.
struct AreaReading: Equatable {
    /// The folded words of the name.
    let name: [[UInt8]]
    /// The folded words of each area; empty to search everywhere.
    let areas: [[[UInt8]]]
    /// True if a comma of the text is read as part of the name, so that only exact matches are meant.
    var isGuess = false

    /// Returns the readings of a text, the likeliest first. Commas separate the name from its areas, or are a
    /// part of the name, and the letters of "D.C." are one word or several.
    static func all(of text: String, _ folding: Folding) -> [AreaReading] {
        let parts = text.split(separator: ",").map(String.init)
        guard let name = parts.first else { return [] }
        let areas = parts.dropFirst().map { folding.words($0) }.filter { !$0.isEmpty }
        let joinedAreas = parts.dropFirst().map { folding.words(joiningInitials($0)) }.filter { !$0.isEmpty }
        var readings = [
            AreaReading(name: folding.words(name), areas: joinedAreas),
            AreaReading(name: folding.words(joiningInitials(name)), areas: joinedAreas),
            AreaReading(name: folding.words(name), areas: areas),
        ]
        // "The Alps" are listed as "Alps".
        readings += readings.filter { $0.name.count > 1 && $0.name.first == Array("the".utf8) }.map {
            AreaReading(name: Array($0.name.dropFirst()), areas: $0.areas)
        }
        if parts.count > 1 {
            readings += [text, joiningInitials(text), separatingInitials(text)].map {
                AreaReading(name: folding.words($0), areas: [], isGuess: true)
            }
        }
        // Only if nothing else matches: other names contain such letters, too.
        readings.append(AreaReading(name: folding.words(omittingParticles(name)), areas: joinedAreas))
        return readings.indices.filter { !readings[..<$0].contains(readings[$0]) }.map { readings[$0] }
    }

    /// Returns the text with initials as one word: "U.S.A." and "U. S. A." become "USA".
    static func joiningInitials(_ text: String) -> String {
        var joined = "", letters = Array(text)[...]
        while let letter = letters.first {
            var initials = ""
            if joined.last?.isLetter != true, joined.last?.isNumber != true {
                var rest = letters, next = letters
                while next.count > 1, next[next.startIndex].isLetter, next[next.startIndex + 1] == "." {
                    initials.append(next[next.startIndex])
                    rest = next.dropFirst(2)
                    next = rest.drop { $0 == " " }
                }
                // The last initial may lack its point, as in "a.M".
                if !initials.isEmpty, let last = rest.first, last.isLetter,
                    rest.dropFirst().first?.isLetter != true
                {
                    initials.append(last)
                    rest = rest.dropFirst()
                }
                if initials.count > 1 {
                    joined += initials
                    letters = rest
                    continue
                }
            }
            joined.append(letter)
            letters = letters.dropFirst()
        }
        return joined
    }

    /// Returns the text without abbreviated particles: "Halle a. d. Saale" becomes "Halle Saale", and "Weil
    /// a/Rhein" "Weil Rhein". Another abbreviated word becomes the last one, which may be incomplete: "Gr.
    /// Gerau" becomes "Gerau Gr".
    private static func omittingParticles(_ text: String) -> String {
        var words: [(text: Substring, isShortened: Bool)] = [], rest = text[...]
        while let start = rest.firstIndex(where: { $0.isLetter || $0.isNumber }) {
            let word = rest[start...].prefix { $0.isLetter || $0.isNumber }
            rest = rest[word.endIndex...]
            words.append((word, rest.first == "." || rest.first == "/" && word.count == 1))
        }
        guard words.contains(where: \.isShortened), let last = words.popLast() else { return text }
        words.removeAll { $0.isShortened && $0.text.count == 1 }
        words.append(last)
        if !last.isShortened, let at = words.firstIndex(where: \.isShortened) {
            words.append(words.remove(at: at))
        }
        // Initials alone are no name.
        guard words.contains(where: { $0.text.count > 2 }) else { return text }
        return words.map(\.text).joined(separator: " ")
    }

    /// Returns the text with the letters of a short last word as initials: "Bogotá, DC" becomes "Bogotá, D
    /// C".
    private static func separatingInitials(_ text: String) -> String {
        let start = text.lastIndex { $0 == "," || $0 == " " }.map(text.index(after:)) ?? text.startIndex
        let word = text[start...]
        guard (2...3).contains(word.count), word.allSatisfy(\.isLetter) else { return text }
        return text[..<start] + word.map(String.init).joined(separator: " ")
    }
}
