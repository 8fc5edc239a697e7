public import RhumbCore
public import RhumbEngine

/// Loads what is no tile (TileJSON, styles, attribution, the beginnings of archives) through a
/// store of answers: what is fresh is not asked for, what is out of date is asked about, and when
/// no server answers, whatever is kept is used. So a source that was opened once opens again
/// offline.
public struct DocumentLoader: Sendable {
    package let client: HTTPClient
    package let store: (any ResponseStore)?
    package let date: @Sendable () -> UnixSeconds

    /// - Parameter store: nil: nothing is kept.
    public init(
        _ client: HTTPClient, store: (any ResponseStore)? = nil,
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.client = client
        self.store = store
        self.date = date
    }

    /// A request for a document that somebody waits for.
    public static func request(
        _ address: HTTPAddress, rules: SourceRules? = nil, headers: HTTPHeaders = [:]
    ) -> HTTPRequest {
        var request = HTTPRequest(
            address, expecting: .document, priority: .visible(view: .max), rules: rules, headers: headers)
        request.secretHeaders = headers.lines.map(\.name)
        return request
    }

    /// The document that is kept, whatever its age; nothing is asked.
    public func stored(_ request: HTTPRequest) -> Document? {
        guard let stored = response(for: request) else { return nil }
        return document(stored, request, isFresh(stored) ? .fresh : .outdated(nil))
    }

    /// The document: kept if it is fresh, else as a server sends or confirms it, else kept all
    /// the same.
    /// - Parameters:
    ///   - request: as `request(_:rules:headers:)` makes it; may ask for a range.
    ///   - isReload: asks even about what is fresh, unless it is immutable.
    /// - Throws: `DocumentFailure`.
    public func load(_ request: HTTPRequest, isReload: Bool = false) async throws(DocumentFailure) -> Document {
        let stored = response(for: request)
        if let stored, isFresh(stored), !isReload || stored.freshness.immutable {
            store?.count(.hit)
            return document(stored, request, .fresh)
        }
        do throws(HTTPFailure) {
            let answer = try await ask(request, stored)
            if let answer { return answer }
        } catch {
            if error.kind != .cancelled { store?.count(.failure) }
            guard let stored else { throw .notFetched(error) }
            return document(stored, request, .outdated(error))
        }
        guard let stored else { throw .absent(address: request.address.description) }
        return document(stored, request, .outdated(.gone(request.address)))
    }

    /// - Returns: nil when the server has no such document.
    private func ask(_ request: HTTPRequest, _ stored: StoredResponse?) async throws(HTTPFailure) -> Document? {
        var conditional = request
        if let stored { conditional.validators = stored.validators }
        let response = try await client.load(conditional)
        if response.isAbsent { return nil }
        if response.isNotModified, let stored { return prolong(stored, response, request) }
        return take(response, request)
    }

    private func prolong(
        _ stored: StoredResponse, _ response: HTTPResponse, _ request: HTTPRequest
    ) -> Document {
        var stored = stored
        stored.freshness = response.freshness(.documents, updating: stored.headers, status: 200)
        stored.headers = StoredResponse.kept(stored.headers.updated(by: response.headers))
        stored.isInvalidated = false
        if CacheControl(of: stored.headers).noStore {
            store?.forget(request.documentKey)
        } else {
            store?.prolong(request.documentKey, stored.freshness, headers: stored.headers)
        }
        store?.count(.revalidation)
        return document(stored, request, .confirmed)
    }

    private func take(_ response: HTTPResponse, _ request: HTTPRequest) -> Document {
        var new = StoredResponse(
            body: request.secretMask.hidden(response.body), freshness: response.freshness(.documents),
            headers: response.headers)
        new.variant = Vary(of: response.headers).key(for: request.headers)
        if response.mayBeKept(for: request) {
            store?.keep(new, for: request.documentKey)
        } else {
            store?.forget(request.documentKey)
        }
        store?.count(.download)
        store?.count(.bytes, response.wireBytes)
        return document(new, request, .sent)
    }

    // MARK: What is kept

    private func response(for request: HTTPRequest) -> StoredResponse? {
        guard let stored = store?.response(for: request.documentKey), stored.body != nil else { return nil }
        let vary = Vary(of: stored.headers)
        return !vary.matchesNothing && vary.key(for: request.headers) == stored.variant ? stored : nil
    }

    private func isFresh(_ stored: StoredResponse) -> Bool { stored.state(at: date()) == .fresh }

    private func document(
        _ stored: StoredResponse, _ request: HTTPRequest, _ standing: Document.Standing
    ) -> Document {
        Document(
            body: request.secretMask.shown(stored.body ?? []), headers: stored.headers, standing: standing,
            age: stored.freshness.age(at: date()), address: request.address.canonical)
    }
}

extension HTTPRequest {
    /// What its answer is kept under: the address without secrets, and the range.
    public var documentKey: ResourceKey {
        let part = range.map { "#\($0.header)" } ?? ""
        return .document(address.canonical + part)
    }
}

extension HTTPResponse {
    /// Whether it may be kept as the answer to such a request; a range that was asked for is whole.
    package func mayBeKept(for request: HTTPRequest) -> Bool {
        guard status == 206, request.range != nil else { return storageVerdict(for: request) == .body }
        let isForbidden = redirects.contains { CacheControl(of: $0).noStore }
        return !isForbidden
            && StorageVerdict.verdict(status: 200, headers: headers, request: request.headers) == .body
    }
}

extension HTTPFailure {
    static func gone(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.permanent), status: 404, "\(address): the server has it no more; what was kept is used")
    }
}
