public import RhumbCore
public import RhumbEngine

/// A region that is being defined in the panel.
public struct RegionDraft: Equatable, Sendable {
    /// The name of the new region.
    public var name: String
    /// The ground it covers.
    public var box: Bounds
    /// The strip along a route that it covers in place of the box; nil: it covers the box.
    public var corridor: RouteCorridor?
    /// The zooms it has.
    public var zooms: ClosedRange<Int>
    /// Just the tiles touched; or whole packs, so that it is usable zoomed out.
    public var isExact = true
    /// The open layers whose tiles it takes; empty if `source` names its source.
    public var layers: [TileLayer.ID]
    /// The source whose tiles it takes without being open as a layer; nil for `layers`.
    public var source: StreetsOffer?
    /// The map on screen whose provider doesn't allow downloads, so that `source` takes its place; nil if
    /// there is none.
    public var deniedMap: String?
    /// The person said that the provider allows it.
    public var isPermitted = false
}

/// A query or action for the region store.
public enum RegionQuestion: Equatable, Sendable {
    case list
    case plan(RegionDraft)
    /// Make it and begin; the plan allowed it.
    case start(RegionDraft)
    /// Create the region and start it if its plan allows that; the response is `downloadRefused` if not.
    case startIfAllowed(RegionDraft)
    case act(RegionAct, id: String)
    /// Which regions and packages hold a tile.
    case holders(TileHolderQuestion)
}

/// Which regions and packages hold a tile of a layer?
public struct TileHolderQuestion: Equatable, Sendable {
    /// The layer, by its id.
    public let layer: TileLayer.ID
    /// The tile, as its source has it.
    public let tile: TileID
}

/// An action on a region.
public enum RegionAct: String, Equatable, Sendable, CaseIterable {
    case refresh, retry, pause, resume, cancel, remove, export
}

/// A region in the list.
public struct RegionItem: Equatable, Sendable {
    /// The id.
    public let id: String
    /// The name.
    public let name: String
    /// In a word or a few.
    public let state: String
    /// Why it stands as it does; empty where that needs no reason.
    public let reason: String
    /// The number of tiles that are stored, absent or failed.
    public let settled: Int
    /// That are there.
    public let tiles: Int
    /// Known not to exist.
    public let absent: Int
    /// Tiles it is to have.
    public let planned: Int
    /// Tiles that could not be fetched.
    public let failed: Int
    /// The size of the bodies.
    public let bytes: Int
    /// Since it was last worked on, in words.
    public let age: String
    /// "good for 12 d", "stale", or nothing.
    public let expiry: String
    /// The box around it; nil where it is not known.
    public let bounds: Bounds?
    /// Its zooms; nil where they are not known.
    public let zooms: ClosedRange<Int>?
    /// True if this process is downloading it.
    public let isUnderWay: Bool
    /// True if all tiles were tried, so that there is nothing to pause or resume.
    public let isFinished: Bool
    /// The rate and the remaining time, in words; empty unless it is being downloaded.
    public let pace: String

    /// A region as the list shows it.
    public init(
        id: String, name: String, state: String, reason: String, settled: Int, tiles: Int, absent: Int,
        planned: Int,
        failed: Int, bytes: Int,
        age: String, expiry: String, bounds: Bounds?, zooms: ClosedRange<Int>?, isUnderWay: Bool,
        isFinished: Bool, pace: String
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.reason = reason
        self.settled = settled
        self.tiles = tiles
        self.absent = absent
        self.planned = planned
        self.failed = failed
        self.bytes = bytes
        self.age = age
        self.expiry = expiry
        self.bounds = bounds
        self.zooms = zooms
        self.isUnderWay = isUnderWay
        self.isFinished = isFinished
        self.pace = pace
    }

    /// 0…100, whole.
    var percent: Int { planned > 0 ? min(100 * settled / planned, 100) : 100 }
}
