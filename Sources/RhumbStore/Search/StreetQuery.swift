/// Street names with common abbreviations: "v. roma", "p.za duomo", "hauptstr.", "via de neri".
struct StreetQuery {
    /// The possible readings of each word.
    private let words: [[[UInt8]]]

    /// - Returns: nil for words without abbreviations or articles.
    init?(_ text: String, _ folding: Folding) {
        var isShortened = false
        let typed = text.split(whereSeparator: { $0 == " " || $0 == "," }).flatMap { token -> [[[UInt8]]] in
            // "p.za" is one word, "s.maria" are two.
            let joined = folding.fold(token.filter { $0 != "." })
            let readings = StreetQuery.readings(joined)
            guard readings.count == 1 else {
                isShortened = true
                return [readings]
            }
            return folding.words(String(token)).map(StreetQuery.readings)
        }
        let meant = typed.filter { !StreetQuery.articles.contains($0[0][...]) }
        let isLong = meant.count > 1
        guard isShortened || isLong && meant.count < typed.count else { return nil }
        words = isLong ? meant : typed
    }

    /// Returns the full-text query for names that contain all words.
    func expression(isLastBegun: Bool) -> String { NameQuery.expression(words, isLastBegun: isLastBegun) }

    /// Returns the match of a folded name; nil if it doesn't match.
    func fit(_ name: [UInt8]) -> MatchQuality? {
        guard let last = words.last, last.contains(where: { name.hasWord($0, isBegun: true) }) else {
            return nil
        }
        let parts = name.split(separator: UInt8(ascii: " ")).filter { !StreetQuery.articles.contains($0) }
        guard parts.count >= words.count else { return nil }
        let isInOrder = zip(words.dropLast(), parts).allSatisfy(StreetQuery.isReading)
        let end = parts[words.count - 1]
        if isInOrder, StreetQuery.isReading(last, end) {
            return parts.count == words.count ? .exact : .firstWords
        }
        if isInOrder, last.contains(where: { end.starts(with: $0) }) { return .begins }
        let isWhole = words.dropLast().allSatisfy { readings in
            parts.contains { StreetQuery.isReading(readings, $0) }
        }
        return isWhole && parts.contains { part in last.contains { part.starts(with: $0) } } ? .words : nil
    }

    private static func isReading(_ readings: [[UInt8]], _ word: ArraySlice<UInt8>) -> Bool {
        readings.contains { word.elementsEqual($0) }
    }

    private static func readings(_ word: [UInt8]) -> [[UInt8]] {
        if let expansions = abbreviations[word] { return [word] + expansions }
        let isGerman = word.count > 5 && word.suffix(3).elementsEqual("str".utf8)
        return isGerman ? [word, word + Array("asse".utf8)] : [word]
    }

    private static let articles = Set(
        "de di del della dello dei degli delle dell da d des du la le les l the of der die das den dem van el los las"
            .split(separator: " ").map { ArraySlice($0.utf8) })

    private static let abbreviations: [[UInt8]: [[UInt8]]] = {
        let table = """
            v via;vle viale;vlo vicolo;p piazza place platz plaza;pza piazza;pzza piazza;pz piazza;ple piazzale;pzle piazzale;\
            cso corso;lgo largo;s san santa santo sankt saint;st street saint sankt;sta santa;ste sainte;str strada strasse street;\
            rd road;ave avenue;av avenue avenida;avda avenida;blvd boulevard;bd boulevard;sq square;ln lane;dr drive;\
            pl place platz plaza plac;ct court;hwy highway;pkwy parkway;cres crescent;c calle carrer;r rue rua;pso paseo;\
            ctra carretera;ul ulica ulitsa улица;ал аллея;пр проспект;пл площадь;ул улица;al aleja aleje;nam namesti;mt mount monte
            """
        let entries = table.split(separator: ";").map { $0.split(separator: " ").map { Array($0.utf8) } }
        return Dictionary(entries.map { ($0[0], Array($0.dropFirst())) }) { first, _ in first }
    }()
}
