internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb search`: finds places and features of stored maps without a network, and also online if requested.
struct SearchCommand {
    let invocation: Invocation
    private let search: OfflineSearchEngine
    private let regions: RegionStore?
    private let text: String
    /// The time limit for indexing. The next search continues it.
    private static let timeLimit = Duration.seconds(60)

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        text = invocation.operand ?? ""
        let configuration = try invocation.layerConfiguration()
        let places = LazyPlaceSearch({ configuration }, open: EmbeddedPlaces.open)
        let regionPath = invocation.regionPath.flatMap { Files.exists($0) ? $0 : nil }
        regions = regionPath.flatMap { try? RegionStore($0) }
        search = OfflineSearchEngine(places, regions: regions, cache: invocation.cachePath) { configuration }
    }

    func run() async throws -> Int32 {
        if let name = invocation[.agree] { return try SearchCommand.agree(to: name, invocation) }
        guard !text.isEmpty || invocation[.kind] != nil else {
            throw UsageError("search: missing TEXT or --kind")
        }
        let found = try await withTaskExecutorPreference(BlockingExecutor.shared) { try stored() }
        guard isOnline else { return try report(found) }
        do {
            let answer = try await online(found.query)
            let status = try report(
                Found(
                    query: found.query, spot: found.spot,
                    result: found.result.joined(with: answer, to: found.query)))
            if found.spot != nil && answer.features.isEmpty {
                Output.say("rhumb: no results from \(answer.provider) here")
            }
            return status
        } catch let failure as OnlineSearchFailure {
            if !found.isNothing { _ = try report(found) }
            Output.say("rhumb: \(FailureText.sentence(failure))")
            return found.isNothing ? ExitStatus.failed : ExitStatus.gaps
        }
    }

    /// The local results.
    private struct Found {
        var query: MapSearchQuery
        var spot: ReverseGeocodeResult?
        var result: SearchResult

        var isNothing: Bool { result.matches.isEmpty && spot == nil }
    }

    private func stored() throws -> Found {
        var query = MapSearchQuery(text, limit: invocation[.limit] ?? 10)
        query.kind = try kind()
        let center = try takeArea(&query)
        let end = ContinuousClock.now + SearchCommand.timeLimit
        ProgressMeter.run("indexing", .share) {
            search.catchUp {
                WorkProgress.report(Int(search.progress.share * 1000), of: 1000)
                return ContinuousClock.now > end
            }
        }
        let coded = ParsedLocation.shortCode(in: text)
        if let coded { query.text = coded.town }
        query.near =
            invocation[.near]?.coordinate ?? center
            ?? (query.kind ?? SearchKind(word: text) == nil ? nil : lastView)
        let spot = try self.spot(coded, query)
        if let spot, coded == nil { (query.text, query.near) = ("", spot.coordinate) }
        let result = try result(query)
        // An online service looks up the address of the place, or features of a kind near it.
        if query.kind == nil { query.spot = spot?.coordinate }
        return Found(query: query, spot: spot, result: result)
    }

    private func result(_ query: MapSearchQuery) throws(SearchFailure) -> SearchResult {
        guard !query.text.isEmpty || query.kind != nil else { return SearchResult([]) }
        do throws(SearchFailure) {
            return try search.search(query)
        } catch {
            guard isOnline, error == .layersNotDownloaded else { throw error }
            return SearchResult([], isDownloadedHere: false)
        }
    }

    private func report(_ found: Found) throws -> Int32 {
        let result = found.result
        try print(found.spot, result)
        if !result.attribution.isEmpty { Output.say("rhumb: online results: \(result.attribution)") }
        if result.indexedShare < 1 {
            Output.say("rhumb: Indexing: \(Int(result.indexedShare * 100)) % done; search again for the rest")
        }
        for remark in [result.note, result.problem].compactMap(\.self) { Output.say("rhumb: \(remark)") }
        guard found.isNothing else { return ExitStatus.done }
        let kind = found.query.kind?.word(in: Environment.language) ?? ""
        let wanted = text.isEmpty ? "\"\(kind)\"" : "\"\(SafeText.sanitised(text, limit: 60))\""
        let here =
            found.query.near != nil && !result.isDownloadedHere
            ? ". No street data offline for this area: download it with rhumb region add" : ""
        Output.say("rhumb: no match for \(wanted)\(here)")
        return ExitStatus.failed
    }

    private func kind() throws(UsageError) -> SearchKind? {
        guard let word = invocation[.kind] else { return nil }
        guard let kind = SearchKind(word: word) else {
            let names = PlaceCategory.allCases.map { $0.word(in: Environment.language) }.sorted().joined(
                separator: ", ")
            throw UsageError(
                "--kind: unknown kind \"\(word)\"; expected \(names), or an OpenStreetMap class such as "
                    + "bakery")
        }
        return kind
    }

    /// Restricts the query to the region or archive given by the options.
    /// - Returns: The centre of its area; nil if none is given.
    private func takeArea(_ query: inout MapSearchQuery) throws -> Coordinate? {
        guard let found = try invocation.searchedArea(regions, search) else { return nil }
        guard !found.isImage else {
            throw Notice.Problem("\(invocation[.searchArea] ?? "") is an image map and can't be searched")
        }
        query.area = found.area
        return found.bounds?.center
    }

    private var lastView: Coordinate? {
        SavedCamera(Folders(environment: Environment.all))?.load()?.coordinate
    }

    /// Returns a description of the place at typed coordinates; nil if the text isn't coordinates.
    private func spot(
        _ coded: (code: String, town: String)?, _ query: MapSearchQuery
    ) throws -> ReverseGeocodeResult? {
        var near = query.near
        if coded != nil { near = try search.search(query).matches.first?.coordinate }
        let spot: ParsedLocation
        do throws(ParsedLocation.Misread) {
            spot = try ParsedLocation(coded?.code ?? text, near: near)
        } catch {
            guard error.isOutOfRange else { return nil }
            throw Notice.Problem(error)
        }
        return try search.describe(spot.coordinate)
    }

    private func print(_ spot: ReverseGeocodeResult?, _ result: SearchResult) throws {
        if invocation[.json] {
            let items = (spot.map { [$0.json] } ?? []) + result.matches.map(\.json)
            try invocation.print(.array(items))
        } else {
            let rows = (spot.map(\.rows) ?? []) + result.matches.map(\.row)
            try Output.print(TextTable(leading: 4, rows).lines.map { $0 + "\n" }.joined())
        }
    }
}

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
            hasAgreed: { agreements.holds($0) }, pace: RateLimitFile(folder: folders.state))
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
