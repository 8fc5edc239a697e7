/// The language of labels for which a style requests a plain `name`.
public enum NameLanguage: Hashable, Sendable {
    /// The most widely readable names: local ones in Latin letters, else English ones.
    case usual
    /// Local names, in any script.
    case local
    /// English names if there are any, else those in Latin letters.
    case english
    /// Local names, followed by the English ones.
    case both
    /// Names in a language, by its ISO 639 code. Otherwise local ones in a script of that language or in
    /// Latin letters, else English ones. The gazetteer knows only local and English names.
    case code(String)

    /// The words for all rules, followed by the codes of languages that maps often have.
    public static let words =
        ["auto", "local", "both", "en"]
            + """
            ar be bg bn ca cs cy da de el eo es et eu fa fi fr fy ga gl he hi hr hu hy id is it ja ka kk ko lt lv \
            mk ms nb nl no pl pt ro ru sk sl sq sr sv ta th tr uk ur vi zh
            """.split(separator: " ").map(String.init)

    /// Creates the rule for one of `words`; nil for another word.
    public init?(_ word: String) {
        switch word {
        case "auto": self = .usual
        case "local": self = .local
        case "both": self = .both
        case "en": self = .english
        case let code where Self.words.contains(code): self = .code(code)
        default: return nil
        }
    }

    /// The attributes with translated names, best first.
    var attributes: [String] {
        let english = ["name:en", "name_en", "name_int", "name:latin"]
        switch self {
        case .local: return []
        case .usual, .english, .both: return english
        case .code: return ownAttributes + english
        }
    }

    /// The attributes that are preferred to a readable local name.
    var ownAttributes: [String] {
        switch self {
        case .usual, .local: []
        case .english, .both: attributes
        case .code(let code): ["name:\(code)", "name_\(code)"] + (Self.relatives[code] ?? [])
        }
    }

    /// The attributes of languages that share their names.
    private static let relatives = ["nb": ["name:no", "name_no"], "nn": ["name:no", "name_no"]]

    /// Returns true if a name consists of Latin letters or of letters of the language.
    package func canRead(_ name: String) -> Bool {
        let own: [ClosedRange<UInt32>] = if case .code(let code) = self { Self.scripts(of: code) } else { [] }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar.value < 0x370 || (0x1E00..<0x1F00).contains(scalar.value)
                || (0x2000..<0x2070).contains(scalar.value) || own.contains { $0.contains(scalar.value) }
        }
    }

    private static func scripts(of code: String) -> [ClosedRange<UInt32>] {
        switch code {
        case "ja", "zh", "ko": [0x3000...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF]
        case "be", "bg", "kk", "mk", "ru", "sr", "uk": [0x400...0x52F]
        case "el": [0x370...0x3FF, 0x1F00...0x1FFF]
        case "ar", "fa", "ur": [0x600...0x6FF, 0x750...0x77F, 0xFB50...0xFDFF, 0xFE70...0xFEFF]
        case "he": [0x590...0x5FF]
        case "hi": [0x900...0x97F]
        case "bn": [0x980...0x9FF]
        case "ta": [0xB80...0xBFF]
        case "th": [0xE00...0xE7F]
        case "ka": [0x10A0...0x10FF]
        case "hy": [0x530...0x58F]
        default: []
        }
    }

    /// Joins two names: "Wien (Vienna)".
    package static func joined(_ own: String, _ english: String) -> String {
        own.isEmpty || own == english ? english : "\(own) (\(english))"
    }
}
