internal import RhumbCore

/// An address as a person typed it, without the secrets in it.
public struct TypedAddress: Sendable, Equatable {
    /// With tokens for the secrets.
    public let text: String
    /// The secrets, by the variables that fill those tokens.
    public let keys: [String: String]

    /// Takes the secrets out of an address; other words stay as they are.
    public init(_ words: String) {
        let archive = words.lowercased().hasPrefix("pmtiles://") ? words.prefix("pmtiles://".count) : ""
        let found = AddressSecrets(String(words.dropFirst(archive.count)))
        text = archive + found.address
        guard SourceDefinition.isAddress(words), !found.values.isEmpty else {
            keys = [:]
            return
        }
        var source = SourceDefinition(id: "", name: "", addresses: [found.address])
        source.nameKeys(Array(found.values.keys))
        keys = source.keys.reduce(into: [:]) { keys, key in keys[key.environment] = found.values[key.token] }
    }
}
