public import RhumbCore
public import RhumbEngine

/// Fetches the engine's tiles over the air, without a cache.
public struct HTTPTileFetcher: TileFetcher {
    private let client: HTTPClient
    private let sources: [WebTileSource]

    /// - Parameter sources: those whose rules and headers apply to their addresses; others are
    ///   asked with the default rules of their host.
    public init(_ client: HTTPClient, sources: [WebTileSource] = []) {
        self.client = client
        self.sources = sources
    }

    public func fetch(_ url: String, for tile: TileID) async throws(TileFailure) -> TileAnswer {
        let source = sources.first { $0.url(for: tile) == url }
        let request = source?.request(for: tile) ?? HTTPRequest(HTTPAddress(url))
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await client.load(request)
        } catch {
            throw TileFailure(error)
        }
        return response.isAbsent ? .absent : .bitmap(.encoded(response.body))
    }
}

extension TileFailure {
    /// What a failed request means for a tile.
    public init(_ failure: HTTPFailure) {
        let wait = failure.retryAfter ?? TileFailure.patience(failure.failureClass)
        self.init(TileFailure.reason(failure), failure.message, retryAfter: wait)
    }

    private static func reason(_ failure: HTTPFailure) -> Reason {
        if failure.fault == .timedOut { return .timedOut }
        return switch failure.failureClass {
        case .offline: .offline
        case .refused, .rate: .refused
        case .badContent: .badContent
        case .permanent: .sourceFailed
        case .transient, nil: .unreadable
        }
    }

    /// How long a failure is remembered about which the server said nothing.
    private static func patience(_ failureClass: FailureClass?) -> Duration {
        switch failureClass {
        case .permanent: .seconds(600)
        case .badContent, .refused: .seconds(60)
        case .offline: .seconds(5)
        case .rate, .transient, nil: .seconds(30)
        }
    }
}
