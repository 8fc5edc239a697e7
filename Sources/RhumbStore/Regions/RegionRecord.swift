public import RhumbCore

/// How a region stands.
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

    /// Whether there is work left that goes on by itself.
    public var isUnfinished: Bool { [.queued, .running, .waitingForNetwork].contains(self) }
}

/// How far one source of a region is, in tiles and bytes.
public struct RegionPart: Sendable, Equatable {
    /// The cache key of the source.
    public let origin: String
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
    /// The last tile up to which all are settled; nil at the beginning.
    public var cursor: TileID?
    /// Settled tiles beyond it.
    public var ahead: Set<TileID> = []

    public init(origin: String, planned: Int) {
        self.origin = origin
        self.planned = planned
    }

    /// Tiles that nothing more is to be done about.
    public var settled: Int { done + absent + failed + reused + unchanged }
}

/// A region as it is stored.
public struct RegionRecord: Sendable, Equatable, Identifiable {
    /// How the store counts it.
    public let number: Int
    /// How the person calls it.
    public let id: String
    public var definition: JSON
    public var sources: JSON
    public var state: RegionState
    /// Why it is in that state; may be empty. Harmless to a terminal.
    public var reason: String
    public var created: UnixSeconds
    public var changed: UnixSeconds
    /// A refresh is under way: tiles that came before then are asked about.
    public var refresh: UnixSeconds?
    public var parts: [RegionPart]

    public var planned: Int { parts.reduce(0) { $0 + $1.planned } }
    public var settled: Int { parts.reduce(0) { $0 + $1.settled } }
    public var failed: Int { parts.reduce(0) { $0 + $1.failed } }
    public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }
}

/// A tile that a region has not got.
public struct RegionGap: Sendable, Equatable {
    public let origin: String
    public let tile: TileID
    /// Harmless to a terminal.
    public let reason: String
}

/// What came of one tile of a region.
public enum TileOutcome: Sendable, Equatable {
    /// Fetched; without a body: known not to exist.
    case fetched(StoredResponse)
    /// Taken over from the shared cache.
    case reused(StoredResponse)
    /// In the store already.
    case present(bytes: Int, isAbsent: Bool)
    /// The server says that what is stored still holds.
    case unchanged(Freshness, HTTPHeaders, bytes: Int)
    case failed(reason: String)
}

/// What is written in one transaction: tiles, what is known of them, and how far the part is.
public struct RegionBatch: Sendable {
    public let region: Int
    public var part: RegionPart
    public var outcomes: [(tile: TileID, outcome: TileOutcome)]

    public init(region: Int, part: RegionPart, outcomes: [(tile: TileID, outcome: TileOutcome)]) {
        self.region = region
        self.part = part
        self.outcomes = outcomes
    }

    /// Of the bodies to be written.
    var bytes: Int {
        outcomes.reduce(0) { sum, item in
            switch item.outcome {
            case .fetched(let response), .reused(let response): sum + (response.body?.count ?? 0)
            case .present, .unchanged, .failed: sum
            }
        }
    }
}

/// Why the region store can't do what was asked.
public enum RegionStoreFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// `--store off`
    case switchedOff
    case newerSchema(file: String, version: Int)
    /// The file is damaged; nothing was thrown away.
    case damaged(file: String, reason: String)
    case noRegion(String)
    /// The store may take no more.
    case quota(bytes: Int)
    /// Another process works on it.
    case busy(region: String, process: Int)
    case store(StoreFailure)

    public var description: String {
        switch self {
        case .switchedOff: "regions are switched off (--store off): leave the option out, or say --store read"
        case .newerSchema(let file, let version):
            "the regions in \(safe(file)) were written by a newer Rhumb (schema \(version)): update Rhumb"
        case .damaged(let file, let reason):
            "the region store \(safe(file)) is damaged (\(safe(reason))): rhumb region repair sets it aside and "
                + "saves what can be read; it is left as it is until then"
        case .noRegion(let id): "there is no region \(safe(id)); rhumb region list shows them"
        case .quota(let bytes):
            "the region store may take \(AmountText.bytes(bytes)) and is full: remove a region, or allow more "
                + "with --region-quota"
        case .busy(let region, let process):
            "process \(process) works on region \(safe(region)): its progress shows in rhumb region show"
        case .store(let failure): "\(failure)"
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 300) }
}
