/// Converts text to ASCII for terminals that show nothing else: "Köln" to "Koln", "Москва" to "Moskva".
///
/// Latin letters lose their marks, Cyrillic and Greek letters are transliterated, and other scripts are
/// omitted.
public enum Transliteration {
    /// Returns the text in ASCII; empty if no part of it can be transliterated.
    public static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var plain = ""
        for scalar in text.unicodeScalars { plain += letters(scalar) ?? "" }
        return plain.split(separator: " ").filter { $0 != "()" && $0 != "[]" }.joined(separator: " ")
    }

    /// Returns the text in ASCII, with spaces and line breaks unchanged. Characters without an equivalent
    /// become "?".
    public static func plain(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return text.unicodeScalars.map { scalar in
            let isMark = scalar.properties.generalCategory == .nonspacingMark
            return typography[scalar] ?? letters(scalar) ?? (isMark ? "" : "?")
        }.joined()
    }

    /// Replacements for signs in texts other than labels.
    private static let typography: [Unicode.Scalar: String] = [
        "·": "-", "•": "*", "×": "x", "≥": ">=", "≤": "<=", "≈": "~", "±": "+/-", "→": "->", "←": "<-",
        "↑": "^", "↓": "v",
        "©": "(c)", "®": "(r)", "°": " deg", "µ": "u", "²": "2", "³": "3", "½": "1/2", "€": "EUR", "█": "#",
        "░": ".",
    ]

    /// Returns the replacement of a character; nil if it is left out.
    public static func letters(_ scalar: Unicode.Scalar) -> String? {
        scalar.isASCII ? String(scalar) : table[scalar]
    }

    private static let table = Dictionary(
        rows.flatMap { letters, scalars in scalars.unicodeScalars.map { ($0, letters) } },
        uniquingKeysWith: { first, _ in first })

    private static let rows: [(String, String)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶƏ"), ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặə"), ("AE", "Æ"),
        ("ae", "æ"),
        ("B", "ḂḄḆƁ"), ("b", "ḃḅḇɓ"), ("C", "ÇĆĈĊČḈ"), ("c", "çćĉċčḉ"), ("D", "ĎḊḌḎḐḒĐÐƊ"),
        ("d", "ďḋḍḏḑḓđðɗ"),
        ("E", "ÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆƐ"), ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệɛ"), ("F", "Ḟ"), ("f", "ḟ"),
        ("G", "ĜĞĠĢǦḠƔǤ"), ("g", "ĝğġģǧḡɣǥ"), ("H", "ĤȞḢḤḦḨḪĦ"), ("h", "ĥȟḣḥḧḩḫẖħ"),
        ("I", "ÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊƗ"),
        ("i", "ìíîïĩīĭįǐȉȋḭḯỉịıɨ"), ("IJ", "Ĳ"), ("ij", "ĳ"), ("J", "Ĵ"), ("j", "ĵǰ"), ("K", "ĶǨḰḲḴƘ"),
        ("k", "ķǩḱḳḵĸƙ"), ("L", "ĹĻĽḶḸḺḼŁĿ"), ("l", "ĺļľḷḹḻḽłŀ"), ("M", "ḾṀṂ"), ("m", "ḿṁṃ"),
        ("N", "ÑŃŅŇǸṄṆṈṊŊ"),
        ("n", "ñńņňǹṅṇṉṋŋŉ"), ("O", "ÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢØƆ"),
        ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøɔ"), ("OE", "Œ"), ("oe", "œ"), ("P", "ṔṖ"), ("p", "ṕṗ"),
        ("R", "ŔŖŘȐȒṘṚṜṞ"), ("r", "ŕŗřȑȓṙṛṝṟ"), ("S", "ŚŜŞŠȘṠṢṤṦṨ"), ("s", "śŝşšſșṡṣṥṧṩẛ"), ("SS", "ẞ"),
        ("ss", "ß"),
        ("T", "ŢŤȚṪṬṮṰŦ"), ("t", "ţťțṫṭṯṱẗŧ"), ("Th", "Þ"), ("th", "þ"),
        ("U", "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ"),
        ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"), ("V", "ṼṾ"), ("v", "ṽṿ"), ("W", "ŴẀẂẄẆẈ"), ("w", "ŵẁẃẅẇẉẘ"),
        ("X", "ẊẌ"), ("x", "ẋẍ"), ("Y", "ÝŶŸȲẎỲỴỶỸƳ"), ("y", "ýÿŷȳẏẙỳỵỷỹƴ"), ("Z", "ŹŻŽẐẒẔ"), ("z", "źżžẑẓẕ"),
        ("", "ЪъЬь"), ("A", "АӘΑΆ"), ("a", "аәαά"), ("B", "Б"), ("b", "б"), ("C", "Ћ"), ("c", "ћ"),
        ("Ch", "ЧΧ"),
        ("ch", "чχ"), ("D", "ДΔ"), ("d", "дδ"), ("Dj", "Ђ"), ("dj", "ђ"), ("Dz", "ЏЅ"), ("dz", "џѕ"),
        ("E", "ЕЭЀΕΈ"),
        ("e", "еэѐεέ"), ("F", "ФΦ"), ("f", "фφ"), ("G", "ГҐЃҒΓ"), ("g", "гґѓғγ"), ("H", "Һ"), ("h", "һ"),
        ("I", "ИІЍΗΙΉΊΪ"), ("i", "иіѝηιήίϊΐ"), ("J", "Ј"), ("j", "ј"), ("K", "КЌҚΚ"), ("k", "кќқκ"),
        ("Kh", "Х"),
        ("kh", "х"), ("L", "ЛΛ"), ("l", "лλ"), ("Lj", "Љ"), ("lj", "љ"), ("M", "МΜ"), ("m", "мμ"),
        ("N", "НҢΝ"),
        ("n", "нңν"), ("Nj", "Њ"), ("nj", "њ"), ("O", "ОӨΟΩΌΏ"), ("o", "оөοωόώ"), ("P", "ПΠ"), ("p", "пπ"),
        ("Ps", "Ψ"), ("ps", "ψ"), ("R", "РΡ"), ("r", "рρ"), ("S", "СΣ"), ("s", "сσς"), ("Sh", "Ш"),
        ("sh", "ш"),
        ("Shch", "Щ"), ("shch", "щ"), ("T", "ТΤ"), ("t", "тτ"), ("Th", "Θ"), ("th", "θ"), ("Ts", "Ц"),
        ("ts", "ц"),
        ("U", "УЎҮҰ"), ("u", "уўүұ"), ("V", "ВΒ"), ("v", "вβ"), ("X", "Ξ"), ("x", "ξ"), ("Y", "ЙЫΥΎΫ"),
        ("y", "йыυύϋΰ"), ("Ya", "Я"), ("ya", "я"), ("Ye", "Є"), ("ye", "є"), ("Yi", "Ї"), ("yi", "ї"),
        ("Yo", "Ё"),
        ("yo", "ё"), ("Yu", "Ю"), ("yu", "ю"), ("Z", "ЗΖ"), ("z", "зζ"), ("Zh", "Ж"), ("zh", "ж"),
        ("-", "‐‑‒–—―−"),
        ("'", "‘’‚‛ʼʻʹ′´"), ("\"", "“”„‟«»″"), ("...", "…"), (".", "·•"), (" ", "\u{A0}\u{2009}\u{202F}"),
    ]
}
