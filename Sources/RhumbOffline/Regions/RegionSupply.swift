package import RhumbCore
package import RhumbEngine
package import RhumbStore

/// The supply of a region's tiles from one source.
package protocol RegionSupply: Sendable {
    /// The origin under which its tiles are stored.
    var origin: TileOrigin { get }
    var policy: SourcePolicy { get }
    /// The size of its tiles when stored compared with their size when fetched.
    var storedRatio: Double { get }
    /// The preferred number of tiles per call of `load`.
    var batch: Int { get }

    /// The lowest zooms, whose tiles are left out because each would need most of the source; nil for none.
    var unreadableZooms: ClosedRange<Int>? { get }

    /// Returns true if, as far as is known, a stored tile is the source's current one. If false, the tile is
    /// revalidated even if it is fresh.
    func isCurrent(_ stored: StoredResponse) async -> Bool

    /// Returns the supply of the source's next edition; nil if there is none.
    func successor() async -> RegionSuccessor?

    /// Returns the sizes of tiles in bytes from the source's directory, in the order of `tiles`; 0 for a tile
    /// that doesn't exist. Returns nil if the source has no directory or it can't be read.
    func listedSizes(of tiles: [TileID]) async -> [Int]?

    /// Returns the reason why a tile must not be stored, according to a signed list of hashes; nil if it may
    /// be.
    /// - Parameter body: The unpacked body; nil if the source has no such tile.
    func fault(of tile: TileID, _ body: [UInt8]?) -> String?

    /// Fetches tiles, and reports each one as it arrives. Ends soon after its task is cancelled; tiles
    /// without a report then count as cancelled.
    func load(_ items: [SupplyRequest], post: @escaping @Sendable (SupplyEvent) -> Void) async
}

extension RegionSupply {
    package var storedRatio: Double { 1 }
    package var unreadableZooms: ClosedRange<Int>? { nil }
    package func successor() async -> RegionSuccessor? { nil }
    package func fault(of tile: TileID, _ body: [UInt8]?) -> String? { nil }
    package func listedSizes(of tiles: [TileID]) async -> [Int]? { nil }
}

/// The next edition of a source, for a region whose download began with the previous one.
package struct RegionSuccessor: Sendable {
    /// The supply of the new edition's tiles.
    package let supply: any RegionSupply
    /// The documents with which the new edition was opened.
    package let documents: [RegionDocument]
}

/// A tile to fetch.
package struct SupplyRequest: Sendable, Equatable {
    package let tile: TileID
    /// The stored response to revalidate; nil if there is none.
    package let held: StoredResponse?

    package init(_ tile: TileID, held: StoredResponse? = nil) { (self.tile, self.held) = (tile, held) }
}

/// An event during the fetching of tiles.
package enum SupplyEvent: Sendable {
    /// A request was sent.
    case requested
    /// The number of bytes that were transferred for a tile.
    case received(bytes: Int)
    case loaded(TileID, Result<SupplyResponse, SupplyFailure>)
}

/// The result of a fetched tile.
package enum SupplyResponse: Sendable, Equatable {
    /// A response with the tile, or without a body if the tile doesn't exist.
    case answer(StoredResponse)
    /// The stored response is still valid.
    case unchanged(Freshness, HTTPHeaders)
    /// The tile stored for an earlier edition is unchanged in this one. The value is the response to store.
    case carried(StoredResponse)
    /// The response may not be stored.
    case notStorable
}

/// The failure of a tile, and whether it affects other tiles.
package struct SupplyFailure: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// No server can be reached. The download waits.
        case offline
        /// Downloads are disabled on a metered connection. The download ends, and can be resumed.
        case metered
        /// The connection was lost or timed out. Either the network or this tile may be the cause.
        case lost
        /// The server limits the rate. The value is the time to wait.
        case wait(Duration)
        /// The server failed repeatedly, and gets no requests for this time.
        case outage(Duration)
        /// The address of this tile failed repeatedly, and is not requested for this time. Nothing is known
        /// about other tiles.
        case paused(Duration)
        /// The server denies access. The download ends.
        case refused
        /// The server failed even after retries. Either this tile or the server may be the cause.
        case server
        /// Only this tile can't be fetched.
        case tile
        /// The tile is damaged. It is requested again, and then recorded as a gap.
        case damaged
        case cancelled
        /// The source has a newer edition.
        case superseded
    }

    package let kind: Kind
    /// A sentence about the failure.
    package let message: String

    package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

    /// The pause for a server that requests one without a time.
    static let usualPause = Duration.seconds(10)

    /// The time to wait for the server or the address; nil for failures of other kinds.
    var pause: Duration? {
        switch kind {
        case .wait(let pause), .outage(let pause), .paused(let pause): pause
        default: nil
        }
    }

    /// True if a request for another tile would fail, too.
    var concernsServer: Bool {
        switch kind {
        case .offline, .metered, .wait, .outage, .refused, .cancelled: true
        case .lost, .paused, .server, .tile, .damaged, .superseded: false
        }
    }
}
