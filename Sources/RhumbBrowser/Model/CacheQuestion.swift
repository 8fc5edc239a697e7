public import RhumbCore
public import RhumbEngine

/// What the inspector asks of the shared cache.
public enum CacheQuestion: Equatable, Sendable {
    case overview
    case list(CacheSelection, limit: Int)
    /// The tiles that are kept of a layer at a zoom, within a part of the world.
    case spots(layer: TileLayer.ID, zoom: Int, box: WorldBox)
}

/// What the inspector does to entries.
public enum CacheAct: Equatable, Sendable {
    case refresh([ResourceKey]), invalidate([ResourceKey]), delete([ResourceKey])
}

/// Which entries are listed, and in which order.
public struct CacheSelection: Equatable, Sendable {
    public enum Order: String, CaseIterable, Sendable { case use, key, size, age }

    public var source: String?
    public var zoom: Int?
    /// "fresh", "stale" or "absent"
    public var state: String?
    public var order = Order.use

    /// "osm z12 stale": a word for each, in any order.
    /// - Throws: a sentence about the word that is none of them.
    init(words: String, order: Order = .use) throws(Notice.Problem) {
        self.order = order
        for word in words.split(separator: " ").map(String.init) {
            if ["fresh", "stale", "absent"].contains(word) {
                state = word
            } else if let zoom = Int(word.hasPrefix("z") ? String(word.dropFirst()) : word) {
                guard (0...TileID.maximumZoom).contains(zoom) else {
                    throw Notice.Problem("there is no zoom \(zoom): they go from 0 to \(TileID.maximumZoom)")
                }
                self.zoom = zoom
            } else {
                source = word
            }
        }
    }

    /// Everything, the last used first.
    public static let all = CacheSelection()

    init() {}

    /// The words that say the same.
    var words: String { [source, zoom.map { "z\($0)" }, state].compactMap { $0 }.joined(separator: " ") }
}

/// How full the cache is, for the first pages of the inspector.
public struct CacheOverview: Equatable, Sendable {
    /// One source at one zoom.
    public struct Row: Equatable, Sendable {
        public var name: String
        /// −1 for documents.
        public var zoom: Int
        public var entries: Int
        public var absent: Int
        public var bytes: Int
        /// Of those that are not absent; nil until they are counted.
        public var fresh: Int?

        public init(name: String, zoom: Int, entries: Int, absent: Int, bytes: Int, fresh: Int?) {
            (self.name, self.zoom, self.entries) = (name, zoom, entries)
            (self.absent, self.bytes, self.fresh) = (absent, bytes, fresh)
        }

        var stale: Int? { fresh.map { entries - absent - $0 } }
    }

    public var path: String
    public var usedBytes: Int
    public var quota: Int
    public var fileBytes: Int
    /// Sentences: what happened since start, and ever.
    public var counts: [String]
    /// When the oldest entry came, in words.
    public var oldest: String?
    public var rows: [Row]

    public init(
        path: String, usedBytes: Int, quota: Int, fileBytes: Int, counts: [String], oldest: String?, rows: [Row]
    ) {
        (self.path, self.usedBytes, self.quota, self.fileBytes) = (path, usedBytes, quota, fileBytes)
        (self.counts, self.oldest, self.rows) = (counts, oldest, rows)
    }
}

/// An entry in the inspector's list.
public struct CacheItem: Equatable, Sendable {
    public let key: ResourceKey
    /// What its source is called; of a document, its address.
    public let name: String
    /// "fresh", "stale" or "absent"
    public let state: String
    public let age: String
    public let size: String
    /// All that is known of it, a line each.
    public let explanation: [String]

    public init(
        key: ResourceKey, name: String, state: String, age: String, size: String, explanation: [String]
    ) {
        (self.key, self.name, self.state) = (key, name, state)
        (self.age, self.size, self.explanation) = (age, size, explanation)
    }

    var tile: TileID? { if case .tile(_, let tile) = key { tile } else { nil } }
}

/// The tiles of one zoom that are kept, for drawing them on the map.
public struct HeatMap: Equatable, Sendable {
    public enum State: Sendable { case fresh, stale, absent, pinned }

    public let layer: TileLayer.ID
    public let zoom: Int
    /// The part of the world it knows of.
    public let box: WorldBox
    public let states: [TileID: State]

    public init(layer: TileLayer.ID, zoom: Int, box: WorldBox, states: [TileID: State]) {
        (self.layer, self.zoom, self.box, self.states) = (layer, zoom, box, states)
    }
}
