public import RhumbCore
public import RhumbEngine

/// Loads documents (TileJSON, styles, attribution, the beginnings of archives) through a `CachedClient`. If
/// the server fails, a stored copy is used, so that a source that was opened once opens again offline.
public struct DocumentLoader: Sendable {
    package let client: any Transport
    package let cached: CachedClient
    /// Returns the version of a document that the user installed with a style. It is used until a reload.
    public var held: @Sendable (ResourceKey) -> StoredResponse? = { _ in nil }
    /// The priority of its requests; by default the highest.
    public var priority = HTTPPriority.visible(view: .max)
    /// If true, a document whose server can't be reached is a failure, even if a stale copy is stored.
    package var requiresServer = false

    /// - Parameter store: The store of responses; nil to store nothing.
    public init(
        _ client: any Transport, store: (any ResponseStore)? = nil,
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.init(client, openingStore: { store }, date: date)
    }

    /// - Parameter openingStore: Returns the open store. Called for every lookup; may block while the store
    ///   opens.
    public init(
        _ client: any Transport, openingStore: @escaping @Sendable () -> (any ResponseStore)?,
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.client = client
        cached = CachedClient(client, stores: { (openingStore(), nil) }, date: date)
    }

    package var store: (any ResponseStore)? { cached.cache }
    package var date: @Sendable () -> UnixSeconds { cached.date }

    /// Returns the stored document, regardless of its age.
    public func stored(_ resource: WebResource) -> Document? {
        guard let match = match(resource, .stored) else { return nil }
        return document(
            CachedResponse(match.response, of: resource, match.validity(at: date()), .stored(match.location)),
            resource)
    }

    /// Loads a document: the stored one if it is fresh, else the server's, else the stored one again.
    /// - Parameter isReload: If true, a fresh document is revalidated, unless it is immutable.
    /// - Throws: `DocumentFailure`.
    public func load(
        _ resource: WebResource, isReload: Bool = false
    ) async throws(DocumentFailure) -> Document {
        let mode: FetchMode = isReload ? .reload : .show
        let match = await BlockingExecutor.run { self.match(resource, mode) }
        let response = try await convertingAsync(
            await cached.load(resource, mode, priority: priority, stored: match),
            to: DocumentFailure.notFetched)
        guard response.body != nil else { throw .absent(address: resource.address.description) }
        if let failure = response.failure, requiresServer, !failure.isGone { throw .notFetched(failure) }
        if response.failure == nil, response.origin == .stored(.cache) { store?.count(.hit) }
        return document(response, resource)
    }

    /// Loads a document from the server, without using stored copies.
    /// - Throws: `DocumentFailure`.
    package func loadAgain(_ resource: WebResource) async throws(DocumentFailure) -> Document {
        do throws(HTTPFailure) {
            let response = try await cached.load(resource, .reload, priority: priority, stored: nil)
            guard response.body != nil else { throw HTTPFailure.absent(resource.address) }
            return document(response, resource)
        } catch {
            throw .notFetched(error)
        }
    }

    /// Removes a document from the cache. Regions keep theirs.
    package func forget(_ resource: WebResource) {
        if let key = resource.key { store?.forget(key) }
    }

    /// Stores a response, if that is allowed, and returns its document.
    package func take(
        _ response: HTTPResponse, _ request: HTTPRequest, _ resource: WebResource
    ) async throws(DocumentFailure) -> Document {
        let response = try await convertingAsync(
            await cached.take(response, to: request, for: resource), to: DocumentFailure.notFetched)
        return document(response, resource)
    }

    /// Returns the stored response, without secrets.
    package func answer(stored resource: WebResource) -> StoredResponse? {
        cached.match(resource).flatMap { $0.response.body == nil ? nil : $0.response }
    }

    private func match(_ resource: WebResource, _ mode: FetchMode) -> StoreMatch? {
        if mode != .reload, let held = resource.key.flatMap(held) { return StoreMatch(held, .stylePack) }
        return cached.match(resource).flatMap { $0.response.body == nil ? nil : $0 }
    }

    package func document(_ response: CachedResponse, _ resource: WebResource) -> Document {
        Document(
            response, age: response.stored.freshness.age(at: date()), address: resource.address.canonical)
    }
}
