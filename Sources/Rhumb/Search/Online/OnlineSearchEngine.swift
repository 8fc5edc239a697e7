public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
internal import RhumbOpening
internal import Synchronization

/// Queries online search services that the user has configured or accepted. Each query is one request.
/// Nothing is queried automatically. `OfflineSearchEngine` searches stored data.
public final class OnlineSearchEngine: Sendable {
    private let client: HTTPClient
    private let catalog: SourceCatalog
    private let language: String
    private let configuration: @Sendable () -> LayerConfiguration
    private let hasAgreed: @Sendable (String) -> Bool
    private let pace: RateLimitFile?
    /// The most recent responses by address, because services forbid repeated requests.
    private let cached = Mutex<[(address: HTTPAddress, answer: OnlineSearchAnswer)]>([])

    private static let cacheLimit = 50
    private static let timeout = Duration.seconds(20)

    /// - Parameters:
    ///   - client: Sends the requests.
    ///   - catalog: The named services, and the keys.
    ///   - language: The language of the names in responses, an ISO 639-1 code.
    ///   - configuration: Returns the features that pass through while offline.
    ///   - hasAgreed: Returns true if the user has accepted the terms of a source.
    ///   - pace: The rate limit shared by several programs; nil for one of this engine only.
    public init(
        _ client: HTTPClient, _ catalog: SourceCatalog, language: String = "en",
        configuration: @escaping @Sendable () -> LayerConfiguration,
        hasAgreed: @escaping @Sendable (String) -> Bool,
        pace: RateLimitFile? = nil
    ) {
        self.client = client
        self.catalog = catalog
        self.language = language
        self.configuration = configuration
        self.hasAgreed = hasAgreed
        self.pace = pace
    }

    /// Queries a service.
    /// - Parameter specifier: The service's name, or its kind and address as in "photon=http://…"; empty for
    ///   the user's own service, or else an accepted one.
    /// - Throws: `OnlineSearchFailure`; `cancelled` if its task is cancelled.
    public func search(
        _ query: MapSearchQuery, by specifier: String = ""
    ) async throws(OnlineSearchFailure) -> OnlineSearchAnswer {
        if query.area.isOfStored {
            throw .unsupported("online search can't be limited to a region or archive")
        }
        let provider = try provider(specifier), service = provider.service
        let passes = try mayPass(provider)
        let question = question(query), address = service.address(of: question)
        if let cached = cached.withLock({ $0.first { $0.address == address }?.answer }) { return cached }
        if let seconds = await pace?.wait(for: provider.access.rules) {
            throw .busy(provider: service.name, seconds: seconds)
        }
        let answer = try service.answer(try await ask(address, provider, passes), to: question)
        cached.withLock { $0 = [(address, answer)] + $0.prefix(Self.cacheLimit - 1) }
        return answer
    }

    /// Returns the name of the service to query.
    /// - Throws: `OnlineSearchFailure` if there is none.
    public func serviceName(_ specifier: String = "") throws(OnlineSearchFailure) -> String {
        let provider = try provider(specifier)
        try requireAgreement(provider)
        return provider.service.name
    }

    private func question(_ query: MapSearchQuery) -> OnlineSearchQuestion {
        if let spot = query.spot {
            return OnlineSearchQuestion(at: spot, limit: query.limit, language: language)
        }
        var question = OnlineSearchQuestion(
            query.text.isEmpty ? query.kind?.word(in: language) ?? "" : query.text,
            near: query.near, limit: query.limit, language: language)
        if case .box(let box) = query.area { question.box = box }
        return question
    }

    private func ask(
        _ address: HTTPAddress, _ provider: SearchProvider, _ passes: Bool
    ) async throws(OnlineSearchFailure) -> [UInt8] {
        let answer: [UInt8]?
        do throws(HTTPFailure) {
            answer = try await provider.access.answer(
                address, by: client, passes: passes, within: Self.timeout)
        } catch {
            let failure = OnlineSearchFailure(error, of: provider.service)
            if case .busy(_, let seconds?) = failure {
                await pace?.leaveAlone(provider.access.rules, seconds: seconds)
            }
            throw failure
        }
        guard let answer else { throw .unreachable("\(provider.service.name): no search service at its URL") }
        return answer
    }

    /// Returns true if the network may be used even while Rhumb is offline.
    /// - Throws: `OnlineSearchFailure` if the service must not be queried.
    private func mayPass(_ provider: SearchProvider) throws(OnlineSearchFailure) -> Bool {
        try requireAgreement(provider)
        let passes = configuration().passThroughFeatures.contains(.onlineSearch)
        guard passes || !client.isOffline else { throw .offline(provider.service.name) }
        return passes
    }

    private func requireAgreement(_ provider: SearchProvider) throws(OnlineSearchFailure) {
        guard let agreement = provider.access.agreement, !hasAgreed(agreement.source) else { return }
        throw .notAgreed(source: agreement.source, name: provider.service.name, rules: agreement.rules)
    }

    // MARK: Services

    private func provider(_ specifier: String) throws(OnlineSearchFailure) -> SearchProvider {
        let found = try converting(specifier.isEmpty ? usualProvider() : namedProvider(specifier)) {
            (error: SourceFailure) in
            OnlineSearchFailure.unsupported("\(error)")
        }
        if let found { return found }
        guard !specifier.isEmpty else { throw .noService }
        let names = ((try? catalog.searchServices()) ?? []).map(\.id).joined(separator: ", ")
        throw .unsupported(
            "unknown search service \(specifier): use \(names), or a URL such as photon=http://…")
    }

    /// Returns the user's own service, or else an accepted one.
    private func usualProvider() throws(SourceFailure) -> SearchProvider? {
        let listed = try catalog.searchServices()
        let source =
            listed.first(where: catalog.isOwn)
            ?? listed.first { $0.policy.needsAgreement && hasAgreed($0.id) }
        return try source.map { source throws(SourceFailure) in try SearchProvider(source, catalog) }
    }

    private func namedProvider(_ specifier: String) throws(SourceFailure) -> SearchProvider? {
        if let typed = try SearchProvider(typed: specifier, catalog) { return typed }
        guard let source = try catalog.searchServices().first(where: { $0.id == specifier }) else {
            return nil
        }
        return try SearchProvider(source, catalog)
    }
}

extension OnlineSearchFailure {
    /// Creates the search failure for a failed request.
    init(_ failure: HTTPFailure, of service: OnlineSearchService) {
        if let host = failure.lostHost {
            self = .noNetwork(host: host)
            return
        }
        let said = failure.body.isEmpty ? nil : service.refusal(failure.body)
        switch (failure.failureClass, failure.fault) {
        case (nil, _): self = .cancelled
        case (_, .noNetwork?): self = .offline(service.name)
        case (.rate?, _):
            self = .busy(provider: service.name, seconds: failure.retryAfter.map(\.components.seconds))
        case (.badContent?, _): self = .nonsense("\(service.name): \(failure)")
        case (.refused?, _), (.permanent?, nil): self = said ?? .refused("\(service.name): \(failure)")
        default: self = said ?? .unreachable("\(service.name): \(failure)")
        }
    }
}

/// A search service with its address and keys.
struct SearchProvider: Sendable {
    let service: OnlineSearchService
    let access: ServiceAccess

    /// Creates the provider of a listed source.
    /// - Throws: `SourceFailure` if a key is missing.
    init(_ source: SourceDefinition, _ catalog: SourceCatalog) throws(SourceFailure) {
        let addresses = try source.serverAddresses(environment: catalog.variable, configuration: catalog.key)
        guard let kind = source.kind.searching, let base = addresses.first else {
            throw .definition(source: source.id, "it is not a search service")
        }
        service = OnlineSearchService(kind, name: source.name, attribution: source.attribution, base: base)
        // Faster than a user types, and within the limits of every service.
        access = ServiceAccess(
            source,
            SourceRules(
                id: source.id, connections: 1, requestsPerSecond: min(source.policy.requestsPerSecond ?? 1, 1)
            ))
    }

    /// Creates a provider from a kind and an address as in "photon=http://…", with the rules of its host.
    /// Returns nil for other words.
    /// - Throws: `SourceFailure` if the address is invalid.
    init?(typed specifier: String, _ catalog: SourceCatalog) throws(SourceFailure) {
        let kind = String(specifier.prefix { $0 != "=" }),
            address = String(specifier.dropFirst(kind.count + 1))
        guard let kind = SourceDefinition.Kind(rawValue: kind), kind.searching != nil,
            SourceDefinition.isAddress(address)
        else { return nil }
        let host = HTTPAddress(address).host,
            known = try catalog.searchServices().first { $0.hosts.contains(host) }
        var source = SourceDefinition(
            id: known?.id ?? host, name: known?.name ?? host, addresses: [catalog.typedKeys.take(address)])
        if let known { source.policy = known.policy }
        source.kind = kind
        source.attribution = "© OpenStreetMap contributors"
        source.nameKeys()
        try self.init(catalog.providers.governed(source), catalog)
    }
}

extension SourceDefinition {
    fileprivate var hosts: [String] {
        ((try? templates()) ?? []).map { URLReference($0.canonical).host ?? "" }
    }
}
