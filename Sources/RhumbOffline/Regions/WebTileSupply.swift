public import RhumbCore
public import RhumbEngine
public import RhumbHTTP

/// Tiles that are fetched one by one from templates.
public struct WebTileSupply: RegionSupply {
    private let client: HTTPClient
    private let source: WebTileSource
    private let retrying: RetryRule

    /// - Parameters:
    ///   - source: with its keys in hand.
    ///   - retrying: how often a tile is asked for whose server stumbles.
    public init(
        _ source: WebTileSource, client: HTTPClient,
        retrying: RetryRule = RetryRule(tries: 4, backoff: Backoff(base: 1, cap: 10))
    ) {
        self.source = source
        self.client = client
        self.retrying = retrying
    }

    /// The source that the tiles are stored under.
    public var origin: TileOrigin { source.origin }
    /// What the provider allows.
    public var policy: SourcePolicy { source.definition.policy }
    /// Each tile is a request of its own.
    public var batch: Int { 1 }

    /// Always: an address of the template is of the current edition.
    public func isCurrent(_ stored: StoredResponse) async -> Bool { true }

    /// Fetches the tiles, as many at once as the provider allows, and reports each.
    public func load(_ items: [SupplyRequest], tell: @escaping @Sendable (SupplyNews) -> Void) async {
        for item in items {
            let outcome: Result<Supplied, SupplyFailure>
            do throws(SupplyFailure) {
                outcome = .success(try await load(item, tell))
            } catch {
                outcome = .failure(error)
            }
            tell(.came(item.tile, outcome))
        }
    }

    private func load(
        _ item: SupplyRequest, _ tell: (SupplyNews) -> Void
    ) async throws(SupplyFailure) -> Supplied {
        let resource = source.resource(for: item.tile), match = item.held.map { StoreMatch($0, .region) }
        let request = HTTPRequest(
            resource, priority: .download, validators: item.held?.validators ?? Validators())
        let response = try await response(to: request, tell)
        let resolution = CacheRules.resolve(
            .success(response), of: request, for: resource, match, .refresh(olderThan: nil),
            at: response.receivedAt)
        return switch resolution.action {
        case .store(let new): .answer(new)
        case .freshen(let confirmed): .unchanged(confirmed.freshness, confirmed.headers)
        case .remove, .none: .mayNotBeKept
        }
    }

    /// Trouble on the way is not tried again here: it concerns all tiles.
    private func response(
        to request: HTTPRequest, _ tell: (SupplyNews) -> Void
    ) async throws(SupplyFailure) -> HTTPResponse {
        var failures = 0
        while true {
            let failure: HTTPFailure
            tell(.asked)
            do throws(HTTPFailure) {
                return try await client.send(request)
            } catch {
                failure = error
            }
            failures += 1
            let what = SupplyFailure(failure)
            guard what.kind == .server || what.kind == .tile, let failureClass = failure.failureClass,
                let wait = retrying.delay(after: failureClass, failures: failures, random: .random(in: 0..<1))
            else { throw what }
            guard (try? await Task.sleep(for: .seconds(wait))) != nil else {
                throw SupplyFailure(.cancelled, "cancelled")
            }
        }
    }
}

extension SupplyFailure {
    init(_ failure: HTTPFailure) {
        let kind: Kind =
            switch (failure.failureClass, failure.fault) {
            case (nil, _): .cancelled
            case (_, .metered): .metered
            case (.offline, _), (_, .noNetwork), (_, .nameNotFound), (_, .connectionRefused): .offline
            case (_, .connectionLost), (_, .timedOut), (_, .tlsFailed): .lost
            case (.rate, _): .wait(failure.retryAfter ?? .seconds(10))
            case (.refused, _): .refused
            case (.transient, nil): .server
            default: .tile
            }
        self.init(kind, failure.message)
    }
}
