public import RhumbCore
internal import Synchronization

/// The decoded tiles in memory: written by the engine, readable from any thread without waiting. Limited in
/// bytes, separately for maps and for the transparent pictures over them; the least recently drawn tiles are
/// evicted, except those of the latest frame.
public final class TileBoard: Sendable {
    /// The maximum size of all opaque pictures in bytes. Only the tiles on screen may exceed it.
    public let byteLimit: Int
    /// The maximum size of all transparent pictures in bytes.
    var overlayByteLimit: Int { byteLimit / 3 * 2 }
    private let contents: Mutex<Contents>
    /// The fades of successive frames.
    let fades = Mutex(TileFades())

    private struct Entry {
        var state: TileState
        var mark: TileMark
        var lastUse: Int
    }

    private struct Contents {
        var entries: [TileKey: Entry] = [:]
        var bytes = 0
        /// The part of `bytes` that transparent pictures take.
        var overlayBytes = 0
        var tick = 0
    }

    /// - Parameter byteLimit: The memory for opaque pictures in bytes; 12 MiB by default.
    public init(byteLimit: Int = 12 << 20) {
        self.byteLimit = max(byteLimit, 0)
        contents = Mutex(Contents())
    }

    /// Returns the state of a tile; nil if unknown.
    public func state(of key: TileKey) -> TileState? {
        contents.withLock { $0.entries[key]?.state }
    }

    /// Returns the mark of a tile; nil if unknown.
    public func mark(of key: TileKey) -> TileMark? {
        contents.withLock { $0.entries[key]?.mark }
    }

    /// Returns the size of a tile's pixels in bytes; nil if the tile is unknown.
    func byteCount(of key: TileKey) -> Int? { state(of: key)?.byteCount }

    /// Marks tiles as used, as if they had been drawn now.
    func use(_ keys: some Sequence<TileKey>) {
        contents.withLock { contents in
            for key in keys { contents.entries[key]?.lastUse = contents.tick }
        }
    }

    /// The size of all pixels in bytes.
    public var byteCount: Int { contents.withLock { $0.bytes } }

    /// Reads the board for a drawing. `body` sees the state of a single moment; the tiles it reads count as
    /// drawn.
    func read<Result>(_ body: (_ lookup: (TileKey) -> (TileState, TileMark)?) -> Result) -> Result {
        contents.withLock { contents in
            contents.tick += 1
            var touched: [TileKey] = []
            let result = body { key in
                guard let entry = contents.entries[key] else { return nil }
                touched.append(key)
                return (entry.state, entry.mark)
            }
            for key in touched { contents.entries[key]?.lastUse = contents.tick }
            return result
        }
    }

    /// Stores the state of a tile.
    /// - Returns: The evicted tiles.
    func store(_ state: TileState, _ mark: TileMark = TileMark(), for key: TileKey) -> [TileKey] {
        contents.withLock { contents in
            remove(key, from: &contents)
            contents.entries[key] = Entry(state: state, mark: mark, lastUse: contents.tick)
            contents.bytes += state.byteCount
            contents.overlayBytes += state.overlayByteCount
            return shrink(&contents)
        }
    }

    /// Changes the mark of a tile.
    func setMark(_ mark: TileMark, of key: TileKey) {
        contents.withLock { $0.entries[key]?.mark = mark }
    }

    /// Removes a tile.
    func forget(_ key: TileKey) { contents.withLock { remove(key, from: &$0) } }

    /// Removes all tiles of the layers for which `isGone` returns true, and returns them.
    func forgetLayers(where isGone: (TileLayer.ID) -> Bool) -> [TileKey] { forgetTiles { isGone($0.layer) } }

    /// Removes tiles, and returns them.
    func forgetTiles(where isGone: (TileKey) -> Bool) -> [TileKey] {
        contents.withLock { contents in
            let gone = contents.entries.keys.filter(isGone)
            for key in gone { remove(key, from: &contents) }
            return gone
        }
    }

    private func remove(_ key: TileKey, from contents: inout Contents) {
        guard let old = contents.entries.removeValue(forKey: key) else { return }
        contents.bytes -= old.state.byteCount
        contents.overlayBytes -= old.state.overlayByteCount
    }

    private func shrink(_ contents: inout Contents) -> [TileKey] {
        func isFull(_ contents: Contents, ofOverlays: Bool) -> Bool {
            ofOverlays
                ? contents.overlayBytes > overlayByteLimit
                : contents.bytes - contents.overlayBytes > byteLimit
        }
        guard
            isFull(contents, ofOverlays: false) || isFull(contents, ofOverlays: true)
                || contents.entries.count > 20_000
        else { return [] }
        let latest = contents.tick
        let oldest = contents.entries.filter { $0.value.lastUse < latest }
            .sorted { $0.value.lastUse < $1.value.lastUse }
        var gone: [TileKey] = []
        for (key, entry) in oldest {
            guard
                isFull(contents, ofOverlays: entry.state.overlayByteCount > 0)
                    || contents.entries.count > 15_000
            else { continue }
            remove(key, from: &contents)
            gone.append(key)
        }
        return gone
    }
}

extension TileState {
    var byteCount: Int {
        switch self {
        case .ready(let raster): raster.byteCount
        case .absent, .failed: 0
        }
    }

    /// The size of a transparent picture; 0 for others.
    var overlayByteCount: Int {
        if case .ready(let raster) = self, !raster.isOpaque { raster.byteCount } else { 0 }
    }
}

/// A tile of a layer.
public struct TileKey: Hashable, Sendable {
    /// The layer that shows it.
    public let layer: TileLayer.ID
    /// The tile.
    public let tile: TileID

    /// A tile of a layer.
    public init(layer: TileLayer.ID, tile: TileID) {
        self.layer = layer
        self.tile = tile
    }
}

/// The origin and validity of a shown tile, for borders and the status line.
public struct TileMark: Sendable, Equatable {
    /// The validity.
    public var standing = TileValidity.current
    /// True if a region stores the tile.
    public var isPinned = false
    /// The reason why the last revalidation failed; nil if it did not.
    public var trouble: TileFailure?
    /// The reason why a part of the tile is missing in the picture, or drawn from coarser data; nil if none
    /// is.
    public var omission: TileFailure?

    /// The part of the picture drawn so far; nil for all of it.
    var drawnPart: PixelBox?
    /// The edition of the tile if its source has a newer one, else nil.
    public var edition: TileEdition?

    /// Creates a mark. The edition is set only if it is not the newest one.
    public init(_ standing: TileValidity = .current, isPinned: Bool = false, edition: TileEdition? = nil) {
        self.standing = standing
        self.isPinned = isPinned
        self.edition = edition
    }
}

/// The state of a tile.
public enum TileState: Sendable, Equatable {
    /// The decoded picture in the layer's tile size.
    case ready(Raster)
    /// The tile does not exist.
    case absent
    /// Failed; requested again when the failure expires.
    case failed(TileFailure)

    /// True if the tile has no picture of its own, so that other zooms replace it.
    var needsSubstitute: Bool {
        if case .ready = self { false } else { true }
    }

    /// True if the tile failed, and not for lack of a network. Its server is not asked for substitutes.
    var hasFailedOnline: Bool {
        if case .failed(let failure) = self { failure.reason != .offline } else { false }
    }

    var hasFailed: Bool {
        if case .failed = self { true } else { false }
    }
}
