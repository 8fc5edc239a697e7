public import RhumbCore
public import RhumbEngine

/// A region that the user defines in the panel.
public struct RegionDraft: Equatable, Sendable {
    /// The name of the new region.
    public var name: String
    /// The area of the region.
    public var box: Bounds
    /// The strip along a route that the region covers instead of the box; nil for the box.
    public var corridor: RouteCorridor?
    /// The zooms of the region.
    public var zooms: ClosedRange<Int>
    /// True for exactly the touched tiles; false for whole packs, so that the region is usable at lower
    /// zooms.
    public var isExact = true
    /// The layers of the map whose tiles are downloaded; empty if `source` is set, or for heights alone.
    public var layers: [TileLayer.ID]
    /// The source whose tiles are downloaded if it is not a layer of the map; nil for `layers`.
    public var source: ServiceOffer?
    /// The map on screen whose provider doesn't allow downloads, so that `source` takes its place; nil if
    /// there is none.
    var deniedMap: String?
    /// True to download heights for hills, false for none; nil for the default: if the provider allows it and
    /// they add less than a quarter.
    public var hasHeights: Bool?
    /// The source of the heights.
    public var heights = HeightSourceItem.standard
    /// True if the user stated that the provider allows the download.
    public var isPermitted = false

    /// True if only heights are downloaded, because the map is on this computer.
    public var isOfHeights: Bool { layers.isEmpty && source == nil }
}

/// A source of heights for downloads.
public struct HeightSourceItem: Hashable, Sendable {
    /// Its name, address or path.
    public let specifier: String
    /// The name to show.
    public let name: String
    /// True for a file that needs no download.
    public let isLocal: Bool

    /// Creates a source with the last part of a path, or else the specifier, as its name.
    public init(_ specifier: String, isLocal: Bool = false) {
        self.specifier = specifier
        self.name = SafeText.sanitised(specifier.lastPathName, limit: 24)
        self.isLocal = isLocal
    }

    /// The default source.
    public static let standard = HeightSourceItem("mapterhorn")
}

/// A region in the list.
public struct RegionItem: Equatable, Sendable {
    /// The id.
    public let id: String
    /// The name.
    public let name: String
    /// The state as text.
    public let state: String
    /// The reason for the state; may be empty.
    public let reason: String
    /// The number of tiles that are stored, absent or failed.
    public let settled: Int
    /// The number of stored tiles.
    public let tiles: Int
    /// The number of absent tiles.
    public let absent: Int
    /// The number of planned tiles.
    public let planned: Int
    /// The number of failed tiles.
    public let failed: Int
    /// The size of the bodies.
    public let bytes: Int
    /// The time since the last work on it, as text.
    public let age: String
    /// The expiry as text, such as "good for 12 d" or "stale"; may be empty.
    public let expiry: String
    /// The bounding box; nil if unknown.
    public let bounds: Bounds?
    /// The zooms; nil if unknown.
    public let zooms: ClosedRange<Int>?
    /// True if this process is downloading it.
    public let isUnderWay: Bool
    /// True if all tiles were tried, so that there is nothing to pause or resume.
    public let isFinished: Bool
    /// The rate and the remaining time, in words; empty unless it is being downloaded.
    public let pace: String
    /// The names or addresses of its sources, the map before its heights; empty if unknown.
    public let sources: [String]

    /// Creates a region.
    public init(
        id: String, name: String, state: String, reason: String, settled: Int, tiles: Int, absent: Int,
        planned: Int,
        failed: Int, bytes: Int,
        age: String, expiry: String, bounds: Bounds?, zooms: ClosedRange<Int>?, isUnderWay: Bool,
        isFinished: Bool, pace: String, sources: [String] = []
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
        self.sources = sources
    }

    /// The state of a download that is paused, but still receives the tiles in flight.
    public static let pausing = PackageProgress.pausing
    /// The state of an unfinished download that no process continues.
    public static let interrupted = "interrupted"

    /// True if this process is downloading it, and it is not paused.
    var isRunning: Bool {
        isUnderWay && ![RegionItem.pausing, PackageProgress.paused].contains(state)
    }

    /// The progress in percent: 0…100.
    var percent: Int { planned > 0 ? min(100 * settled / planned, 100) : 100 }
}

/// The corridor along a route to download.
public struct RouteCorridor: Equatable, Sendable {
    /// The line of the route, simplified for the width of the corridor.
    public let line: [Coordinate]
    /// The full width, in metres, enough to find the way back to the route.
    public let width = 2000.0

    init(_ route: Route) {
        var line: [Coordinate] = []
        for (at, place) in route.line.enumerated() {
            if let last = line.last, at < route.line.count - 1, last.metres(to: place) < width / 20 {
                continue
            }
            line.append(place)
        }
        self.line = line
    }

    /// The polygon of the corridor.
    /// - Throws: `RegionGeometryFailure`
    public var geometry: RegionGeometry {
        get throws(RegionGeometryFailure) {
            try RegionGeometry([.corridor(line.map { Position($0) }, halfWidth: width / 2)])
        }
    }
}

/// A query that creates a region and starts its download.
public struct StartRegion: Query {
    /// Regions are started independently.
    public static var scheduling: QueryScheduling { .each }

    /// The region.
    public let draft: RegionDraft
    /// True if its plan was not shown yet. The download is then started only if the plan allows it.
    public var onlyIfAllowed = false

    /// The outcome of the start.
    public enum Response: Sendable {
        /// The download was queued, or could not be.
        case started(Result<String, Notice.Problem>)
        /// The plan does not allow the download, or there is no plan.
        case refused(Result<RegionPlan, Notice.Problem>)
    }
}

/// A query for the plan of a region. A second response follows once the sizes of some tiles are known.
public struct RegionPlanQuery: Query {
    /// The region.
    public let draft: RegionDraft

    public typealias Response = Result<RegionPlan, Notice.Problem>
}
