internal import RhumbCore

extension SourceDefinition {
    /// A secret that its addresses contain as a token, with the servers that may receive it.
    public struct Key: Sendable, Equatable {
        /// The token in the template, without braces.
        public let token: String
        /// The name of an environment variable, such as "TOMTOM_API_KEY".
        public let environment: String
        /// The name of the key in the configuration file.
        public let configuration: String
        /// The servers that may receive it: scheme, host and port of each.
        public var origins: Set<String>
        /// A variable that takes precedence: the one for the same key typed in an address.
        var typed: String?

        /// Creates a key of an address or a header, with the names under which it is looked up.
        public init(token: String, environment: String, configuration: String, origins: Set<String> = []) {
            self.token = token
            self.environment = environment
            self.configuration = configuration
            self.origins = origins
        }

        /// Creates a key for certain servers only, named after them.
        public init(_ token: String, of origins: Set<String>) {
            let place = Key.place(origins), name = token == "key" ? place : "\(place)/\(token)"
            self.init(token: token, environment: Key.variable(name), configuration: name, origins: origins)
        }

        /// The prefix of the variables for keys of servers.
        public static let variablePrefix = "RHUMB_KEY_"

        /// Returns the host and port, or the common domain of several servers. The name includes plain http,
        /// so that a key set for a server's name alone is sent over https only.
        private static func place(_ origins: Set<String>) -> String {
            let names = origins.map { origin -> String in
                let isPlain = origin.hasPrefix("http://") && !URLReference(origin).isLoopback
                return isPlain ? origin : origin.split(separator: "/").last.map(String.init) ?? ""
            }
            guard let first = names.first, names.count > 1 else { return names.first ?? "" }
            let labels = names.dropFirst().reduce(Array(first.split(separator: ".").reversed())) {
                shared, name in
                zip(shared, name.split(separator: ".").reversed()).prefix { $0 == $1 }.map(\.0)
            }
            return labels.reversed().joined(separator: ".")
        }

        /// Returns a variable name that is unique for each host.
        private static func variable(_ name: String) -> String {
            name.utf8.reduce(into: variablePrefix) { text, byte in
                switch byte {
                case 48...57, 65...90, 97...122: text += String(decoding: [byte], as: UTF8.self).uppercased()
                case UInt8(ascii: "."), UInt8(ascii: ":"): text += "_"
                case UInt8(ascii: "-"): text += "__"
                case UInt8(ascii: "/"): text += "___"
                default: text += "_" + String(byte, radix: 16, uppercase: true) + "_"
                }
            }
        }
    }

    /// The servers that its addresses lead to; empty if an address can't be read.
    public var origins: Set<String> {
        ((try? templates()) ?? []).reduce(into: []) { $0.formUnion($1.origins) }
    }

    /// Allows its keys to be sent to the servers of its own addresses.
    public mutating func bindKeys() {
        let own = origins
        for at in keys.indices { keys[at].origins.formUnion(own) }
    }

    /// Adds the unknown keys of its addresses. Each belongs to the servers of its address.
    /// - Parameter names: Tokens of keys, in addition to those with secret names.
    public mutating func nameKeys(_ names: [String] = []) {
        for address in addresses {
            let asked = AddressSecrets.tokens(in: address) + names.filter { address.contains("{\($0)}") }
            let tokens = Set(asked).sorted().filter { token in
                values[token] == nil && replaceable[token] == nil && !keys.contains { $0.token == token }
            }
            guard !tokens.isEmpty else { continue }
            var plain = self
            plain.addresses = [address]
            plain.kind = .tilejson
            plain.keys += tokens.map { Key(token: $0, environment: "", configuration: "") }
            let origins = plain.origins
            for token in tokens where !keys.contains(where: { $0.token == token }) {
                keys.append(Key(token, of: origins))
            }
        }
    }

    /// The source as it was stored, perhaps by another machine. It refers to no variables of this machine,
    /// and its keys are those of its servers.
    public var asKept: SourceDefinition {
        var source = self
        source.values.merge(replaceable.mapValues(\.standard)) { old, _ in old }
        source.replaceable = [:]
        source.keys = []
        source.nameKeys(keys.map(\.token))
        return source
    }

    /// Returns the values of the secrets that its addresses need, by token.
    /// - Parameters:
    ///   - environment: Returns variables of the environment.
    ///   - configuration: Returns keys of the configuration file.
    /// - Throws: `SourceFailure.missingKey`, or `.refusedKey` if an address leads to a server that the key is
    ///   not for.
    public func secrets(
        environment: (String) -> String?, configuration: (String) -> String? = { _ in nil }
    ) throws(SourceFailure) -> [String: String] {
        guard !keys.isEmpty else { return [:] }
        let templates = try templates(environment: environment)
        let moved = Set(
            replaceable.values.compactMap { environment($0.environment) }.map { URLReference($0).origin })
        var secrets: [String: String] = [:]
        for key in keys {
            let asked = templates.filter { $0.secretNames.contains(key.token) }.reduce(into: Set()) {
                $0.formUnion($1.origins)
            }
            guard !asked.isEmpty else { continue }
            try key.check(asked, moved, source: id)
            let given = [
                key.typed.flatMap(environment), environment(key.environment),
                configuration(key.configuration),
            ]
            guard let value = given.compactMap(\.self).first(where: { !$0.isEmpty }) else {
                throw .missingKey(source: id, environment: key.environment, configuration: key.configuration)
            }
            secrets[key.token] = value
        }
        return secrets
    }
}

extension SourceDefinition.Key {
    /// - Parameter moved: The servers that the environment puts in place of others.
    /// - Throws: `SourceFailure.refusedKey`.
    fileprivate func check(_ asked: Set<String>, _ moved: Set<String>, source: String) throws(SourceFailure) {
        for origin in asked.sorted() {
            guard origins.contains(origin) || moved.contains(origin) else {
                throw .refusedKey(
                    source: source, server: origin, .otherServer(allowed: origins.sorted().first))
            }
            let isNamed = configuration.hasPrefix("http://")
            guard origin.hasPrefix("https://") || URLReference(origin).isLoopback || isNamed else {
                throw .refusedKey(source: source, server: origin, .plain)
            }
        }
    }
}

/// The reason why a key is not sent to a server.
public enum KeyRefusal: Sendable, Equatable {
    /// The key belongs to other servers, such as this one.
    case otherServer(allowed: String?)
    /// The connection is not encrypted.
    case plain

    var explanation: String {
        switch self {
        case .otherServer(let allowed?): "the key is only for \(allowed)"
        case .otherServer(nil): "the key is not sent to any server"
        case .plain: "keys are only sent over https; use a URL that begins with https:"
        }
    }
}
