internal import RhumbBase
internal import RhumbWeb

/// An address in a TomTom style, with placeholders for keys and for tags that only the provider's own
/// software fills in.
struct StyleAddress {
    /// The address for an editor, with placeholders for keys only.
    let text: String
    /// The path's tags that have no default value.
    let unknownTags: [String]

    /// Tags that editors fill in themselves.
    private static let usual: Set<String> = [
        "z", "x", "y", "-y", "s", "ratio", "quadkey", "prefix", "bbox-epsg-3857", "fontstack", "range",
    ]
    /// The service's default values for tags in paths.
    private static let defaults = [
        "view": "Unified", "language": "NGT", "style": "main", "tilesize": "512", "format": "pbf",
        "layer": "basic",
    ]

    init(_ address: String) {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = Self.filled(String(parts[0]))
        let items = parts.dropFirst().flatMap { $0.split(separator: "&", omittingEmptySubsequences: false) }
        // Drops query items that can't be filled in, for which the service has defaults.
        let query = items.compactMap { item -> String? in
            let item = Self.filled(String(item))
            return item.tags.isEmpty ? item.text : nil
        }
        text = path.text + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        unknownTags = path.tags
    }

    /// The placeholders of the keys that the address needs.
    var tokens: [String] { AddressSecrets.tokens(in: text) }

    /// Returns the address with the available keys filled in.
    func filled(_ key: (_ token: String) -> String?) -> String {
        tokens.reduce(text) { text, token in
            key(token).map { text.replacing("{\(token)}", with: PercentCoding.encoded($0)) } ?? text
        }
    }

    /// Returns the keys in an address derived from this one, by placeholder; nil if it wasn't derived from
    /// it.
    func keys(in address: String) -> [String: String]? {
        var keys: [String: String] = [:], rest = address[...], plain = text[...]
        for token in tokens {
            guard let mark = plain.firstRange(of: "{\(token)}"), rest.hasPrefix(plain[..<mark.lowerBound])
            else { return nil }
            rest = rest.dropFirst(plain[..<mark.lowerBound].count)
            plain = plain[mark.upperBound...]
            let value =
                rest.hasPrefix("{\(token)}")
                ? rest.prefix(token.count + 2) : rest.prefix { !"/?&#{".contains($0) }
            rest = rest.dropFirst(value.count)
            if value != "{\(token)}" { keys[token] = PercentCoding.decoded(String(value)) }
        }
        return rest == plain ? keys : nil
    }

    /// Fills in the default values of tags, and returns the tags that have none.
    private static func filled(_ text: String) -> (text: String, tags: [String]) {
        var filled = "", unknown: [String] = [], rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            let value = defaults[name.lowercased()]
            if value == nil && !usual.contains(name) && !AddressSecrets.isToken(name) { unknown.append(name) }
            filled += rest[..<open] + (value ?? "{\(name)}")
            rest = rest[rest.index(after: close)...]
        }
        return (filled + rest, unknown)
    }
}
