internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Searching with online services.
extension SearchCommand {
    /// True if an online service should be used.
    var isOnline: Bool { invocation[.online] || invocation[.engine] != nil }

    /// Returns the search services of a session.
    static func engine(
        _ session: MapSession, _ catalog: SourceCatalog,
        _ folders: Folders = Folders(environment: Environment.all)
    ) -> OnlineSearchEngine {
        let agreements = AcceptedTerms(folders)
        return OnlineSearchEngine(
            session.client, catalog, language: Environment.language, configuration: { session.configuration },
            hasAgreed: { agreements.holds($0) }, pace: RateLimitFile(folders))
    }

    /// Returns the results of a service.
    func online(_ query: MapSearchQuery) async throws -> OnlineSearchAnswer {
        try await invocation.withSession { session in
            try await SearchCommand.engine(session, invocation.catalog()).search(
                query, by: invocation[.engine] ?? "")
        }
    }

    static func agree(to name: String, _ invocation: Invocation) throws -> Int32 {
        try invocation.agree(
            to: name, among: invocation.catalog().searchServices(),
            "used with --online, or Enter on its line of a search; at most one request per second")
    }
}
