public import RhumbCore
public import RhumbEngine

/// A query for search services on the web.
public enum OnlineQuestion: Equatable, Sendable {
    /// Which service may be asked?
    case service
    /// Find something: one request.
    case find(MapSearchQuery)
    /// Ask this service from now on, by its name or its kind and address; empty: the usual one.
    case choose(String)
    /// The person agrees to the rules of a source, once and for all.
    case agree(source: String)
}

/// The outcome of a query.
public enum OnlineNews: Sendable {
    /// The service that may be asked, or why none may.
    case service(Result<String, Notice.Problem>)
    /// The results of the service, or the failure.
    case found(Result<OnlineSearchAnswer, Notice.Problem>, for: MapSearchQuery)
    /// The result of a choice or an agreement.
    case said(Result<String, Notice.Problem>)
}

/// The state of the search on the web in the panel.
struct OnlineSearch: Sendable {
    /// The name of the service that may be used; nil for none.
    private(set) var service: String?
    /// Why none may be asked.
    private(set) var reason = ""
    /// Why the last question has no answer.
    private(set) var problem: String?
    private var found = Loadable<MapSearchQuery, OnlineSearchAnswer>()

    /// Returns the results of a query.
    func answer(to query: MapSearchQuery?) -> OnlineSearchAnswer? {
        query == found.asked ? found.current : nil
    }

    /// Returns true if a response is on its way.
    func isWaiting(for query: MapSearchQuery?) -> Bool {
        query != nil && query == found.asked && found.current == nil && problem == nil
    }

    /// The service that a question can be put to; nil: none, or it was.
    func offer(_ query: MapSearchQuery?, _ browser: Browser) -> String? {
        guard let service, let query, mayAsk(browser), answer(to: query) == nil, !isWaiting(for: query) else {
            return nil
        }
        switch query.area {
        case .everywhere, .box: return service
        case .region, .regions, .archive: return nil
        }
    }

    private func mayAsk(_ browser: Browser) -> Bool {
        !browser.isOffline || browser.configuration.passThroughFeatures.contains(.onlineSearch)
    }

    mutating func ask(_ query: MapSearchQuery) -> [Effect] {
        problem = nil
        found.expire()
        return found.ask(query, at: .zero) ? [.online(.find(query))] : []
    }

    /// Takes in an answer.
    /// - Returns: whether it is to a question of the panel.
    mutating func receive(_ news: OnlineNews) -> Bool {
        switch news {
        case .service(.success(let name)): (service, reason) = (name, "")
        case .service(.failure(let problem)): (service, reason) = (nil, problem.description)
        case .found(.success(let answer), let query):
            guard found.receive(answer, to: query) else { return false }
            problem = nil
            return true
        case .found(.failure(let problem), let query):
            if query == found.asked { self.problem = problem.description }
        case .said: break
        }
        return false
    }

    /// Returns notes on the results.
    /// - Parameter matches: The listed results.
    func notes(_ query: MapSearchQuery?, _ matches: [SearchMatch], _ browser: Browser) -> [String] {
        if let problem, query == found.asked { return [problem] }
        if isWaiting(for: query) { return [SearchText.asking(service ?? "")] }
        if let answer = answer(to: query) {
            if matches.contains(where: { $0.provider == answer.provider }) { return [] }
            return [SearchText.noResults(from: answer.provider, hasOthers: !answer.features.isEmpty)]
        }
        guard matches.isEmpty else { return [] }
        if let service, !mayAsk(browser) { return [SearchText.offline(service)] }
        return service == nil && !reason.isEmpty
            ? [SearchText.localOnly] : []
    }
}

extension Browser {
    mutating func receive(_ news: OnlineNews) -> [Effect] {
        switch news {
        case .said(.success(let words)):
            say(words) + (panels[SearchPanel.self] == nil ? [] : [.online(.service)])
        case .said(.failure(let problem)): complain(problem.description)
        case .service, .found: passToPanels(.online(news))
        }
    }
}

extension TypedCommand {
    static let online = TypedCommand(
        "online", "[NAME|KIND=URL|agree NAME]", "web search service for Enter in a search"
    ) {
        (_, words) throws(Notice.Problem) in
        guard words.hasPrefix("agree ") else { return [.online(.choose(words))] }
        return [.online(.agree(source: String(words.dropFirst("agree ".count)).trimmed))]
    }
}
