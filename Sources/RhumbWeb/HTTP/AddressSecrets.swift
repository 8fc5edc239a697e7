internal import RhumbBase

/// An address as typed, split into a part that may be shown and stored, and the secrets in it. Each secret is
/// replaced by a token in braces.
///
/// Secrets are user and password, the values of query items with secret names, and values and long parts of
/// the path that look random.
public struct AddressSecrets: Sendable, Equatable {
    /// The address with tokens for its secrets.
    public let address: String
    /// The secrets by token, percent-decoded; empty if there are none.
    public let values: [String: String]

    /// The minimum length of a part of a path that counts as a secret. Shorter ones are mostly names.
    private static let shortestPart = 32

    /// Reads the secrets of an address or a template.
    public init(_ text: String) {
        var reference = URLReference(text), finder = Finder(text)
        guard reference.isWeb else {
            address = text
            values = [:]
            return
        }
        if let user = reference.userInfo, let host = reference.authority?.dropFirst(user.count) {
            reference.authority = finder.login(user) + host
        }
        reference.query = reference.query.map { query in
            query.split(separator: "&", omittingEmptySubsequences: false).map { finder.item($0) }.joined(
                separator: "&")
        }
        reference.path = reference.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { finder.part($0, shortest: Self.shortestPart) }.joined(separator: "/")
        values = finder.values
        address = values.isEmpty ? text : reference.description
    }

    /// Returns true if a token stands for a removed secret, or for one to be filled in.
    public static func isToken(_ name: some StringProtocol) -> Bool {
        name == "user" || SecretNames.isSecret(name)
    }

    /// Returns the tokens in a text that stand for secrets, in order.
    public static func tokens(in text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            guard let end = rest.firstIndex(of: "}") else { return nil }
            let name = rest[..<end]
            return !name.contains(",") && isToken(name) ? String(name) : nil
        }
    }
}

/// Finds secrets in the parts of an address.
private struct Finder {
    private(set) var values: [String: String] = [:]
    private var taken: Set<String>

    init(_ text: String) { taken = Set(AddressSecrets.tokens(in: text)) }

    /// Replaces user and password by tokens.
    mutating func login(_ text: String) -> String {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return zip(parts, ["user", "password"]).map { part, name in
            part.isEmpty || part.contains("{") ? String(part) : token(name, for: part)
        }.joined(separator: ":")
    }

    /// Returns an item of a query, with its value replaced by a token if it is secret.
    mutating func item(_ item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = item[..<equals], value = item[item.index(after: equals)...]
        guard !value.isEmpty, !value.contains("{") else { return String(item) }
        if SecretNames.isSecret(name) {
            return "\(name)=" + token(taken.contains("key") ? Finder.plain(name) : "key", for: value)
        }
        return "\(name)=" + part(value, shortest: 20)
    }

    /// Returns a part of a path or a value, replaced by a token if it looks random.
    mutating func part(_ part: Substring, shortest: Int) -> String {
        guard SecretNames.looksRandom(part, shortest: shortest), !Finder.isUUID(part) else {
            return String(part)
        }
        let name = SecretNames.mark(of: String(part))
        taken.insert(name)
        values[name] = PercentCoding.decoded(String(part))
        return "{\(name)}"
    }

    private mutating func token(_ name: String, for value: Substring) -> String {
        var unique = name, number = 2
        while taken.contains(unique) {
            unique = "\(name)-\(number)"
            number += 1
        }
        taken.insert(unique)
        values[unique] = PercentCoding.decoded(String(value))
        return "{\(unique)}"
    }

    private static func plain(_ name: Substring) -> String {
        let kept = name.lowercased().filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
        }
        return AddressSecrets.isToken(kept) ? kept : "secret"
    }

    /// Returns true for a UUID. Maps and styles have such names, which aren't secrets.
    private static func isUUID(_ text: Substring) -> Bool {
        text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
    }
}
