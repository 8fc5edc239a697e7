public import RhumbVector

/// Names of places as shown on a map.
extension NamedPlace {
    /// Returns the name in a language; countries have the short form used in atlases.
    public func name(in language: NameLanguage) -> String {
        switch language {
        case .usual, .code:
            kind.isSettlement ? localName.flatMap { language.canRead($0) ? $0 : nil } ?? name : shortName
        case .local: localName ?? (kind == .country ? name : shortName)
        case .english: commonEnglishName ?? shortName
        case .both: NameLanguage.joined(name(in: .local), name(in: .english))
        }
    }

    /// The English name, without the apostrophes of a transliteration if the usual name has none: Poti, not
    /// P'ot'i.
    private var commonEnglishName: String? {
        englishName.map { english in
            english.filter { !"'’‘ʼʻ`".contains($0) } == name ? name : english
        }
    }

    /// Returns true if a name is written in Latin letters.
    static func isLatin(_ name: String) -> Bool { NameLanguage.usual.canRead(name) }
}

extension PlaceMatch {
    /// Returns the name on the map, and the name that was found or is known best if it is another one:
    /// "Firenze (Florence)".
    public func title(in language: NameLanguage) -> String {
        let shown = place.name(in: language)
        guard language != .both else { return shown }
        let local = place.localName.flatMap { language.canRead($0) ? $0 : nil }
        let others = [otherName, place.kind == .country ? nil : place.name, local]
        return others.compactMap(\.self).first { $0 != shown }.map { "\(shown) (\($0))" } ?? shown
    }
}
