public import RhumbCore

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
            for (name, known) in [("keys", keyMembers), ("replaceable", replaceableMembers)] {
                for token in source[name]?.object?.names ?? [] {
                    try check(source[name]?[token], known, "\(name).\(token).", id)
                }
            }
        }
    }

    private static func check(
        _ json: JSON?, _ known: [String], _ prefix: String, _ id: String
    ) throws(SourceFailure) {
        guard let name = json?.object?.names.first(where: { !known.contains($0) }) else { return }
        let hint =
            known.nearest(to: name).map { "did you mean \"\($0)\"?" }
            ?? "expected one of \(known.joined(separator: ", "))"
        throw .definition(source: id, "unknown member \"\(prefix)\(name)\"; \(hint)")
    }
}
