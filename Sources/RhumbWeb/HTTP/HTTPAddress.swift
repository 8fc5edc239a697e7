internal import RhumbBase

/// An address with its secrets, and the form in which it may be shown.
public struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The complete address with its secrets, for the server only.
    public let url: String
    /// The secret texts, as they appear in the address.
    public let secrets: [String]
    /// The host in lower case, without user and port; empty if there is none.
    public let host: String
    /// The scheme, host and port as one text; equal for the same server.
    public let origin: String
    /// The path of a local file; nil for a web address.
    public let localPath: String?
    /// True for this machine.
    package let isLoopback: Bool

    /// - Parameters:
    ///   - secrets: The known secrets. User, password, and the values of query items with secret names
    ///     (`key`, `access_token`, …) are added.
    ///   - isLocal: True if it may be the address of a local file.
    public init(_ url: String, secrets: [String] = [], isLocal: Bool = false) {
        let parts = URLReference(url)
        self.url = parts.description
        host = parts.host ?? ""
        origin = parts.origin(of: host)
        localPath = isLocal ? parts.localPath : nil
        isLoopback = parts.isLoopback
        let named = SecretNames.values(inQuery: parts.query ?? "") + [parts.userInfo].compactMap(\.self)
        self.secrets = (secrets + named).filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Creates another address of a server, with the same secrets.
    /// - Parameter url: The address as `URLReference` writes it.
    init(_ url: String, like other: HTTPAddress) {
        self.url = url
        secrets = other.secrets
        host = other.host
        origin = other.origin
        localPath = nil
        isLoopback = other.isLoopback
    }

    /// True for an http or https address with a host, or an address of an object store.
    public var isWeb: Bool { !host.isEmpty && URLReference.isWeb(origin) }

    /// The address without its secrets, harmless to a terminal.
    public var description: String { cleaned(url) }

    /// Returns a text without these secrets, sanitised.
    public func cleaned(_ text: String) -> String {
        SafeText.sanitised(secrets.reduce(text) { Masking.masked($0, $1, with: "…") })
    }

    /// The address as a cache key, equal for all users of the same resource. It has no secrets, user or
    /// fragment, and no query items that change from moment to moment (`t`, and
    /// the items of presigned addresses).
    public var canonical: String {
        var parts = URLReference(url)
        parts.fragment = nil
        parts.query = parts.query.flatMap(withoutSecrets)?.split(separator: "&")
            .filter { !HTTPAddress.isMomentary($0.prefix { $0 != "=" }) }.joined(separator: "&")
        if parts.query?.isEmpty == true { parts.query = nil }
        parts.removeUser()
        return secrets.reduce(parts.description) { text, secret in
            Masking.masked(
                text, secret,
                with: SecretNames.looksRandom(secret) ? "{\(SecretNames.mark(of: secret))}" : "…")
        }
    }

    private static func isMomentary(_ name: Substring) -> Bool {
        name == "t" || name.lowercased().hasPrefix("x-amz-") || name.lowercased().hasPrefix("x-goog-")
    }

    /// Returns the target of a redirect. Another host does not receive the secrets.
    /// - Parameter location: The location from the server, absolute or relative.
    /// - Throws: `.badAddress` if it is not a web address, `.redirects` if it leads from https to http or
    ///   contains a secret that can't be removed.
    public func redirected(to location: String) throws(TransportFault) -> HTTPAddress {
        let here = URLReference(url)
        var target = here.resolving(URLReference(location))
        target.fragment = nil
        guard target.isWeb else { throw .badAddress }
        guard here.scheme == "http" || target.scheme == "https" else { throw .redirects }
        if here.origin == target.origin { return HTTPAddress(target.description, secrets: secrets) }
        target.query = target.query.flatMap { query in
            HTTPAddress.query(query) { item in !secrets.contains { Masking.holds(item, $0) } }
        }
        target.removeUser()
        let url = target.description
        guard !secrets.contains(where: { Masking.holds(url, $0) }) else { throw .redirects }
        return HTTPAddress(url)
    }

    /// Returns the query without items with secret names; values that look random stay, masked.
    private func withoutSecrets(_ query: String) -> String? {
        HTTPAddress.query(query) { item in
            !SecretNames.isSecret(item.prefix { $0 != "=" })
                && !secrets.contains { !SecretNames.looksRandom($0) && Masking.holds(item, $0) }
        }
    }

    private static func query(_ query: String, keeping isKept: (String) -> Bool) -> String? {
        let kept = query.split(separator: "&").map(String.init).filter(isKept)
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }
}
