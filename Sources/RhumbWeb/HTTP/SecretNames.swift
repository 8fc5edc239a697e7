internal import RhumbBase

/// The rules for secrets in an address: by the name of a query item, or by the appearance of a value.
public enum SecretNames {
    /// Whole names, or words of a name ("X-Amz-Signature").
    private static let words: Set<String> = [
        "key", "token", "secret", "sig", "signature", "password", "passwd", "pwd", "auth", "api", "tk", "ak",
        "sk",
        "jwt", "bearer", "credential", "credentials", "session", "pass", "passphrase", "passcode", "ticket",
        "hmac",
    ]
    private static let names: Set<String> = [
        "app_code", "app_id", "appcode", "appid", "code", "hash", "license", "licence", "connectid",
    ]
    /// Words of a name that end like one of a secret.
    private static let plainWords: Set<String> = ["quadkey"]
    /// Endings of a word ("apikey").
    private static let endings = ["key", "token", "secret", "signature", "password"]

    /// Returns true if a query item of that name is secret, ignoring case.
    public static func isSecret(_ name: some StringProtocol) -> Bool {
        if names.contains(name.lowercased()) { return true }
        let parts = words(of: name)
        return !parts.contains("version")
            && parts.contains { part in
                words.contains(part)
                    || !plainWords.contains(part) && endings.contains { part.hasSuffix($0) }
            }
    }

    /// Returns the words of a name, which begin at punctuation or at a capital.
    private static func words(of name: some StringProtocol) -> [String] {
        var words = [""], wasLower = false
        for character in name {
            if !character.isLetter && !character.isNumber {
                words.append("")
            } else {
                if character.isUppercase && wasLower { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
            wasLower = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    /// Returns the values of the secret items of a query.
    public static func values(inQuery query: String) -> [String] {
        query.split(separator: "&").compactMap { item in
            guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { return nil }
            return String(item[item.index(after: equals)...])
        }
    }

    /// Returns true if a value is long and looks random: letters and digits in constant alternation.
    /// - Parameter shortest: The minimum length in characters.
    package static func looksRandom(_ value: some StringProtocol, shortest: Int = 20) -> Bool {
        let kinds = value.utf8.map(kind)
        guard kinds.count >= shortest, kinds.allSatisfy({ $0 != .other }) else { return false }
        let digits = kinds.count { $0 == .digit }, letters = kinds.count { $0 == .lower || $0 == .upper }
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
        return digits >= 3 && letters >= 5 && Double(changes) >= 0.35 * Double(kinds.count - 1)
    }

    private enum Kind { case lower, upper, digit, mark, other }

    private static func kind(_ byte: UInt8) -> Kind {
        switch byte {
        case 97...122: .lower
        case 65...90: .upper
        case 48...57: .digit
        case 45, 46, 95, 126, 37, 43, 61: .mark
        default: .other
        }
    }

    /// Returns a mark for a value that looks random, equal for equal values, so that addresses that differ
    /// only by it stay apart.
    static func mark(of value: String) -> String {
        let hash = value.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return "secret-" + hash.digits(8, radix: 16)
    }
}
