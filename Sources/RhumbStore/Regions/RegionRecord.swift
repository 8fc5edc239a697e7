public import RhumbCore
public import RhumbEngine

/// The state of a region.
public enum RegionState: Int, Sendable, CaseIterable {
    case queued, running, paused, waitingForNetwork, complete, completeWithGaps, failed, cancelled

    /// As it is written in lists and JSON.
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

/// One source of a region in one edition, and how far it is, in tiles and bytes.
public struct RegionSourceRecord: Sendable, Equatable {
    /// The origin of its tiles.
    public let origin: TileOrigin
    /// The definition of the source, enough to show it again; nil if the stored one is unreadable.
    public let definition: SourceDefinition?
    /// Its number among the sources of the region.
    package var place = 0
    /// True for a new edition that replaces an older one when it is complete.
    package var isComing = false
    /// Tiles it is to have.
    public var planned: Int
    /// Fetched.
    public var done = 0
    /// Known not to exist.
    public var absent = 0
    /// In the list of gaps.
    public var failed = 0
    /// There already: of another region, or from the shared cache.
    public var reused = 0
    /// Of a refresh: still as they were.
    public var unchanged = 0
    /// Of all bodies.
    public var bytes = 0
    /// Sent to servers; of an archive that is read in parts, fewer than tiles.
    public var requests = 0
    /// Answers that servers sent since the work on it began.
    public var loaded = 0
    /// Of their bodies.
    public var loadedBytes = 0
    /// The last tile up to which all are settled; nil at the beginning.
    public var cursor: TileID?
    /// Settled tiles beyond it.
    public var ahead: Set<TileID> = []

    /// A part without stored tiles.
    public init(_ origin: TileOrigin, _ definition: SourceDefinition?, planned: Int) {
        self.origin = origin
        self.definition = definition
        self.planned = planned
    }

    /// The number of stored tiles.
    public var tiles: Int { done + reused + unchanged }
    /// Tiles that nothing more is to be done about.
    public var settled: Int { tiles + absent + failed }

    /// The same part before anything was done.
    public var restarted: RegionSourceRecord {
        var part = RegionSourceRecord(origin, definition, planned: planned)
        part.place = place
        part.isComing = isComing
        return part
    }
}

/// A region as it is stored.
public struct RegionRecord: Sendable, Equatable, Identifiable {
    /// Row id in the store.
    public let number: Int
    /// The person's name for it.
    public let id: String
    /// The definition; nil if the stored one is unreadable.
    public var definition: RegionDefinition?
    /// The state.
    public var state: RegionState
    /// Why it is in that state; may be empty. Harmless to a terminal.
    public var reason: String
    /// When it was made.
    public var created: UnixSeconds
    /// When it was last worked on.
    public var changed: UnixSeconds
    /// The start of the running refresh: tiles older than this are revalidated; nil for none.
    public var refresh: UnixSeconds?
    /// In the order of its sources.
    public var parts: [RegionSourceRecord]
    /// The newer editions of its sources that replace `parts` when all of them are complete; mostly empty.
    public var coming: [RegionSourceRecord] = []
    /// The documents of its map.
    public internal(set) var documents = RegionDocumentCount()

    /// The parts that work is done on.
    public var active: [RegionSourceRecord] {
        get { coming.isEmpty ? parts : coming }
        set { if coming.isEmpty { parts = newValue } else { coming = newValue } }
    }

    /// For people; harmless to a terminal.
    public var name: String { definition?.name ?? SafeText.sanitised(id) }
    /// Tiles it is to have.
    public var planned: Int { active.reduce(0) { $0 + $1.planned } }
    /// Tiles that are stored.
    public var tiles: Int { active.reduce(0) { $0 + $1.tiles } }
    /// Tiles that are stored, absent or given up.
    public var settled: Int { active.reduce(0) { $0 + $1.settled } }
    /// The number of failed tiles.
    public var failed: Int { active.reduce(0) { $0 + $1.failed } }
    /// Tiles that are known not to exist.
    public var absent: Int { active.reduce(0) { $0 + $1.absent } }
    /// Bytes of its bodies; those shared with other regions count in each.
    public var bytes: Int { active.reduce(0) { $0 + $1.bytes } }

    /// True if the region is complete and its sources have no tiles there.
    public var isEmpty: Bool { state == .complete && tiles == 0 }
    /// The state as a word for lists and JSON.
    public var stateWord: String { isEmpty ? "empty" : state.word }
    /// Why; may be empty. Harmless to a terminal.
    public var explanation: String { isEmpty ? "the source has nothing here" : reason }

    /// - Throws: `RegionStoreFailure.unreadable`
    public func readDefinition() throws(RegionStoreFailure) -> RegionDefinition {
        guard let definition else { throw .unreadable(id) }
        return definition
    }
}

/// A document that a region carries.
public struct RegionDocument: Sendable, Equatable {
    /// Without secrets.
    public let address: String
    /// The document as its server gave it.
    public let response: StoredResponse

    /// A document by the address it was fetched from.
    public init(address: String, _ response: StoredResponse) {
        self.address = address
        self.response = response
    }

    /// A digest of its body, by which the store tells its states apart.
    var edition: String { response.body.map { "\(ContentHash($0))" } ?? "" }
}

/// A tile that a region has not got.
public struct RegionGap: Sendable, Equatable {
    /// The origin of the tile.
    public let origin: TileOrigin
    /// The tile.
    public let tile: TileID
    /// Harmless to a terminal.
    public let reason: String
}

/// The outcome for one tile of a region.
public enum TileOutcome: Sendable, Equatable {
    /// Fetched; without a body: known not to exist.
    case fetched(StoredResponse)
    /// Taken over from the shared cache.
    case reused(StoredResponse)
    /// In the store already.
    case present(bytes: Int, isAbsent: Bool)
    /// The same as in the edition before, whose body is kept.
    case carried(StoredResponse)
    /// The server confirmed the stored tile.
    case unchanged(Freshness, HTTPHeaders, bytes: Int)
    case failed(reason: String)
}

/// The writes of one transaction: tiles, their outcomes, and the progress of the part.
public struct RegionBatch: Sendable {
    /// The region's row id in the store.
    public let region: Int
    /// The part of the region that they are of.
    public var part: RegionSourceRecord
    /// The outcome of each tile.
    public var outcomes: [(tile: TileID, outcome: TileOutcome)]

    /// The outcomes of some tiles, to be stored together.
    public init(region: Int, part: RegionSourceRecord, outcomes: [(tile: TileID, outcome: TileOutcome)]) {
        self.region = region
        self.part = part
        self.outcomes = outcomes
    }

    /// Of the bodies to be written.
    var bytes: Int {
        outcomes.reduce(0) { sum, item in
            switch item.outcome {
            case .fetched(let response), .reused(let response), .carried(let response):
                sum + (response.body?.count ?? 0)
            case .present, .unchanged, .failed: sum
            }
        }
    }
}
