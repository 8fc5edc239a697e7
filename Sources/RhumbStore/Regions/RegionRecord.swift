public import RhumbCore
public import RhumbEngine

/// The state of a region.
public enum RegionState: Int, Sendable, CaseIterable {
    case queued, running, paused, waitingForNetwork, complete, completeWithGaps, failed, cancelled

    /// The state as text for lists and JSON.
    public var word: String {
        switch self {
        case .queued: "queued"
        case .running: "running"
        case .paused: "paused"
        case .waitingForNetwork: "waiting for the network"
        case .complete: "complete"
        case .completeWithGaps: "complete with gaps"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    /// True if the work continues by itself.
    public var isUnfinished: Bool { [.queued, .running, .waitingForNetwork].contains(self) }
}

/// The numbers of stored tiles, and of tiles known not to exist, with the total size of the bodies.
package struct StoredTileCount: Sendable, Equatable {
    /// The number of stored tiles with a body.
    package var tiles = 0
    /// The number of tiles known not to exist.
    package var absent = 0
    /// The total size of the bodies in bytes.
    package var bytes = 0

    /// Returns the share of the tiles that an update has not processed.
    /// - Parameter rest: The number of such tiles.
    fileprivate func within(_ rest: Int) -> StoredTileCount {
        let all = tiles + absent
        guard all > rest else { return self }
        let left = Double(rest) / Double(all), lacking = Int(Double(absent) * left)
        return StoredTileCount(tiles: rest - lacking, absent: lacking, bytes: Int(Double(bytes) * left))
    }
}

/// One source of a region in one edition, with its progress in tiles and bytes.
public struct RegionSourceRecord: Sendable, Equatable {
    /// The origin of the tiles.
    public let origin: TileOrigin
    /// The definition of the source, sufficient to show it again; nil if the stored one is unreadable.
    public let definition: SourceDefinition?
    /// The index of the source within the region.
    package var index = 0
    /// True for a new edition that replaces an older one when it is complete.
    package var isComing = false
    /// The number of tiles that the source should have.
    public var planned: Int
    /// The number of tiles fetched.
    public var done = 0
    /// The number of tiles known not to exist.
    public var absent = 0
    /// The number of failed tiles, which are listed as gaps.
    public var failed = 0
    /// The number of tiles that were already stored for another region or in the shared cache.
    public var reused = 0
    /// The number of tiles that a refresh found unchanged.
    public var unchanged = 0
    /// The total size of the bodies in bytes, without those of `earlier`.
    public var bytes = 0
    /// The stored tiles that an update failed to replace or has not reached. See `Regions.counted`.
    package var earlier = StoredTileCount()
    /// The number of requests sent to servers. For an archive read in ranges, it is smaller than the number
    /// of tiles.
    public var requests = 0
    /// The number of responses received from servers since the work began.
    public var loaded = 0
    /// The bytes that were transferred for the tiles of those responses, compressed as they were.
    public var loadedBytes = 0
    /// The last tile up to which all tiles are processed; nil at the beginning.
    public var cursor: TileID?
    /// The processed tiles after `cursor`.
    public var ahead: Set<TileID> = []
    /// The stored tiles that this update removed because the server no longer has them. They are not stored
    /// with the region.
    package var removed = RemovedTiles()

    /// Creates a source without stored tiles.
    public init(_ origin: TileOrigin, _ definition: SourceDefinition?, planned: Int) {
        self.origin = origin
        self.definition = definition
        self.planned = planned
    }

    /// The definition with the version of this edition, which opens its stored tiles; nil if the stored one
    /// is unreadable.
    package var editionDefinition: SourceDefinition? {
        guard var definition else { return nil }
        if definition.document != nil, !origin.edition.version.isEmpty {
            definition.dataVersion = origin.edition.version
        }
        return definition
    }

    /// The number of tiles that the download or update has stored or found stored.
    private var found: Int { done + reused + unchanged }
    /// The number of processed tiles.
    public var settled: Int { found + absent + failed }
    /// The stored tiles, including those that an update failed to replace or has not reached. While it runs,
    /// the size of the latter is an estimate.
    package var stored: StoredTileCount {
        let held = earlier.within(max(planned - found - absent, 0))
        return StoredTileCount(
            tiles: found + held.tiles, absent: absent + held.absent, bytes: bytes + held.bytes)
    }
    /// The number of stored tiles.
    public var tiles: Int { stored.tiles }
    /// The number of tiles that are neither stored nor known not to exist.
    public var missing: Int { max(planned - stored.tiles - stored.absent, 0) }

    /// Clears `earlier`.
    package mutating func uncount() { earlier = StoredTileCount() }

    /// Sets `earlier` to the difference from the tiles that the store has.
    package mutating func count(_ present: StoredTileCount) {
        uncount()
        earlier = StoredTileCount(
            tiles: max(present.tiles - stored.tiles, 0), absent: max(present.absent - stored.absent, 0),
            bytes: max(present.bytes - stored.bytes, 0))
    }

    /// The source before any work was done.
    public var restarted: RegionSourceRecord {
        var part = RegionSourceRecord(origin, definition, planned: planned)
        part.index = index
        part.isComing = isComing
        return part
    }
}

/// The tiles that an update removed.
public struct RemovedTiles: Sendable, Equatable {
    /// Their number.
    public private(set) var count = 0
    /// The first of them.
    public private(set) var first: [TileID] = []
    /// The maximum number of tiles in `first`.
    private static let limit = 10

    /// Creates an empty list.
    public init() {}

    /// Adds a tile.
    package mutating func add(_ tile: TileID) {
        count += 1
        if first.count < Self.limit { first.append(tile) }
    }

    /// Adds the tiles of another source.
    mutating func add(_ other: RemovedTiles) {
        count += other.count
        first += other.first.prefix(max(Self.limit - first.count, 0))
    }

    /// A sentence with the number and the first tiles; nil if there are none.
    public var sentence: String? {
        guard count > 0 else { return nil }
        let others = count > first.count ? " and \(AmountText.count(count - first.count)) more" : ""
        let number = AmountText.count(count, "stored tile")
        return "the server no longer has \(number), which the update removed: "
            + first.map(\.description).joined(separator: ", ") + others
    }
}

/// A region as stored.
public struct RegionRecord: Sendable, Equatable, Identifiable {
    /// The row id in the store.
    public let number: Int
    /// The user's name for the region.
    public let id: String
    /// The definition; nil if the stored one is unreadable.
    public var definition: RegionDefinition?
    /// The state.
    public var state: RegionState
    /// The reason for the state, sanitised for terminal output; may be empty.
    public var reason: String
    /// The time of creation.
    public var created: UnixSeconds
    /// The time of the last change.
    public var changed: UnixSeconds
    /// The start of the running refresh: tiles older than this are revalidated; nil for none.
    public var refresh: UnixSeconds?
    /// The sources, in the order of the definition.
    public var parts: [RegionSourceRecord]
    /// The new editions of sources, which replace `parts` once all of them are complete; usually empty.
    public var coming: [RegionSourceRecord] = []
    /// The counts of the map's documents.
    public internal(set) var documents = RegionDocumentCount()

    /// The sources being worked on: the new editions if there are any, otherwise `parts`.
    public var active: [RegionSourceRecord] {
        get { coming.isEmpty ? parts : coming }
        set { if coming.isEmpty { parts = newValue } else { coming = newValue } }
    }

    /// The name for display, sanitised for terminal output.
    public var name: String { definition?.name ?? SafeText.sanitised(id) }
    /// The number of tiles that the region should have.
    public var planned: Int { active.reduce(0) { $0 + $1.planned } }
    /// The number of tiles that the editions in use should have. Differs from `planned` during an update to a
    /// new edition.
    public var plannedInUse: Int { parts.reduce(0) { $0 + $1.planned } }
    /// The number of stored tiles of the editions in use.
    public var tiles: Int { parts.reduce(0) { $0 + $1.tiles } }
    /// The number of tiles of the editions in use that are neither stored nor known not to exist.
    public var missing: Int { parts.reduce(0) { $0 + $1.missing } }
    /// The number of tiles that are stored, known not to exist, or failed.
    public var settled: Int { active.reduce(0) { $0 + $1.settled } }
    /// The number of failed tiles.
    public var failed: Int { active.reduce(0) { $0 + $1.failed } }
    /// The number of tiles of the editions in use that are known not to exist.
    public var absent: Int { parts.reduce(0) { $0 + $1.stored.absent } }
    /// The total size of the bodies of the editions in use, in bytes. Bodies shared with other regions count
    /// in each.
    public var bytes: Int { parts.reduce(0) { $0 + $1.stored.bytes } }

    /// The stored tiles that the last update of this process removed.
    public var removed: RemovedTiles {
        parts.reduce(into: RemovedTiles()) { $0.add($1.removed) }
    }

    /// True if the region is complete and its sources have no tiles there.
    public var isEmpty: Bool { state == .complete && tiles == 0 && coming.isEmpty }
    /// True if the process that was downloading the region was ended.
    public var isInterrupted: Bool { state == .queued && reason == RegionRecord.interruption }
    /// The reason of an unfinished download whose process was ended.
    package static let interruption = "interrupted"
    /// True if an update is unfinished. The stored tiles stay in use.
    public var isUpdating: Bool { refresh != nil || !coming.isEmpty }
    /// True if an update ended without success, but no tile of the editions in use is missing.
    public var isUpdateFailed: Bool {
        guard missing == 0 else { return false }
        return state == .completeWithGaps && (failed > 0 || !coming.isEmpty) || state == .failed && isUpdating
    }
    /// The state as text for lists and JSON.
    public var stateWord: String { isEmpty ? "empty" : isUpdateFailed ? "update failed" : state.word }
    /// The reason for the state, sanitised for terminal output; may be empty.
    public var explanation: String {
        if isEmpty { return "the source has nothing here" }
        guard isUpdateFailed, reason.isEmpty else { return reason }
        return "\(AmountText.count(failed, "tile")) could not be updated; the stored ones stay in use"
    }

    /// The zooms of its maps, without those of heights for them; nil if the definition is unreadable.
    public var mapZooms: ZoomRange? { definition?.zooms(without: heightOrigins) }

    /// The zooms of the heights for its maps; nil for none, and if the region has only heights.
    public var heightZooms: ZoomRange? {
        guard let definition, let key = heightOrigins.first, parts.count > heightOrigins.count else {
            return nil
        }
        let zooms = definition.zooms(of: key)
        return try? ZoomRange(zooms.lowerBound, zooms.upperBound)
    }

    private var heightOrigins: Set<String> {
        Set(parts.filter { $0.definition?.elevation != nil }.map(\.origin.key))
    }

    /// Returns the definition.
    /// - Throws: `RegionStoreFailure.unreadable` if it can't be read.
    public func readDefinition() throws(RegionStoreFailure) -> RegionDefinition {
        guard let definition else { throw .unreadable(id) }
        return definition
    }
}

/// A document stored for a region.
public struct RegionDocument: Sendable, Equatable {
    /// The address of the document, without secrets.
    public let address: String
    /// The server's response.
    public let response: StoredResponse

    /// Creates a document from the address it was fetched from and the response.
    public init(address: String, _ response: StoredResponse) {
        self.address = address
        self.response = response
    }

    /// A digest of the body, which distinguishes versions of the document.
    var edition: String { response.body.map { "\(ContentHash($0))" } ?? "" }
}

/// A tile that is missing from a region.
public struct RegionGap: Sendable, Equatable {
    /// The origin of the tile.
    public let origin: TileOrigin
    /// The tile.
    public let tile: TileID
    /// The reason, sanitised for terminal output.
    public let reason: String
}

/// The outcome for one tile of a region.
public enum TileOutcome: Sendable, Equatable {
    /// The tile was fetched. A response without a body means that it is known not to exist.
    case fetched(StoredResponse)
    /// The tile was copied from the shared cache.
    case reused(StoredResponse)
    /// The tile was already in the store.
    case present(bytes: Int, isAbsent: Bool)
    /// The tile is the same as in the previous edition, whose body is reused.
    case carried(StoredResponse)
    /// The server confirmed that the stored tile is current. The size is nil if the tile doesn't exist.
    case unchanged(Freshness, HTTPHeaders, bytes: Int?)
    /// The server no longer has the stored tile. The response without a body takes its place.
    case removed(StoredResponse)
    case failed(reason: String)
}

/// The writes of one transaction: the outcomes of some tiles, and the progress of their source.
public struct RegionBatch: Sendable {
    /// The region's row id in the store.
    public let region: Int
    /// The source of the tiles.
    public var part: RegionSourceRecord
    /// The outcome of each tile.
    public var outcomes: [(tile: TileID, outcome: TileOutcome)]

    /// Creates a batch of outcomes to be stored together.
    public init(region: Int, part: RegionSourceRecord, outcomes: [(tile: TileID, outcome: TileOutcome)]) {
        self.region = region
        self.part = part
        self.outcomes = outcomes
    }

    /// The total size in bytes of the bodies to be written.
    var bytes: Int {
        outcomes.reduce(0) { sum, item in
            switch item.outcome {
            case .fetched(let response), .reused(let response), .carried(let response):
                sum + (response.body?.count ?? 0)
            case .present, .unchanged, .removed, .failed: sum
            }
        }
    }
}

extension RegionRecord: CustomStringConvertible {
    /// The id, the state and the progress, such as "home: complete, 86 of 86 tiles, 1.2 MB".
    public var description: String {
        let state = explanation.isEmpty ? stateWord : "\(stateWord) (\(explanation))"
        return
            "\(SafeText.sanitised(id)): \(state), \(AmountText.count(settled)) of \(AmountText.count(planned, "tile")), \(AmountText.bytes(bytes))"
    }
}
