internal import RhumbCore

/// An address as typed by the user, without its secrets.
public struct RedactedURL: Sendable, Equatable {
    /// The address with tokens in place of its secrets.
    public let text: String
    /// The secrets, by the variables that fill those tokens.
    public let keys: [String: String]

    /// Removes the secrets from an address, even if its scheme is missing or wrong. Other texts stay
    /// unchanged.
    public init(_ typed: String) {
        guard SourceDefinition.isAddress(typed), typed.contains("://") else {
            text = RedactedURL.isAddressWithoutBeginning(typed) ? RedactedURL.masked(typed) : typed
            keys = [:]
            return
        }
        let (scheme, address) = ArchiveContainer.splitScheme(typed)
        let found = AddressSecrets(address)
        text = scheme + found.address
        var source = SourceDefinition(id: "", name: "", addresses: [found.address])
        source.nameKeys(Array(found.values.keys))
        keys = source.keys.reduce(into: [:]) { keys, key in keys[key.environment] = found.values[key.token] }
    }

    /// Returns true if a text looks like a host and a path with a query or a password. One that begins with a
    /// slash or a dot is a file.
    private static func isAddressWithoutBeginning(_ typed: String) -> Bool {
        guard typed.utf8.first.map({ $0 >= UInt8(ascii: "0") }) == true, !typed.contains(" ") else {
            return false
        }
        return typed.contains("?")
            || typed.prefix { $0 != "@" && $0 != "/" }.contains(":") && typed.contains("@")
    }

    /// Removes all secrets, because their server is unknown.
    private static func masked(_ typed: String) -> String {
        String(AddressSecrets("https://" + typed).address.dropFirst("https://".count))
    }
}
