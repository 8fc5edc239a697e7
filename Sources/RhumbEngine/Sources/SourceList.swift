public import RhumbCore

/// Reads lists of sources: JSON objects with an array "sources", whose elements have at least "id" and "url".
public enum SourceList {
    /// Returns the sources of a list, in its order.
    /// - Throws: `SourceFailure` naming the source and the invalid member.
    public static func parse(_ bytes: [UInt8]) throws(SourceFailure) -> [SourceDefinition] {
        let document = try converting(JSON.parse(bytes)) { (error: JSONFailure) in
            SourceFailure.document("the list of sources is \(error)")
        }
        return try read(document)
    }

    /// Returns the sources of a list that is already parsed.
    /// - Throws: `SourceFailure`.
    public static func read(_ document: JSON) throws(SourceFailure) -> [SourceDefinition] {
        guard let entries = document["sources"]?.array else {
            throw .document("the list of sources has no array \"sources\"")
        }
        var sources: [SourceDefinition] = []
        for entry in entries { sources.append(try SourceReader(entry).definition()) }
        return sources
    }

    /// Returns the index of the first source with an unknown member, else of the first that can't be read,
    /// else of the first with the id of an earlier one; nil if there is none.
    public static func invalidIndex(in document: JSON) -> Int? {
        guard let entries = document["sources"]?.array else { return nil }
        var ids: Set<String> = []
        return entries.firstIndex { (try? checkMembers(["sources": .array([$0])])) == nil }
            ?? entries.firstIndex { (try? SourceReader($0).definition()) == nil }
            ?? entries.firstIndex { !ids.insert($0["id"]?.string ?? "").inserted }
    }

    /// Returns a list extended by another, whose sources replace those with the same id.
    public static func merged(
        _ sources: [SourceDefinition], with others: [SourceDefinition]
    ) -> [SourceDefinition] {
        others.reduce(into: sources) { result, source in
            if let index = result.firstIndex(where: { $0.id == source.id }) {
                result[index] = source
            } else {
                result.append(source)
            }
        }
    }
}

/// Reads one source's definition.
private struct SourceReader {
    let json: JSON
    let id: String

    init(_ json: JSON) throws(SourceFailure) {
        guard let id = json["id"]?.string, !id.isEmpty, id.utf8.allSatisfy(SourceReader.isIDByte) else {
            throw .document("a source needs an \"id\" of letters, digits, '-', '_' and '.'")
        }
        self.json = json
        self.id = id
    }

    func definition() throws(SourceFailure) -> SourceDefinition {
        guard let url = json["url"]?.string, !url.isEmpty else { throw wrong("url", "a URL") }
        var source = SourceDefinition(id: id, name: text("name") ?? id, addresses: [url])
        let isArchive = !url.contains("{z}") && SourceDefinition.isArchive(URLReference(url).path)
        source.kind = try choice(
            "kind", json["kind"], isArchive ? .archive : .tiles)
        try readModes(into: &source)
        source.subdomains = try texts("subdomains")
        source.values = try dictionary("values").mapValues { $0.string ?? "" }
        source.headers = try headers()
        source.replaceable = try replaceable()
        source.keys = try keys()
        source.attribution = text("attribution") ?? ""
        source.feature = try feature() ?? source.feature
        source.isOverlay = json["overlay"]?.bool ?? false
        source.isLocal =
            json["local"]?.bool ?? (isArchive && URLReference(url).localPath != nil)
        source.isVector = json["vector"]?.bool ?? false
        source.vectorLayers = try texts("vectorLayers")
        source.elevation = try elevation()
        source.document = text("document")
        source.builds = try builds()
        source.cacheProxy = try cacheProxy()
        try readGrid(into: &source)
        source.policy = try policy()
        if source.kind == .tiles { try SourceDefinition.requireParts(of: url, source: id) }
        if source.kind == .tiles, !url.contains("{") {
            throw .definition(
                source: id,
                "its \"url\" names no tiles; for a TileJSON document add \"kind\": \"tilejson\", and open a style "
                    + "by its address instead of a source, as in rhumb URL")
        }
        _ = try source.templates()
        source.bindKeys()
        return source
    }

    /// Reads "modes", the values of `{mode}` in the address by travel mode, and "reach", the address of
    /// another server for reachable areas.
    private func readModes(into source: inout SourceDefinition) throws(SourceFailure) {
        let modes = try dictionary("modes"), url = source.addresses[0]
        source.modes = RouteMode.allCases.filter { modes[$0.rawValue]?.string != nil }
        guard source.modes.count == modes.count else {
            throw wrong("modes", "strings by " + RouteMode.allCases.map(\.rawValue).joined(separator: ", "))
        }
        if !modes.isEmpty {
            source.addresses = source.modes.map { mode in
                url.split(separator: "{mode}", omittingEmptySubsequences: false)
                    .joined(separator: modes[mode.rawValue]?.string ?? "")
            }
        }
        if let reach = json["reach"]?.string { source.addresses.append(reach) }
    }

    private func elevation() throws(SourceFailure) -> ElevationEncoding? {
        guard let given = json["encoding"] else { return nil }
        guard let encoding = given.string.flatMap(ElevationEncoding.init(name:)) else {
            throw wrong("encoding", "terrarium or mapbox")
        }
        return encoding
    }

    private func cacheProxy() throws(SourceFailure) -> String? {
        guard let given = json["cacheProxy"] else { return nil }
        let reference = given.string.map { URLReference($0) }
        guard let reference, ["http", "https"].contains(reference.scheme), reference.isWeb,
            reference.userInfo == nil, reference.query == nil
        else { throw wrong("cacheProxy", "an http or https address") }
        return given.string
    }

    private func builds() throws(SourceFailure) -> BuildList? {
        guard let given = json["builds"] else { return nil }
        guard let url = given["url"]?.string, !url.isEmpty, let version = given["version"]?.string else {
            throw wrong("builds", "an object with \"url\" and \"version\"")
        }
        return BuildList(address: url, version: version)
    }

    private func feature() throws(SourceFailure) -> Feature? {
        guard let name = json["feature"]?.string else { return nil }
        return try converting(.named(name)) { (error: FeatureFailure) in
            SourceFailure.definition(source: id, "\(error)")
        }
    }

    private func readGrid(into source: inout SourceDefinition) throws(SourceFailure) {
        if let given = json["tileSize"] {
            guard let size = given.int.flatMap(TileSize.init(rawValue:)) else {
                throw wrong("tileSize", TileSize.range)
            }
            source.tileSize = size
        } else if source.kind != .archive {
            source.assumeTileSize()
        }
        let usualDepth = source.holdsVectorTiles ? SourceDefinition.usualVectorDepth : source.zooms.upperBound
        let zooms = (json["minzoom"] ?? 0, json["maxzoom"] ?? .integer(usualDepth))
        guard let low = zooms.0.int, let high = zooms.1.int, 0 <= low, low <= high, high <= TileID.maximumZoom
        else { throw wrong("minzoom\" and \"maxzoom", "0 to \(TileID.maximumZoom) in order") }
        source.zooms = low...high
        guard let given = json["bounds"] else { return }
        guard let bounds = Bounds(json: given) else { throw wrong("bounds", "[west, south, east, north]") }
        source.bounds = bounds
    }

    private func policy() throws(SourceFailure) -> SourcePolicy {
        var policy = SourcePolicy()
        guard let json = json["policy"] else { return policy }
        policy.offline = try choice("policy.offline", json["offline"], policy.offline)
        policy.viewing = json["viewing"]?.bool ?? policy.viewing
        policy.lookAhead = json["lookAhead"]?.bool ?? policy.lookAhead
        policy.archives = json["archives"]?.bool ?? policy.archives
        policy.sharedCache = json["sharedCache"]?.bool ?? policy.sharedCache
        policy.needsAgreement = json["needsAgreement"]?.bool ?? policy.needsAgreement
        policy.policyURL = json["policyURL"]?.string.map { SafeText.sanitised($0) }
        policy.reportURL = json["reportURL"]?.string.map { SafeText.sanitised($0) }
        if let given = json["connections"] {
            guard let count = given.int, (1...64).contains(count) else {
                throw wrong("policy.connections", "1 to 64")
            }
            policy.connections = count
        }
        if let given = json["requestsPerSecond"] {
            guard let rate = given.double, rate > 0 else {
                throw wrong("policy.requestsPerSecond", "above 0")
            }
            policy.requestsPerSecond = rate
        }
        if let given = json["packLimit"] {
            guard given == .null || given.int.map({ $0 >= 0 }) == true else {
                throw wrong("policy.packLimit", "0 or more, or null for no limit")
            }
            policy.packLimit = given.int
        }
        if let given = json["minimumCacheSeconds"] {
            guard let seconds = given.int, seconds >= 0 else {
                throw wrong("policy.minimumCacheSeconds", "0 or more")
            }
            policy.minimumCacheSeconds = Int64(seconds)
        }
        return policy
    }

    private func keys() throws(SourceFailure) -> [SourceDefinition.Key] {
        try dictionary("keys").sorted { $0.key < $1.key }.map { token, names throws(SourceFailure) in
            guard let environment = names["environment"]?.string else {
                throw wrong("keys.\(token)", "an object with \"environment\"")
            }
            return SourceDefinition.Key(
                token: token, environment: environment, configuration: names["config"]?.string ?? id)
        }
    }

    private func replaceable() throws(SourceFailure) -> [String: SourceDefinition.Replaceable] {
        var result: [String: SourceDefinition.Replaceable] = [:]
        for (token, value) in try dictionary("replaceable") {
            guard let environment = value["environment"]?.string, let standard = value["default"]?.string
            else { throw wrong("replaceable.\(token)", "an object with \"environment\" and \"default\"") }
            result[token] = SourceDefinition.Replaceable(environment: environment, standard: standard)
        }
        return result
    }

    private func headers() throws(SourceFailure) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in try dictionary("headers").sorted(by: { $0.key < $1.key }) {
            guard let value = value.string else { throw wrong("headers.\(name)", "a text") }
            headers.append(name, value)
        }
        return headers
    }

    private func text(_ name: String) -> String? { json[name]?.string.map { SafeText.plain(html: $0) } }

    private func texts(_ name: String) throws(SourceFailure) -> [String] {
        guard let given = json[name] else { return [] }
        guard let array = given.array, array.allSatisfy({ $0.string?.isEmpty == false }) else {
            throw wrong(name, "an array of strings")
        }
        return array.compactMap(\.string)
    }

    private func dictionary(_ name: String) throws(SourceFailure) -> [String: JSON] {
        guard let given = json[name] else { return [:] }
        guard let object = given.object else { throw wrong(name, "an object") }
        return Dictionary(uniqueKeysWithValues: object.names.map { ($0, object[$0] ?? .null) })
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ given: JSON?, _ standard: Choice
    ) throws(SourceFailure) -> Choice {
        guard let given else { return standard }
        if let choice = given.string.flatMap(Choice.init(rawValue:)) { return choice }
        throw wrong(name, Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }

    private func wrong(_ member: String, _ expected: String) -> SourceFailure {
        .definition(source: id, "\"\(member)\" must be \(expected)")
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || [45, 46, 95].contains(byte)
    }
}

extension SourceList {
    /// The members of a source in a user's list.
    public static let members = [
        "id", "url", "name", "kind", "tileSize", "minzoom", "maxzoom", "bounds", "attribution", "feature",
        "overlay",
        "vector", "vectorLayers", "encoding", "builds", "local", "subdomains", "values", "keys",
        "replaceable", "headers", "modes", "reach", "cacheProxy",
        "policy",
    ]
    /// The members of a source's "policy".
    public static let policyMembers = [
        "offline", "viewing", "lookAhead", "archives", "sharedCache", "needsAgreement", "policyURL",
        "reportURL",
        "connections",
        "requestsPerSecond", "packLimit", "minimumCacheSeconds",
    ]
    private static let keyMembers = ["environment", "config"],
        replaceableMembers = ["environment", "default"]
    private static let buildsMembers = ["url", "version"]

    /// Checks the names of all members in a user's list.
    /// - Throws: `SourceFailure` naming the first unknown member and the nearest known one.
    public static func checkMembers(_ document: JSON) throws(SourceFailure) {
        for source in document["sources"]?.array ?? [] {
            let id = source["id"]?.string ?? ""
            try check(source, members, "", id)
            try check(source["policy"], policyMembers, "policy.", id)
            try check(source["builds"], buildsMembers, "builds.", id)
            for (name, members) in [("keys", keyMembers), ("replaceable", replaceableMembers)] {
                for token in source[name]?.object?.names ?? [] {
                    try check(source[name]?[token], members, "\(name).\(token).", id)
                }
            }
        }
    }

    private static func check(
        _ json: JSON?, _ members: [String], _ prefix: String, _ id: String
    ) throws(SourceFailure) {
        guard let name = json?.object?.names.first(where: { !members.contains($0) }) else { return }
        let hint =
            members.nearest(to: name).map { "did you mean \"\($0)\"?" }
            ?? "expected one of \(members.joined(separator: ", "))"
        throw .definition(source: id, "unknown member \"\(prefix)\(name)\"; \(hint)")
    }
}
