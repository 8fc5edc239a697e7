internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb help privacy`: the hosts that Rhumb may contact, and the data they receive.
struct PrivacyPage {
    /// A host and its purpose.
    struct Contact: Equatable {
        let host: String
        let purpose: String
        /// The id of the source that is contacted.
        let source: String
    }

    /// The hosts of all sources, sorted by host and then by source.
    let contacts: [Contact]

    /// - Throws: `SourceFailure` if the user's own list of sources is wrong.
    init(_ catalog: SourceCatalog) throws {
        let sources = try catalog.sources() + catalog.routeEngines() + catalog.searchServices() + catalog.traffic.definitions
        contacts = sources.flatMap { source in
            let addresses = ([source] + [source.buildListSource].compactMap(\.self))
                .flatMap { (try? $0.templates(environment: catalog.variable)) ?? [] }
            let hosts = Set(addresses.compactMap { URLReference($0.canonical).host })
            return hosts.map { Contact(host: $0, purpose: PrivacyPage.purpose(of: source), source: source.id) }
        }.sorted { ($0.host, $0.source) < ($1.host, $1.source) }
    }

    /// The page, 80 columns wide.
    var text: String {
        let paragraphs = [
            "Rhumb contacts no server until you choose one: a web map, streets, traffic, a routing engine or a search service. "
                + "A server receives your IP address, the name Rhumb in User-Agent, and the tile numbers, places or words of the request. "
                + "--offline, or o in the program, forbids all requests.",
            "Tiles and documents are stored in the cache (rhumb cache stats) and in regions (rhumb region list) on this computer. "
                + "Rhumb sends no statistics and no crash reports.",
            "Hosts of the named sources, and what each source provides:",
        ]
        let width = contacts.map(\.host.count).max() ?? 0
        let rows = contacts.map { "  " + SafeText.sanitised($0.host).padded(to: width) + "  \(SafeText.sanitised($0.source)): \($0.purpose)" }
        return (paragraphs.map { HelpText.wrap($0, indent: 0) }.joined(separator: "\n\n") + "\n\n") + rows.joined(separator: "\n") + "\n"
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

extension String {
    /// The text with spaces up to this many characters.
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
