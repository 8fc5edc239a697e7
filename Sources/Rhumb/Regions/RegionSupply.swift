public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP

/// Where a region's tiles of one source come from.
public protocol RegionSupply: Sendable {
    /// The cache key of the source, under which its tiles are stored.
    var origin: String { get }
    var policy: SourcePolicy { get }

    /// Gets a tile from the server.
    /// - Parameter held: what is stored of it, to be asked about.
    /// - Throws: `SupplyFailure`. A cancelled task ends soon.
    func load(_ tile: TileID, held: StoredResponse?) async throws(SupplyFailure) -> Supplied
}

/// What a server gave for a tile of a region.
public enum Supplied: Sendable, Equatable {
    /// A body, or the knowledge that there is none.
    case answer(StoredResponse)
    /// What is held still holds.
    case unchanged(Freshness, HTTPHeaders)
    /// It came, but may not be stored.
    case mayNotBeKept
}

/// Why a tile of a region could not be had, as far as it matters for the others.
public struct SupplyFailure: Error, Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// No server can be reached: the work waits.
        case offline
        /// The server wants to be left alone for so long.
        case wait(Duration)
        /// The server refuses this person or program: the work ends.
        case refused
        /// This tile can't be had; the others may.
        case tile
        case cancelled
    }

    public let kind: Kind
    public let message: String
}

/// Tiles that are fetched one by one from templates.
public struct WebTileSupply: RegionSupply {
    private let client: HTTPClient
    private let source: WebTileSource

    /// - Parameters:
    ///   - source: with its keys in hand.
    public init(_ source: WebTileSource, client: HTTPClient) {
        self.source = source
        self.client = client
    }

    public var origin: String { source.cacheKey }
    public var policy: SourcePolicy { source.definition.policy }

    public func load(_ tile: TileID, held: StoredResponse?) async throws(SupplyFailure) -> Supplied {
        let request = source.request(
            for: tile, priority: .download, validators: held?.validators ?? Validators())
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try await client.load(request)
        } catch {
            throw SupplyFailure(error)
        }
        if response.isNotModified, let held {
            let freshness = response.freshness(
                source.storagePolicy, updating: held.headers, status: held.body == nil ? 404 : 200)
            return .unchanged(freshness, StoredResponse.kept(held.headers.updated(by: response.headers)))
        }
        guard case .body = response.storageVerdict(for: request) else {
            return response.isAbsent && !CacheControl(of: response.headers).noStore
                ? .answer(answer(response, nil)) : .mayNotBeKept
        }
        return .answer(answer(response, response.body))
    }

    private func answer(_ response: HTTPResponse, _ body: [UInt8]?) -> StoredResponse {
        var answer = StoredResponse(
            body: body, freshness: response.freshness(source.storagePolicy), headers: response.headers)
        answer.variant = Vary(of: response.headers).key(for: source.definition.headers)
        answer.dataVersion = source.definition.dataVersion
        return answer
    }
}

extension SupplyFailure {
    init(_ failure: HTTPFailure) {
        message = failure.message
        switch failure.failureClass {
        case .offline: kind = .offline
        case .rate: kind = .wait(failure.retryAfter ?? .seconds(10))
        case .refused: kind = .refused
        case .transient where failure.fault?.isUnreachable == true: kind = .offline
        case .transient, .permanent, .badContent: kind = .tile
        case nil: kind = .cancelled
        }
    }
}

extension TransportFault {
    /// There is no way to any server, or none to this one.
    fileprivate var isUnreachable: Bool {
        self == .noNetwork || self == .nameNotFound || self == .connectionRefused
    }
}
