public import RhumbVector

/// Names of places as shown on a map.
extension NamedPlace {
    /// Returns the name in a language; countries have the short form used in atlases.
    public func name(in language: NameLanguage) -> String {
        switch language {
        case .usual:
            kind.isSettlement ? localName.flatMap { NamedPlace.isLatin($0) ? $0 : nil } ?? name : shortName
        case .local: localName ?? (kind == .country ? name : shortName)
        case .english: englishName ?? shortName
        case .both: NameLanguage.joined(name(in: .local), name(in: .english))
        }
    }

    /// Returns true if a name is written in Latin letters.
    static func isLatin(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy {
            $0.value < 0x370 || (0x1E00..<0x1F00).contains($0.value) || (0x2000..<0x2070).contains($0.value)
        }
    }
}
