public import RhumbCore
public import RhumbEngine

/// A query for the available search service.
public struct OnlineServiceQuery: Query {
    /// The service by name, or by kind and address; empty for the default.
    public let service: String

    /// The service, or the reason why there is none.
    public typealias Response = Result<ServiceOffer, Notice.Problem>
}

/// A query for results of an online search service, in one request.
public struct OnlineSearchQuery: Query {
    /// The words and the area.
    public let query: MapSearchQuery
    /// The service by name, or by kind and address; empty for the default.
    public let service: String

    public typealias Response = Result<OnlineSearchAnswer, Notice.Problem>
}

/// A query that selects the online search service.
public struct ChooseSearchService: Query {
    /// The service by name, or by kind and address; empty for the default.
    public let service: String
    /// True if the user accepts its terms.
    public let acceptsTerms: Bool

    public static var scheduling: QueryScheduling { .inOrder("search service") }

    /// The service, or the reason why there is none.
    public typealias Response = Result<ServiceOffer, Notice.Problem>
}

/// The state of the online search in the panel.
struct OnlineSearch: Sendable {
    /// The service that can be used, possibly after the user's consent; nil for none.
    private(set) var service: ServiceOffer?
    /// The query that is sent as soon as the user's consent is stored; nil for none.
    private(set) var pending: MapSearchQuery?
    /// The reason why there is no service.
    private(set) var reason = ""
    /// The reason why the last query has no response.
    private(set) var problem: String?
    private var found = Loadable<MapSearchQuery, OnlineSearchAnswer>()

    /// Returns the results of a query.
    func answer(to query: MapSearchQuery?) -> OnlineSearchAnswer? {
        query == found.asked ? found.current : nil
    }

    /// Returns true if a response is pending.
    func isWaiting(for query: MapSearchQuery?) -> Bool {
        query != nil && query == found.asked && found.current == nil && problem == nil
    }

    /// Returns the service that a query can be sent to; nil if no service may be used, or if the query was
    /// already sent.
    func offer(_ query: MapSearchQuery?, _ browser: Browser) -> ServiceOffer? {
        guard let service, let query, mayAsk(browser), answer(to: query) == nil, !isWaiting(for: query) else {
            return nil
        }
        switch query.area {
        case .everywhere, .box: return service
        case .region, .regions, .archive: return nil
        }
    }

    private func mayAsk(_ browser: Browser) -> Bool {
        !browser.map.isOffline || browser.stored.configuration.passThroughFeatures.contains(.onlineSearch)
    }

    mutating func ask(_ query: MapSearchQuery, of service: String) -> [Action] {
        problem = nil
        found.expire()
        return found.ask(query, at: .zero) ? [.ask(OnlineSearchQuery(query: query, service: service))] : []
    }

    /// Sends a query once the service is accepted.
    mutating func await(_ query: MapSearchQuery) { pending = query }

    /// Stores the service, or the reason why there is none.
    /// - Returns: The query that waited for the user's consent; nil for none.
    mutating func receive(_ service: Result<ServiceOffer, Notice.Problem>) -> MapSearchQuery? {
        switch service {
        case .success(let offer):
            self.service = offer
            reason = ""
            guard offer.isAccepted else { return nil }
            defer { pending = nil }
            return pending
        case .failure(let problem):
            self.service = nil
            reason = problem.description
            return nil
        }
    }

    /// Stores the results of the service.
    /// - Returns: True if they answer the last query.
    mutating func receive(
        _ outcome: Result<OnlineSearchAnswer, Notice.Problem>, to query: MapSearchQuery
    ) -> Bool {
        switch outcome {
        case .success(let answer):
            guard found.receive(answer, to: query) else { return false }
            problem = nil
            return true
        case .failure(let problem):
            if query == found.asked { self.problem = problem.description }
            return false
        }
    }

    /// Returns notes on the results.
    /// - Parameter matches: The listed results.
    func notes(_ query: MapSearchQuery?, _ matches: [SearchMatch], _ browser: Browser) -> [String] {
        if let problem, query == found.asked { return [problem.withHostsOnly] }
        if isWaiting(for: query) { return [SearchText.asking(service?.name ?? "")] }
        if let answer = answer(to: query) {
            if matches.contains(where: { $0.provider == answer.provider }) { return [] }
            return [SearchText.noResults(from: answer.provider, hasOthers: !answer.features.isEmpty)]
        }
        guard matches.isEmpty else { return [] }
        if let service, !mayAsk(browser) { return [SearchText.offline(service.name)] }
        return service == nil && !reason.isEmpty ? [SearchText.localOnly] : []
    }
}

extension Browser {
    /// The query for the name of the selected service.
    var searchServiceQuery: OnlineServiceQuery { OnlineServiceQuery(service: search.service) }
}

extension TypedCommand {
    static let online = TypedCommand(
        "online", "[NAME|KIND=URL]", "web search service for Enter in a search",
        ArgumentWords(outside: .searchServices)
    ) {
        (_, text) throws(Notice.Problem) in
        [.ask(ChooseSearchService(service: text, acceptsTerms: false))]
    }
}

extension Panel where Self == Consent {
    /// Returns the question whether searches may be sent to a service.
    static func searching(_ service: ServiceOffer) -> Consent {
        Consent(
            entry: .search, question: SearchText.question(service.name),
            facts: service.facts(sent: "the search text, the place on the map"), yes: "search the web",
            accept: [.ask(ChooseSearchService(service: service.id, acceptsTerms: true))])
    }
}
