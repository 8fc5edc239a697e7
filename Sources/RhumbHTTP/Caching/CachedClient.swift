public import RhumbCore
public import RhumbEngine

/// Loads resources through the stores and a transport, by `CacheRules`.
public final class CachedClient: Sendable {
    /// The cache, nil if responses are not stored, and the regions, which are searched after the cache.
    public typealias Stores = (cache: (any ResponseStore)?, pinned: (any PinnedResponses)?)

    package let transport: any Transport
    private let stores: @Sendable () -> Stores
    package let date: @Sendable () -> UnixSeconds

    /// - Parameter stores: Returns the open stores. Called for every storable resource; may block while they
    ///   open.
    public init(
        _ transport: any Transport, stores: @escaping @Sendable () -> Stores,
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.transport = transport
        self.stores = stores
        self.date = date
    }

    package var cache: (any ResponseStore)? { stores().cache }
    package var pinned: (any PinnedResponses)? { stores().pinned }

    /// Returns the stored copy of a resource. It reads from disk.
    public func match(_ resource: WebResource) -> StoreMatch? {
        guard let key = resource.key else { return nil }
        let stores = stores()
        if let copy = stores.cache?.response(for: key), copy.answers(resource.headers) {
            return StoreMatch(copy, .cache)
        }
        if let copy = stores.pinned?.response(for: key), copy.answers(resource.headers) {
            return StoreMatch(copy, .region)
        }
        return nil
    }

    /// Loads a resource from the stores or the server.
    /// - Throws: `HTTPFailure` if the server does not send it and no stored copy stands in for it.
    public func load(
        _ resource: WebResource, _ mode: FetchMode = .show, priority: HTTPPriority = .visible(view: .max)
    ) async throws(HTTPFailure) -> CachedResponse {
        let match = await BlockingExecutor.run { self.match(resource) }
        return try await load(resource, mode, priority: priority, stored: match)
    }

    /// Loads a resource, given its stored copy.
    /// - Parameter rule: The rule for retries; nil for the rule of the priority.
    /// - Throws: `HTTPFailure` if the server does not send it and the copy does not stand in for it.
    public func load(
        _ resource: WebResource, _ mode: FetchMode, priority: HTTPPriority, stored match: StoreMatch?,
        retrying rule: RetryRule? = nil
    ) async throws(HTTPFailure) -> CachedResponse {
        let network = network(for: resource)
        let decision = CacheRules.decide(match, mode, network, isStorable: resource.key != nil, at: date())
        var request = HTTPRequest(resource, priority: priority)
        let outcome: Result<HTTPResponse, HTTPFailure>
        switch decision {
        case .use(.stale) where mode == .show: outcome = .failure(.offline(resource.address))
        case .use(let validity):
            guard let match else { throw .unstorable(resource.address) }
            return CachedResponse(match.response, of: resource, validity, .stored(match.location))
        case .missing where network == .available, .fail(.refused): throw .unstorable(resource.address)
        case .missing, .fail: outcome = .failure(.offline(resource.address))
        case .useAndRevalidate(let validity, let validators) where resource.expected == .document:
            guard let match else { throw .unstorable(resource.address) }
            request.validators = validators
            Task { [request] in await revalidate(match, by: request, for: resource, rule) }
            return CachedResponse(match.response, of: resource, validity, .stored(match.location))
        // The caller already shows the stale tile.
        case .fetch(let validators, _), .useAndRevalidate(_, let validators):
            if mode == .prefetch { await cache?.waitForRoom() }
            request.validators = validators
            outcome = await send(request, rule)
        }
        let resolution = CacheRules.resolve(outcome, of: request, for: resource, match, mode, at: date())
        // The caller of a download stores the response in a region.
        apply(resolution, to: mode.isDownload ? nil : resource.key)
        return try resolution.result.get()
    }

    /// Revalidates a document that is already in use.
    private func revalidate(
        _ match: StoreMatch, by request: HTTPRequest, for resource: WebResource, _ rule: RetryRule?
    ) async {
        let outcome = await send(request, rule)
        apply(
            CacheRules.resolve(outcome, of: request, for: resource, match, .show, at: date()),
            to: resource.key)
    }

    /// Handles a response that arrived without `load`.
    package func take(
        _ response: HTTPResponse, to request: HTTPRequest, for resource: WebResource
    ) async throws(HTTPFailure) -> CachedResponse {
        let match = await BlockingExecutor.run { self.match(resource) }
        let resolution = CacheRules.resolve(
            .success(response), of: request, for: resource, match, .show, at: date())
        apply(resolution, to: resource.key)
        return try resolution.result.get()
    }

    /// Sends a request, and again without validators if the server confirms another version than the stored
    /// one.
    private func send(
        _ request: HTTPRequest, _ rule: RetryRule?
    ) async -> Result<HTTPResponse, HTTPFailure> {
        do throws(HTTPFailure) {
            let response = try await transport.load(request, retrying: rule)
            guard response.isNotModified, !response.confirms(request.validators) else {
                return .success(response)
            }
            var whole = request
            whole.validators = Validators()
            return .success(try await transport.load(whole, retrying: rule))
        } catch {
            return .failure(error)
        }
    }

    /// A file on this machine needs no network.
    private func network(for resource: WebResource) -> NetworkAccess {
        let isReachable =
            !transport.isOffline || resource.address.localPath != nil || resource.passesThrough()
        return isReachable ? .available : .offline
    }

    private func apply(_ resolution: CacheRules.Resolution, to key: ResourceKey?) {
        guard let cache else { return }
        for (event, number) in resolution.events { cache.count(event, number) }
        guard let key else { return }
        switch resolution.action {
        case .store(let response): cache.store(response, for: key)
        case .freshen(let response): cache.prolong(key, response.freshness, headers: response.headers)
        case .remove: cache.forget(key)
        case .none: break
        }
    }
}

extension HTTPFailure {
    static func unstorable(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.permanent), "\(address): the source's responses are never stored; view the map online")
    }
}
