public import RhumbCore
public import RhumbEngine

/// An action on cache entries.
public enum CacheAct: Equatable, Sendable {
    case refresh([ResourceKey]), invalidate([ResourceKey]), delete([ResourceKey])
    /// Deletes all entries of a source, by its name.
    case clear(source: String)
}

/// A filter for entries, and their order.
public struct CacheSelection: Equatable, Sendable {
    /// The order: by last use, by key, by size or by age.
    public enum Order: String, CaseIterable, Sendable { case use, key, size, age }

    /// The name of the source; nil for all.
    public var source: String?
    /// The zoom; nil for all.
    public var zoom: Int?
    /// The state: "fresh", "stale" or "absent"; nil for all.
    public var state: String?
    /// The order of the list.
    public var order = Order.use

    /// Parses a text such as "osm z12 stale", in any order.
    /// - Throws: A sentence about the first invalid word.
    init(text: String, order: Order = .use) throws(Notice.Problem) {
        self.order = order
        for word in text.split(separator: " ").map(String.init) {
            if ["fresh", "stale", "absent"].contains(word) {
                state = word
            } else if let zoom = Int(word.hasPrefix("z") ? String(word.dropFirst()) : word) {
                guard (0...TileID.maximumZoom).contains(zoom) else {
                    throw Notice.Problem(CacheText.outOfRange(zoom))
                }
                self.zoom = zoom
            } else {
                source = word
            }
        }
    }

    /// All entries, most recently used first.
    public static let all = CacheSelection()

    init() {}

    /// The selection as a text.
    var text: String { [source, zoom.map { "z\($0)" }, state].compactMap { $0 }.joined(separator: " ") }
}

/// The size and contents of the cache, for the first pages of the inspector.
public struct CacheOverview: Equatable, Sendable {
    /// The statistics of a source at a zoom.
    public struct Row: Equatable, Sendable {
        /// The source's name.
        public var name: String
        /// The zoom; −1 for documents.
        public var zoom: Int
        /// The number of entries, including absent tiles.
        public var entries: Int
        /// The number of absent tiles.
        public var absent: Int
        /// The size of the bodies.
        public var bytes: Int
        /// The number of fresh tiles; nil until they are counted.
        public var fresh: Int?

        /// Creates the statistics of a source at a zoom.
        public init(name: String, zoom: Int, entries: Int, absent: Int, bytes: Int, fresh: Int?) {
            self.name = name
            self.zoom = zoom
            self.entries = entries
            self.absent = absent
            self.bytes = bytes
            self.fresh = fresh
        }

        var stale: Int? { fresh.map { entries - absent - $0 } }
    }

    /// The file of the cache.
    public var path: String
    /// The bytes of bodies and metadata.
    public var usedBytes: Int
    /// The maximum size of the cache in bytes.
    public var quota: Int
    /// The size of the file and its journal in bytes.
    public var fileBytes: Int
    /// Sentences with the counts since the start and in total.
    public var counts: [String]
    /// The age of the oldest entry, as text.
    public var oldest: String?
    /// The entries by source and zoom.
    public var rows: [Row]

    /// Creates an overview.
    public init(
        path: String, usedBytes: Int, quota: Int, fileBytes: Int, counts: [String], oldest: String?,
        rows: [Row]
    ) {
        self.path = path
        self.usedBytes = usedBytes
        self.quota = quota
        self.fileBytes = fileBytes
        self.counts = counts
        self.oldest = oldest
        self.rows = rows
    }
}

/// An entry in the inspector's list.
public struct CacheItem: Equatable, Sendable {
    /// The key of the entry.
    public let key: ResourceKey
    /// The name of its source, or the address of a document.
    public let name: String
    /// The state: "fresh", "stale" or "absent".
    public let state: String
    /// The time since it was received, as text such as "3 h".
    public let age: String
    /// The size of its body, as text such as "18 kB".
    public let size: String
    /// The details, one line each.
    public let explanation: [String]

    /// Creates an entry.
    public init(
        key: ResourceKey, name: String, state: String, age: String, size: String, explanation: [String]
    ) {
        self.key = key
        self.name = name
        self.state = state
        self.age = age
        self.size = size
        self.explanation = explanation
    }

    var tile: TileID? { if case .tile(_, let tile) = key { tile } else { nil } }
}

/// The stored tiles of one zoom, for drawing them on the map.
public struct HeatMap: Equatable, Sendable {
    /// The state of a stored tile: fresh, stale, known not to exist, or held by a region.
    public enum State: Sendable { case fresh, stale, absent, pinned }

    /// The layer of the tiles.
    public let layer: TileLayer.ID
    /// The zoom of the tiles.
    public let zoom: Int
    /// The part of the world that was queried.
    public let box: WorldBox
    /// The states of the stored tiles.
    public let states: [TileID: State]

    /// Creates a heat map.
    public init(layer: TileLayer.ID, zoom: Int, box: WorldBox, states: [TileID: State]) {
        self.layer = layer
        self.zoom = zoom
        self.box = box
        self.states = states
    }
}

/// A page of the inspector.
enum CacheTab: Int, CaseIterable, Sendable { case overview = 1, sources, tiles, heat }

/// A query for the stored tiles of a layer at a zoom, within an area.
public struct HeatQuestion: Query {
    /// The layer.
    public let layer: TileLayer.ID
    /// The zoom of the tiles.
    public let zoom: Int
    /// The part of the world.
    public let box: WorldBox

    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    public typealias Response = HeatMap
}

/// A query that changes entries of the shared cache.
public struct CacheChange: Query {
    /// The action.
    public let act: CacheAct

    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    public typealias Response = Result<String, Notice.Problem>
}

/// A query for the figures of the shared cache.
public struct CacheOverviewQuery: Query {
    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    /// The figures; nil if there is no cache.
    public typealias Response = CacheOverview?
}

/// A query for entries of the shared cache.
public struct CacheListQuery: Query {
    /// The filter and order of the entries.
    public let selection: CacheSelection
    /// The maximum number of entries listed.
    public let limit: Int

    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    public typealias Response = [CacheItem]
}
