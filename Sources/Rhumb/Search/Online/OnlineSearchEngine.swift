public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
internal import Synchronization

/// Asks search services on the web, of those that are configured or were agreed to. Each question is one request,
/// and nothing is asked by itself. `OfflineSearchEngine` finds what is stored.
public final class OnlineSearchEngine: Sendable {
    private let client: HTTPClient
    private let catalog: SourceCatalog
    private let language: String
    private let configuration: @Sendable () -> LayerConfiguration
    private let hasAgreed: @Sendable (String) -> Bool
    private let pace: (any OnlineSearchPace)?
    /// The last answers by what was asked: services want nobody to ask twice.
    private let kept = Mutex<[(address: HTTPAddress, answer: OnlineSearchAnswer)]>([])

    private static let keptAnswers = 50
    private static let timeout = Duration.seconds(20)

    /// - Parameters:
    ///   - client: asks servers.
    ///   - catalog: the services that have a name, and the keys.
    ///   - language: of the names in answers, a code of ISO 639-1.
    ///   - configuration: the features that pass through while offline.
    ///   - hasAgreed: whether the person has agreed to the rules of a source.
    ///   - pace: what several programs keep together; nil: this one has its own.
    public init(
        _ client: HTTPClient, _ catalog: SourceCatalog, language: String = "en",
        configuration: @escaping @Sendable () -> LayerConfiguration, hasAgreed: @escaping @Sendable (String) -> Bool,
        pace: (any OnlineSearchPace)? = nil
    ) {
        (self.client, self.catalog, self.language) = (client, catalog, language)
        (self.configuration, self.hasAgreed, self.pace) = (configuration, hasAgreed, pace)
    }

    /// What a service finds.
    /// - Parameter words: the service: a name, or its kind and address as in "photon=http://…"; empty: the person's
    ///   own, else one that was agreed to.
    /// - Throws: `OnlineSearchFailure`; `cancelled` when the task is.
    public func search(_ query: MapSearchQuery, by words: String = "") async throws(OnlineSearchFailure) -> OnlineSearchAnswer {
        if !query.area.isOnAnyMap { throw .unsupported("a service of the web searches everywhere or in a box, not in one region or archive") }
        let place = try self.place(words), service = place.service
        let passes = try mayPass(place)
        let question = question(query), address = service.address(of: question)
        if let known = kept.withLock({ $0.first { $0.address == address }?.answer }) { return known }
        if let seconds = await pace?.wait(for: place.rules) { throw .busy(provider: service.name, seconds: seconds) }
        let answer = try service.answer(try await ask(address, place, passes), to: question)
        kept.withLock { $0 = [(address, answer)] + $0.prefix(Self.keptAnswers - 1) }
        return answer
    }

    /// What the service is called that is asked.
    /// - Throws: `OnlineSearchFailure`, where none may be.
    public func serviceName(_ words: String = "") throws(OnlineSearchFailure) -> String {
        let place = try self.place(words)
        try requireAgreement(place)
        return place.service.name
    }

    private func question(_ query: MapSearchQuery) -> OnlineSearchQuestion {
        var question = OnlineSearchQuestion(
            query.text.isEmpty ? query.kind?.word(in: language) ?? "" : query.text,
            near: query.near, limit: query.limit, language: language)
        if case .box(let box) = query.area { question.box = box }
        return question
    }

    private func ask(_ address: HTTPAddress, _ place: OnlineSearchPlace, _ passes: Bool) async throws(OnlineSearchFailure) -> [UInt8] {
        var request = HTTPRequest(address, expecting: .document, priority: .visible(view: .max), rules: place.rules)
        request.passesThrough = passes
        request.timeout = Self.timeout
        let answer: HTTPResponse
        do throws(HTTPFailure) {
            answer = try await client.send(request)
        } catch {
            let failure = OnlineSearchFailure(error, of: place.service)
            if case .busy(_, let seconds?) = failure { pace?.leaveAlone(place.rules, seconds: seconds) }
            throw failure
        }
        guard !answer.isAbsent else { throw .unreachable("\(place.service.name): there is no search service at its address") }
        return answer.body
    }

    /// Whether the network may be used although Rhumb is offline.
    /// - Throws: `OnlineSearchFailure`, where the service must not be asked at all.
    private func mayPass(_ place: OnlineSearchPlace) throws(OnlineSearchFailure) -> Bool {
        try requireAgreement(place)
        let passes = configuration().passThroughFeatures.contains(.onlineSearch)
        guard passes || !client.isOffline else { throw .offline(place.service.name) }
        return passes
    }

    private func requireAgreement(_ place: OnlineSearchPlace) throws(OnlineSearchFailure) {
        guard let agreement = place.agreement, !hasAgreed(agreement.source) else { return }
        throw .notAgreed(source: agreement.source, name: place.service.name, rules: agreement.rules)
    }

    // MARK: Services

    private func place(_ words: String) throws(OnlineSearchFailure) -> OnlineSearchPlace {
        let found: OnlineSearchPlace?
        do throws(SourceFailure) {
            found = try words.isEmpty ? usualPlace() : namedPlace(words)
        } catch {
            throw .unsupported("\(error)")
        }
        if let found { return found }
        guard !words.isEmpty else { throw .noService }
        let known = ((try? catalog.searchServices()) ?? []).map(\.id).joined(separator: ", ")
        throw .unsupported("no search service is called \(words): there are \(known), and addresses as photon=http://…")
    }

    /// The person's own, else one that was agreed to.
    private func usualPlace() throws(SourceFailure) -> OnlineSearchPlace? {
        let listed = try catalog.searchServices()
        let source = listed.first(where: catalog.isOwn) ?? listed.first { $0.policy.needsAgreement && hasAgreed($0.id) }
        return try source.map { source throws(SourceFailure) in try OnlineSearchPlace(source, catalog) }
    }

    private func namedPlace(_ words: String) throws(SourceFailure) -> OnlineSearchPlace? {
        if let typed = try OnlineSearchPlace(typed: words, catalog) { return typed }
        guard let source = try catalog.searchServices().first(where: { $0.id == words }) else { return nil }
        return try OnlineSearchPlace(source, catalog)
    }
}

/// Keeps a person's programs to the pace of a source together.
public protocol OnlineSearchPace: Sendable {
    /// Returns when a source may be asked, and notes that it is.
    /// - Returns: nil then; at once the seconds for which it wants to be left alone, where it said so.
    func wait(for rules: SourceRules) async -> Int64?

    /// Notes that a source wants to be left alone for so many seconds.
    func leaveAlone(_ rules: SourceRules, seconds: Int64)
}

/// A search service as it can be asked.
struct OnlineSearchPlace: Sendable {
    let service: OnlineSearchService
    /// What its rules are called by; requests of the same id keep a pace together.
    let rules: SourceRules
    /// The source whose rules must be agreed to; nil: none.
    let agreement: (source: String, rules: String)?

    /// A service of the list of sources.
    /// - Throws: `SourceFailure`, where a key is missing.
    init(_ source: SourceDefinition, _ catalog: SourceCatalog) throws(SourceFailure) {
        let addresses = try source.serverAddresses(environment: catalog.variable, configuration: catalog.key)
        guard let kind = source.kind.searching, let base = addresses.first else {
            throw .definition(source: source.id, "it is no search service")
        }
        service = OnlineSearchService(kind, name: source.name, attribution: source.attribution, base: base)
        let policy = source.policy
        // Nobody types faster, and no service wants more.
        rules = SourceRules(id: source.id, connections: 1, requestsPerSecond: min(policy.requestsPerSecond ?? 1, 1))
        agreement = policy.needsAgreement ? (source.id, policy.policyURL ?? "") : nil
    }

    /// A service by its kind and address, as "photon=http://…": by the rules of its host; nil for other words.
    /// - Throws: `SourceFailure`, for an address that is none.
    init?(typed words: String, _ catalog: SourceCatalog) throws(SourceFailure) {
        let kind = String(words.prefix { $0 != "=" }), address = String(words.dropFirst(kind.count + 1))
        guard let kind = SourceDefinition.Kind(rawValue: kind), kind.searching != nil, SourceDefinition.isAddress(address) else { return nil }
        let host = HTTPAddress(address).host, known = try catalog.searchServices().first { $0.hosts.contains(host) }
        var source = SourceDefinition(id: known?.id ?? host, name: known?.name ?? host, addresses: [catalog.typedKeys.take(address)])
        if let known { source.policy = known.policy }
        source.kind = kind
        source.attribution = "© OpenStreetMap contributors"
        source.nameKeys()
        try self.init(catalog.providers.governed(source), catalog)
    }
}

extension MapSearchArea {
    /// Whether it is of the world and not of something stored.
    fileprivate var isOnAnyMap: Bool {
        switch self {
        case .everywhere, .box: true
        case .region, .regions, .archive: false
        }
    }
}

extension SourceDefinition {
    fileprivate var hosts: [String] { ((try? templates()) ?? []).map { URLReference($0.canonical).host ?? "" } }
}

extension OnlineSearchFailure {
    /// What a failed request comes to.
    init(_ failure: HTTPFailure, of service: OnlineSearchService) {
        let said = failure.body.isEmpty ? nil : service.refusal(failure.body)
        switch (failure.failureClass, failure.fault) {
        case (nil, _): self = .cancelled
        case (_, .noNetwork?): self = .offline(service.name)
        case (.rate?, _): self = .busy(provider: service.name, seconds: failure.retryAfter.map(\.components.seconds))
        case (.badContent?, _): self = .nonsense("\(service.name): \(failure)")
        case (.refused?, _), (.permanent?, nil): self = said ?? .refused("\(service.name): \(failure)")
        default: self = said ?? .unreachable("\(service.name): \(failure)")
        }
    }
}
