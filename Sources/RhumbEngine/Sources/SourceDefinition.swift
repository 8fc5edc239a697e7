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
            values[token] = given.map(SourceDefinition.withoutFinalSlash) ?? value.standard
        }
        var templates: [URLTemplate] = []
        for address in addresses {
            do throws(URLTemplateFailure) {
                templates.append(
                    try URLTemplate(
                        address, subdomains: subdomains, scale: scale, values: values,
                        secretNames: Set(keys.map(\.token)), isDocument: kind != .tiles, isLocal: isLocal))
            } catch {
                throw .template(source: id, error)
            }
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

    private static func withoutFinalSlash(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
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
