internal import Rhumb

/// The hosts that Rhumb may contact, as `rhumb help privacy` lists them.
struct PrivacyHosts {
    /// A host and its purpose.
    struct Contact: Equatable {
        let host: String
        let purpose: String
        /// The id of the source for which the host is contacted.
        let source: String
    }

    /// The hosts of all sources, sorted by host and then by source.
    let contacts: [Contact]

    /// - Throws: `SourceFailure` if the user's list of sources is invalid.
    init(_ catalog: SourceCatalog) throws {
        let sources =
            try catalog.sources() + catalog.routeEngines() + catalog.searchServices()
            + catalog.traffic.definitions
        contacts = sources.flatMap { source in
            let addresses = ([source] + [source.buildListSource].compactMap(\.self))
                .flatMap { (try? $0.templates(environment: catalog.variable)) ?? [] }
            let hosts = Set(addresses.compactMap { URLReference($0.canonical).host })
            return hosts.map {
                Contact(host: $0, purpose: PrivacyHosts.purpose(of: source), source: source.id)
            }
        }.sorted { ($0.host, $0.source) < ($1.host, $1.source) }
    }

    /// The rows of a table, with a header: host, source and purpose.
    var rows: [[String]] {
        [["Host", "Source", "Purpose"]]
            + contacts.map { [SafeText.sanitised($0.host), SafeText.sanitised($0.source), $0.purpose] }
    }

    private static func purpose(of source: SourceDefinition) -> String {
        if source.kind.routing != nil { return "routes" }
        if source.kind.searching != nil { return "search" }
        if source.elevation != nil { return "elevation" }
        if source.feature == .trafficFlow || source.feature == .trafficIncidents { return "traffic" }
        if !source.policy.viewing { return "downloads of areas, never for a view" }
        return source.holdsVectorTiles ? "vector map" : "map images"
    }
}
