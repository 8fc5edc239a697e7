package import RhumbCore
package import RhumbEngine
package import RhumbHTTP
internal import RhumbStore
internal import Synchronization

/// The supply of tiles that are fetched one by one from URL templates.
package struct WebTileSupply: RegionSupply {
    private let client: CachedClient
    private let source: WebTileSource
    private let retrying: RetryRule
    private let streak = FailureStreak()

    /// Creates the supply of a source.
    /// - Parameters:
    ///   - source: A source with its keys.
    ///   - retrying: The rule for retries after server errors.
    package init(
        _ source: WebTileSource, client: any Transport,
        retrying: RetryRule = RetryRule(tries: 4, backoff: Backoff(base: 1, cap: 10))
    ) {
        self.source = source
        // Uses no stores, because the download itself looks up and writes tiles in the region store.
        self.client = CachedClient(client) { (nil, nil) }
        self.retrying = retrying
    }

    package var origin: TileOrigin { source.origin }
    package var policy: SourcePolicy { source.definition.policy }
    /// 1, because each tile is a separate request.
    package var batch: Int { 1 }

    /// Returns true, because a template's addresses always refer to the current edition.
    package func isCurrent(_ stored: StoredResponse) async -> Bool { true }

    /// Fetches the tiles one after another, and reports each.
    package func load(_ items: [SupplyRequest], post: @escaping @Sendable (SupplyEvent) -> Void) async {
        for item in items {
            let outcome: Result<SupplyResponse, SupplyFailure>
            do throws(SupplyFailure) {
                outcome = .success(try await load(item, post))
            } catch {
                outcome = .failure(error)
            }
            post(.loaded(item.tile, outcome))
        }
    }

    private func load(
        _ item: SupplyRequest, _ post: (SupplyEvent) -> Void
    ) async throws(SupplyFailure) -> SupplyResponse {
        let response = try await response(for: item, post)
        post(.received(bytes: response.received?.wireBytes ?? 0))
        guard response.isStorable else { return .notStorable }
        guard response.origin == .server else {
            return .unchanged(response.stored.freshness, response.headers)
        }
        var answer = response.stored
        answer.body = answer.body.flatMap { (body) -> [UInt8]? in
            // Some servers send an empty tile where they have nothing.
            guard !body.isEmpty else { return nil }
            // A body with secrets is stored without them, and so not as it was transferred.
            guard let received = response.received, received.body == body, let packed = received.packedBody
            else { return TileBody.packed(body) }
            return TileBody.stored(packed, body)
        }
        return .answer(answer)
    }

    /// Sends a request, and retries after server errors. Network errors are not retried here, because they
    /// affect all tiles.
    private func response(
        for item: SupplyRequest, _ post: (SupplyEvent) -> Void
    ) async throws(SupplyFailure) -> CachedResponse {
        let resource = source.resource(for: item.tile), held = item.held.map { StoreMatch($0, .region) }
        var failures = 0, last: SupplyFailure?
        while true {
            let failure: HTTPFailure
            post(.requested)
            do throws(HTTPFailure) {
                let response = try await client.load(
                    resource, .refresh(olderThan: nil), priority: .download, stored: held, retrying: .once)
                guard let cause = response.failure else {
                    streak.end()
                    return response
                }
                failure = cause
            } catch {
                failure = error
            }
            if failure.isPaused, let last { throw last }
            failures += 1
            let what = SupplyFailure(failure)
            last = what
            let mayRetry = what.kind != .server || streak.add()
            guard mayRetry, what.kind == .server || what.kind == .tile,
                let failureClass = failure.failureClass,
                let wait = retrying.delay(after: failureClass, failures: failures, random: .random(in: 0..<1))
            else { throw what }
            guard (try? await Task.sleep(for: .seconds(wait))) != nil else {
                throw SupplyFailure(.cancelled, "cancelled")
            }
        }
    }
}

/// The server errors of a source in a row. A tile that fails is requested again, but not each of many: during
/// an outage, that would send hundreds of requests before the download gives up.
private final class FailureStreak: Sendable {
    /// The number of errors after which tiles are no longer requested again.
    private static let limit = 8
    private let count = Mutex(0)

    /// Counts an error.
    /// - Returns: True if the tile may be requested again.
    func add() -> Bool {
        count.withLock { count in
            count += 1
            return count <= FailureStreak.limit
        }
    }

    func end() { count.withLock { $0 = 0 } }
}

extension SupplyFailure {
    init(_ failure: HTTPFailure) {
        let kind: Kind =
            switch (failure.failureClass, failure.fault) {
            case (nil, _): .cancelled
            case (_, .metered): .metered
            // The network is fine, and the server would send each other part of the file wrongly, too.
            case (_, .wrongRange), (_, .codedRange), (_, .unknownCoding): .server
            case (.offline, _), (_, .noNetwork), (_, .nameNotFound), (_, .connectionRefused): .offline
            case _ where failure.isPaused: .paused(failure.retryAfter ?? SupplyFailure.usualPause)
            case (_, .connectionLost), (_, .timedOut), (_, .tlsFailed): .lost
            // A server that fails is paused, too, but limits no rates.
            case (.rate, _) where failure.status.map { $0 >= 500 } ?? true:
                .outage(failure.retryAfter ?? SupplyFailure.usualPause)
            case (.rate, _): .wait(failure.retryAfter ?? SupplyFailure.usualPause)
            case (.refused, _): .refused
            case (_, .redirects), (_, .tooLarge), (_, .badAnswer), (_, .webPage), (_, .certificate): .server
            // A login page or half a body for each tile ends the download like an error of the server.
            case (.transient, nil), (.transient, .truncated), (.badContent, nil): .server
            default: .tile
            }
        self.init(kind, failure.message)
    }
}
