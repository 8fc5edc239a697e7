public import RhumbCore
public import RhumbEngine

/// Loads what is no tile (TileJSON, styles, attribution, the beginnings of archives) through a
/// store of answers: what is fresh is not asked for, what is out of date is asked about, and when
/// no server answers, whatever is kept is used. So a source that was opened once opens again
/// offline.
public struct DocumentLoader: Sendable {
    package let client: HTTPClient
    private let openingStore: @Sendable () -> (any ResponseStore)?
    package let date: @Sendable () -> UnixSeconds
    /// The state of a document that a person chose to keep, whatever servers have by now: it is used
    /// until it is asked for anew.
    public var held: @Sendable (ResourceKey) -> StoredResponse? = { _ in nil }
    /// The priority of its requests; by default the highest.
    public var priority = HTTPPriority.visible(view: .max)
    /// If true, a document whose server can't be reached is a failure, even if a stale copy is stored.
    package var requiresServer = false

    /// - Parameter store: nil: nothing is kept.
    public init(
        _ client: HTTPClient, store: (any ResponseStore)? = nil,
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.init(client, openingStore: { store }, date: date)
    }

    /// - Parameter openingStore: asked for the store whenever something is looked up; it may wait until that is open.
    public init(
        _ client: HTTPClient, openingStore: @escaping @Sendable () -> (any ResponseStore)?,
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        (self.client, self.openingStore, self.date) = (client, openingStore, date)
    }

    package var store: (any ResponseStore)? { openingStore() }

    /// The document that is kept, whatever its age; nothing is asked.
    public func stored(_ resource: WebResource) -> Document? {
        if let held = resource.key.flatMap(held) { return document(held, resource, .fresh) }
        guard let stored = answer(kept: resource) else { return nil }
        return document(stored, resource, isFresh(stored) ? .fresh : .outdated(nil))
    }

    /// The document: kept if it is fresh, else as a server sends or confirms it, else kept all
    /// the same.
    /// - Parameters:
    ///   - resource: a document, or a range of an archive.
    ///   - isReload: asks even about what is fresh, unless it is immutable.
    /// - Throws: `DocumentFailure`.
    public func load(_ resource: WebResource, isReload: Bool = false) async throws(DocumentFailure) -> Document {
        let (held, stored) = await BlockingExecutor.run {
            (isReload ? nil : resource.key.flatMap(self.held), self.answer(kept: resource))
        }
        if let held { return document(held, resource, .fresh) }
        if let stored, isFresh(stored), !isReload || stored.freshness.immutable {
            store?.count(.hit)
            return document(stored, resource, .fresh)
        }
        do throws(HTTPFailure) {
            let answer = try await ask(resource, stored)
            if let answer { return answer }
        } catch {
            if error.kind != .cancelled { store?.count(.failure) }
            guard let stored, !requiresServer else { throw .notFetched(error) }
            return document(stored, resource, .outdated(error))
        }
        guard let stored else { throw .absent(address: resource.address.description) }
        return document(stored, resource, .outdated(.gone(resource.address)))
    }

    /// - Returns: nil when the server has no such document.
    private func ask(_ resource: WebResource, _ stored: StoredResponse?) async throws(HTTPFailure) -> Document? {
        let request = HTTPRequest(resource, priority: priority, validators: stored?.validators ?? Validators())
        let response = try await client.load(request)
        if response.isAbsent { return nil }
        if response.isNotModified, let stored { return prolong(stored, response, resource) }
        return take(response, request, resource)
    }

    private func prolong(
        _ stored: StoredResponse, _ response: HTTPResponse, _ resource: WebResource
    ) -> Document {
        let stored = stored.confirmed(by: response, resource.storage)
        if let key = resource.key {
            if response.forbidsStoring {
                store?.forget(key)
            } else {
                store?.prolong(key, stored.freshness, headers: stored.headers)
            }
        }
        store?.count(.revalidation)
        return document(stored, resource, .confirmed)
    }

    /// Stores a response, if that is allowed, and returns its document.
    package func take(_ response: HTTPResponse, _ request: HTTPRequest, _ resource: WebResource) -> Document {
        var new = StoredResponse(response, to: request, resource.storage)
        new.body = resource.secretMask.hidden(response.body)
        if let key = resource.key {
            if response.mayBeKept(for: request) { store?.keep(new, for: key) } else { store?.forget(key) }
        }
        store?.count(.download)
        store?.count(.bytes, response.wireBytes)
        return document(new, resource, .sent)
    }

    // MARK: What is kept

    /// The answer that is kept, as it is stored: without secrets.
    package func answer(kept resource: WebResource) -> StoredResponse? {
        guard let stored = resource.key.flatMap({ store?.response(for: $0) }), stored.body != nil else { return nil }
        return stored.answers(resource.headers) ? stored : nil
    }

    private func isFresh(_ stored: StoredResponse) -> Bool { stored.state(at: date()) == .fresh }

    private func document(
        _ stored: StoredResponse, _ resource: WebResource, _ standing: Document.Standing
    ) -> Document {
        Document(
            body: resource.secretMask.shown(stored.body ?? []), headers: stored.headers, standing: standing,
            age: stored.freshness.age(at: date()), address: resource.address.canonical, stored: stored)
    }
}

extension HTTPResponse {
    /// True if the response may be stored for the request; a requested range counts as complete.
    package func mayBeKept(for request: HTTPRequest) -> Bool {
        guard status == 206, request.range != nil else { return storageVerdict(for: request) == .body }
        return !forbidsStoring
            && StorageVerdict.verdict(status: 200, headers: headers, request: request.headers) == .body
    }
}

extension HTTPFailure {
    static func gone(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.permanent), status: 404, "\(address): the server no longer has this document; using the cached "
                + "copy")
    }
}
