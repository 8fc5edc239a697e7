public import RhumbBase

/// Removes secrets from texts.
public enum Masking {
    /// The minimum length of a secret that is replaced inside words. Shorter ones occur by chance, and are
    /// replaced only as whole words.
    private static let minimumLength = 8
    /// The minimum length of a part of a secret that is removed where a text was cut.
    private static let shortestCut = 4

    /// Returns the text with a mark in place of each occurrence of a secret.
    public static func masked(_ text: String, _ secret: String, with mark: String) -> String {
        guard !secret.isEmpty else { return text }
        let text = withoutCut(text, secret)
        guard text.contains(secret) else { return text }
        guard secret.utf8.count < minimumLength else { return text.replacing(secret, with: mark) }
        var result = "", rest = text[...]
        while let found = rest.firstRange(of: secret) {
            let isWord =
                isStart(text[..<found.lowerBound].last, of: secret) && isEnd(text[found.upperBound...].first)
            result += rest[..<found.lowerBound] + (isWord ? mark : secret)
            rest = rest[found.upperBound...]
        }
        return result + rest
    }

    /// Returns the text without beginnings of a secret where the text was cut ("…").
    private static func withoutCut(_ text: String, _ secret: String) -> String {
        guard secret.utf8.count > shortestCut, text.contains("…"),
            text.contains(secret.prefix(shortestCut))
        else { return text }
        var pieces = text.split(separator: "…", omittingEmptySubsequences: false).map(String.init)
        for index in pieces.indices.dropLast() {
            let lengths = (shortestCut..<secret.count).reversed()
            if let cut = lengths.first(where: { pieces[index].hasSuffix(secret.prefix($0)) }) {
                pieces[index].removeLast(cut)
            }
        }
        return pieces.joined(separator: "…")
    }

    /// Returns the text with a mark in place of each occurrence of a secret, plain or percent-encoded.
    package static func maskedInAddresses(_ text: String, _ secret: String, with mark: String) -> String {
        masked(masked(text, secret, with: mark), PercentCoding.encoded(secret), with: mark)
    }

    /// Returns true if a text contains a secret.
    public static func holds(_ text: String, _ secret: String) -> Bool {
        masked(text, secret, with: "\u{0}") != text
    }

    /// Returns true if a secret may start after a character. Numeric secrets count only as values in
    /// addresses, because texts contain many numbers.
    private static func isStart(_ character: Character?, of secret: String) -> Bool {
        guard secret.allSatisfy(\.isNumber) else { return isEnd(character) }
        return character.map { "=/@\"'".contains($0) } == true
    }

    private static func isEnd(_ character: Character?) -> Bool {
        character.map { !$0.isLetter && !$0.isNumber } ?? true
    }
}

extension JSON {
    /// Returns the value with each of its texts changed; names of members remain unchanged.
    public func changingTexts(_ change: (String) -> String) -> JSON {
        switch self {
        case .string(let text): return .string(change(text))
        case .array(let values): return .array(values.map { $0.changingTexts(change) })
        case .object(let members):
            var object = JSONObject()
            for name in members.names { object[name] = members[name]?.changingTexts(change) }
            return .object(object)
        default: return self
        }
    }

    /// Returns the value with a mark in place of each occurrence of a secret in its texts.
    public func masked(_ secret: String, with mark: String) -> JSON {
        changingTexts { Masking.maskedInAddresses($0, secret, with: mark) }
    }
}
