internal import RhumbCore

/// An address as typed by the user, without its secrets.
public struct RedactedURL: Sendable, Equatable {
    /// The address with tokens in place of its secrets.
    public let text: String
    /// The secrets, by the variables that fill those tokens.
    public let keys: [String: String]

    /// Removes the secrets from an address, even if its scheme is missing or wrong. Other words stay
    /// unchanged.
    public init(_ words: String) {
        guard SourceDefinition.isAddress(words), words.contains("://") else {
            text = RedactedURL.isAddressWithoutBeginning(words) ? RedactedURL.masked(words) : words
            keys = [:]
            return
        }
        let (scheme, address) = ArchiveContainer.splitScheme(words)
        let found = AddressSecrets(address)
        text = scheme + found.address
        var source = SourceDefinition(id: "", name: "", addresses: [found.address])
        source.nameKeys(Array(found.values.keys))
        keys = source.keys.reduce(into: [:]) { keys, key in keys[key.environment] = found.values[key.token] }
    }

    /// Returns true if words look like a host and a path with a query or a password. Words that begin with a
    /// slash or a dot are a file.
    private static func isAddressWithoutBeginning(_ words: String) -> Bool {
        guard words.utf8.first.map({ $0 >= UInt8(ascii: "0") }) == true, !words.contains(" ") else {
            return false
        }
        return words.contains("?")
            || words.prefix { $0 != "@" && $0 != "/" }.contains(":") && words.contains("@")
    }

    /// Removes all secrets, because their server is unknown.
    private static func masked(_ words: String) -> String {
        String(AddressSecrets("https://" + words).address.dropFirst("https://".count))
    }
}
