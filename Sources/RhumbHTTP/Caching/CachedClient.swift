public import RhumbCore
public import RhumbEngine
internal import Synchronization

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

/// The failure to read a section of a file from its server.
package enum RangeFailure: Error {
    /// A response differs from the version. The value is its header; nil if the file ends before the section.
    case differs(HTTPHeaders?)
    /// The file has another version now. The value is the response with its first bytes.
    case changed(CachedResponse)
    case request(HTTPFailure)
    case failed(TileFailure)
}

/// A section of one version of a file, as it arrived.
package struct LoadedRange: Sendable {
    /// The bytes of the section.
    package let bytes: [UInt8]
    private let request: HTTPRequest
    /// The response that contained the section. Its body differs from the section.
    private let response: HTTPResponse
    private let version: String

    package init(_ bytes: [UInt8], _ response: HTTPResponse, to request: HTTPRequest, version: String) {
        self.bytes = bytes
        self.response = response
        self.request = request
        self.version = version
    }

    /// Returns the response of a body that was read from the section, and whether it may be stored.
    package func response(
        _ body: [UInt8], _ storage: StoragePolicy
    ) -> (stored: StoredResponse, isStorable: Bool) {
        CacheRules.resolve(body, from: response, to: request, version: version, storage)
    }
}

extension CacheRules {
    /// Returns the response of a body that was read from a part of a file, and whether it may be stored.
    fileprivate static func resolve(
        _ body: [UInt8], from response: HTTPResponse, to request: HTTPRequest, version: String,
        _ storage: StoragePolicy
    ) -> (stored: StoredResponse, isStorable: Bool) {
        var stored = StoredResponse(response, to: request, storage)
        stored.body = body
        stored.dataVersion = version
        // The range is that of the request, not of the body.
        stored.headers.removeAll("Content-Range")
        return (stored, response.verdict(for: request) == .body)
    }
}

/// Loads sections of files.
extension CachedClient {
    /// The number of received bytes after which a broken response is resumed without a wait.
    private static let progress: UInt64 = 16 << 10

    /// Returns the stored copy of a section of that version of a file. It reads from disk.
    package func match(_ key: ResourceKey?, version: String) -> StoreMatch? {
        guard let key, let copy = cache?.response(for: key), copy.dataVersion == version else { return nil }
        return StoreMatch(copy, .cache)
    }

    /// Stores a response that was not loaded as a whole, such as a tile within a section.
    package func store(_ response: StoredResponse, for key: ResourceKey?) {
        if let key { cache?.store(response, for: key) }
    }

    /// Loads sections of a file that are close together, and passes on each as soon as its bytes have
    /// arrived. A broken response is resumed at the first missing byte, with shorter ranges.
    /// - Parameters:
    ///   - batch: After a failure, it contains the sections still missing.
    ///   - version: The version that the file must still have.
    ///   - limit: The current length of the ranges.
    ///   - rule: The retries without progress; nil for the rule of the priority.
    ///   - onRequest: Called for each request.
    ///   - range: Returns the resource of a section.
    package nonisolated(nonsending) func load<Item: Sendable>(
        _ batch: inout RangeBatch<Item>, of version: FileVersion, limit: RangeLimit, priority: HTTPPriority,
        retrying rule: RetryRule? = nil, onRequest: () -> Void = {}, range: (FileSection) -> WebResource,
        take: (Item, LoadedRange) -> Void
    ) async throws(RangeFailure) {
        let rule = rule ?? RetryRule(for: priority)
        var failures = 0, last: RangeFailure?
        while let section = batch.request(limit: limit.bytes) {
            onRequest()
            let start = batch.position
            do throws(RangeFailure) {
                try await request(range(section), of: &batch, version, priority, take)
                failures = 0
                last = nil
                limit.grow()
            } catch {
                let received = max(batch.position, start) - start
                failures = received > 0 ? 1 : failures + 1
                // The failure of the last request tells more than that of one that was not sent.
                if case .request(let cause) = error, cause.isPaused { throw last ?? error }
                last = error
                guard let wait = wait(after: error, failures, rule, priority) else { throw error }
                limit.shrink()
                if received >= CachedClient.progress { continue }
                guard (try? await Task.sleep(for: .seconds(wait))) != nil else { throw .request(.cancelled) }
            }
        }
    }

    private func wait(
        after failure: RangeFailure, _ failures: Int, _ rule: RetryRule, _ priority: HTTPPriority
    ) -> Double? {
        guard case .request(let cause) = failure, let failureClass = cause.failureClass else { return nil }
        // A region waits for the server itself.
        if failureClass == .rate, priority != .download, let pause = cause.retryAfter {
            return rule.delay(afterPause: pause.inSeconds, failures: failures)
        }
        let wait = rule.delay(after: failureClass, failures: failures, random: .random(in: 0..<1))
        if wait == nil { cache?.count(.failure) }
        return wait
    }

    nonisolated(nonsending) private func request<Item: Sendable>(
        _ range: WebResource, of batch: inout RangeBatch<Item>, _ version: FileVersion,
        _ priority: HTTPPriority, _ take: (Item, LoadedRange) -> Void
    ) async throws(RangeFailure) {
        let request = HTTPRequest(range, priority: priority)
        var match = FileVersion.Match.assumed, isFirst = true
        // The bytes of two responses are only joined if both state the version.
        defer { if match != .certain { batch.dropIncomplete() } }
        do {
            for try await response in transport.parts(of: request) {
                guard !response.isAbsent else { throw RangeFailure.request(.absent(range.address)) }
                match = isFirst ? version.receive(response.headers) : version.match(response.headers)
                isFirst = false
                guard match != .other else { throw RangeFailure.differs(response.headers) }
                cache?.count(.bytes, response.wireBytes)
                for (item, bytes) in batch.add(response.body) {
                    take(item, LoadedRange(bytes, response, to: request, version: version.name))
                }
            }
        } catch let failure as HTTPFailure {
            // A status of 416 means that the file has become shorter.
            throw failure.status == 416 ? .differs(nil) : .request(failure)
        } catch {
            throw error as? RangeFailure ?? .differs(nil)
        }
        if Task.isCancelled { throw .request(.cancelled) }
        guard batch.isRequestComplete else { throw .truncated(range.address.canonical) }
        cache?.count(.download)
    }
}

extension RangeFailure {
    /// The file ends before a section that its directory declares.
    package static func truncated(_ name: String) -> RangeFailure {
        .failed(TileFailure(.badContent, "\(name): the archive is truncated; its owner must replace it"))
    }
}

extension HTTPFailure {
    /// The failure of a file that is gone from its server.
    package static func absent(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.permanent), status: 404,
            "\(address): the server no longer has the archive; check the URL")
    }
}

/// The length of the ranges requested of one file. It shrinks when responses break off, and grows again
/// when they are complete.
package final class RangeLimit: Sendable {
    /// The shortest and the longest range, in bytes.
    package static let bounds: ClosedRange<UInt64> = 64 << 10...4 << 20

    private let length = Mutex(RangeLimit.bounds.upperBound)

    /// Creates a limit of the longest range.
    package init() {}

    /// The current length, in bytes.
    package var bytes: UInt64 { length.withLock { $0 } }

    package func shrink() { length.withLock { $0 = max($0 / 2, RangeLimit.bounds.lowerBound) } }

    package func grow() { length.withLock { $0 = min($0 + $0 / 4, RangeLimit.bounds.upperBound) } }
}

/// A response from a server or a store.
public struct CachedResponse: Equatable, Sendable {
    /// The origin of a response.
    public enum Origin: Hashable, Sendable {
        /// Sent by the server just now.
        case server
        /// Stored, and confirmed by the server just now.
        case revalidated
        /// Stored for another edition, and confirmed by the server for this one.
        case carriedOver
        /// Stored, and not confirmed.
        case stored(StoreMatch.Location)
    }

    /// The body, with the current secrets; nil if the resource is known to be absent.
    public let body: [UInt8]?
    /// The response in the form in which it is stored: without secrets.
    public let stored: StoredResponse
    /// The validity.
    public let validity: Validity
    /// The origin.
    public let origin: Origin
    /// The server's response with the body; nil if the body was stored.
    package let received: HTTPResponse?
    /// The reason why a stored response is used instead of the server's; nil if it isn't.
    public let failure: HTTPFailure?

    init(
        _ stored: StoredResponse, of resource: WebResource, _ validity: Validity, _ origin: Origin,
        failure: HTTPFailure? = nil, received: HTTPResponse? = nil
    ) {
        body = stored.body.map(resource.secretMask.shown)
        self.stored = stored
        self.validity = validity
        self.origin = origin
        self.failure = failure
        self.received = received
    }

    /// The header fields that are stored with the response.
    public var headers: HTTPHeaders { stored.headers }
    /// False if the server forbids storing the response.
    public var isStorable: Bool { validity != .unstorable }
}
