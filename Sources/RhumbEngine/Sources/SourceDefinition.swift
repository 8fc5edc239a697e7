public import RhumbCore

/// A web source of tiles, as data.
public struct SourceDefinition: Sendable, Equatable, Identifiable {
    /// The kind of a source's addresses.
    public enum Kind: String, Sendable, CaseIterable {
        /// The address is a template, with one file for each tile.
        case tiles
        /// The address is a TileJSON document that names the template.
        case tilejson
        /// The address is an archive that is read in parts.
        case archive = "pmtiles"
        /// Routing engines, which have no map.
        case osrm, valhalla
        case tomtomRouting = "tomtom-routing"
        case hereRouting = "here-routing"
        /// Search services, which have no map.
        case nominatim, photon

        /// True for maps.
        public var isMap: Bool { [.tiles, .tilejson, .archive].contains(self) }

        /// The API of a search service; nil for other kinds.
        public var searching: OnlineSearchKind? { OnlineSearchKind(rawValue: rawValue) }

        /// The API of a routing engine; nil for other kinds.
        public var routing: RouteEngineKind? {
            switch self {
            case .tiles, .tilejson, .archive, .nominatim, .photon: nil
            case .osrm: .osrm
            case .valhalla: .valhalla
            case .tomtomRouting: .tomtom
            case .hereRouting: .here
            }
        }
    }

    /// A value that the environment may replace, such as a server's address.
    public struct Replaceable: Sendable, Equatable {
        /// The environment variable that names another server.
        public let environment: String
        /// The server to use unless the variable names one.
        public let standard: String
    }

    /// The id on the command line.
    public let id: String
    /// The display name.
    public var name: String
    /// The kind of its addresses.
    public var kind = Kind.tiles
    /// Equivalent templates, or the single address of a document or archive.
    public var addresses: [String]
    /// The modes of an engine with one address per mode, in the order of the addresses; empty if one address
    /// serves all modes.
    public var modes: [RouteMode] = []
    /// The values of `{s}`, used in turn.
    public var subdomains: [String] = []
    /// The values of further tokens of the template.
    public var values: [String: String] = [:]
    /// The parts of its addresses that another server may replace, by their tokens.
    public var replaceable: [String: Replaceable] = [:]
    /// The keys it needs.
    public var keys: [Key] = []
    /// The header fields that its server requires; they may contain keys.
    public var headers: HTTPHeaders = [:]
    /// The size of its tiles, and `{tileSize}` in the template.
    public var tileSize = TileSize.pixels256
    /// True if neither its definition nor the user stated `tileSize`.
    public var isTileSizeAssumed = false
    /// The zooms of its tiles.
    public var zooms = 0...19
    /// The box outside which it has no data; nil for no limit.
    public var bounds: Bounds?
    /// The initial centre of its map; nil if unknown.
    public var center: Coordinate?
    /// The zoom at which its map opens; nil if unspecified.
    public var centerZoom: Double?
    /// The attribution.
    public var attribution = ""
    /// The feature its layer belongs to.
    public var feature = Feature.rendering
    /// True if its images are an overlay with transparent parts.
    public var isOverlay = false
    /// True if its address may be a local file, as the user says, but never a web document.
    public var isLocal = false
    /// True if its definition or a document declares vector tiles.
    public var isVector = false
    /// The encoding of heights in the colours of its tiles; nil if they contain no heights.
    public var elevation: ElevationEncoding?
    /// The layers of its vector tiles according to a document; empty if unknown.
    public var vectorLayers: [String] = []
    /// The web document that described it, without secrets; nil if no document did.
    public var document: String?
    /// The version of the data, as counted by the provider.
    public var dataVersion: String?
    /// The list of the builds that its archive is published in; nil for an archive with one address.
    public var builds: BuildList?
    /// The address of a caching proxy for its requests; nil for the proxy of all sources, if there is one.
    public var cacheProxy: String?
    /// The policy of its provider.
    public var policy = SourcePolicy()

    /// The deepest zoom of vector tiles without a declared one.
    public static let usualVectorDepth = 14

    /// Creates a source of tiles at these addresses, with default values.
    public init(id: String, name: String, addresses: [String]) {
        self.id = id
        self.name = name
        self.addresses = addresses
    }

    /// The description for its layer.
    public var info: TileSourceInfo {
        TileSourceInfo(
            name: name, attribution: attribution, zooms: zooms, bounds: bounds, center: center,
            centerZoom: centerZoom, tileSize: tileSize, isOverlay: isOverlay)
    }

    /// Returns its templates after checking them.
    /// - Parameter environment: Returns variables of the environment, for replaceable values.
    /// - Throws: `SourceFailure.template`.
    public func templates(
        environment: (String) -> String? = { _ in nil }
    ) throws(SourceFailure) -> [URLTemplate] {
        var values = self.values
        values["tileSize"] = "\(tileSize.rawValue)"
        if builds != nil, build == nil { values[BuildList.token] = BuildList.newest }
        let scale = tileSize == .pixels512 && !addresses.contains { $0.contains("{tileSize}") } ? 2 : 1
        for (token, value) in replaceable {
            let given = environment(value.environment).flatMap { $0.isEmpty ? nil : $0 }
            values[token] = given?.withoutFinalSlash ?? value.standard
        }
        var templates: [URLTemplate] = []
        for address in addresses {
            let template = try converting(
                URLTemplate(
                    address, subdomains: subdomains, scale: scale, values: values,
                    secretNames: Set(keys.map(\.token)), isDocument: kind != .tiles, isLocal: isLocal)
            ) { (error: URLTemplateFailure) in SourceFailure.template(source: id, error) }
            templates.append(template)
        }
        return templates
    }

    /// Returns the address of its document or archive, with keys.
    /// - Throws: `SourceFailure`.
    public func documentAddress(
        environment: (String) -> String?, configuration: (String) -> String? = { _ in nil }
    ) throws(SourceFailure) -> HTTPAddress {
        guard let template = try templates(environment: environment).first else {
            throw .definition(source: id, "it has no URL")
        }
        return template.address(
            for: .world, secrets: try secrets(environment: environment, configuration: configuration))
    }
}

/// The reason why a source can't be used.
public enum SourceFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    case template(source: String, URLTemplateFailure)
    case missingKey(source: String, environment: String, configuration: String)
    /// Double-resolution tiles were requested, but the source has none.
    case oneScale(source: String)
    /// The key may exist, but this server may not receive it.
    case refusedKey(source: String, server: String, KeyRefusal)
    /// A source's definition is invalid.
    case definition(source: String, String)
    /// The list or document as a whole is invalid.
    case document(String)

    public var description: String {
        switch self {
        case .template(let source, let failure): "source \(safe(source)): \(failure)"
        case .missingKey(let source, let environment, let configuration):
            "source \(safe(source)) needs a key; set \(safe(environment)), "
                + "or \"\(safe(configuration))\" under \"keys\" in the configuration file"
                + (environment.hasPrefix(SourceDefinition.Key.variablePrefix)
                    ? ", or enter its URL again with the key" : "")
        case .oneScale(let source):
            "source \(safe(source)): no double-resolution tiles, since its URL has "
                + "none of {r}, {ratio}, {tileSize} and @2x"
        case .refusedKey(let source, let server, let refusal):
            "source \(safe(source)): the key is not sent to \(safe(server)): \(safe(refusal.explanation))"
        case .definition(let source, let problem): "source \(safe(source)): \(safe(problem))"
        case .document(let problem): safe(problem)
        }
    }

    /// The suggestion to use the usual scale if the source has no other; nil for other failures.
    public var remedy: RecoverySuggestion? { if case .oneScale = self { .takeUsualScale } else { nil } }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 300) }
}

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
            let location = Key.location(origins), name = token == "key" ? location : "\(location)/\(token)"
            self.init(token: token, environment: Key.variable(name), configuration: name, origins: origins)
        }

        /// The prefix of the variables for keys of servers.
        public static let variablePrefix = "RHUMB_KEY_"

        /// Returns the host and port, or the common domain of several servers. The name includes plain http,
        /// so that a key set for a server's name alone is sent over https only.
        private static func location(_ origins: Set<String>) -> String {
            let names = origins.map { origin -> String in
                let isPlain = origin.hasPrefix("http://") && !URLReference(origin).isLoopback
                return isPlain ? origin : origin.lastPathName
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
    public var storedForm: SourceDefinition {
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
