/// The unit of accounting: a tile and all its descendants within a zoom group. Its tiles of one zoom are
/// adjacent in PMTiles archives.
public struct TilePack: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The tile of the group's lowest zoom.
    public let top: TileID

    /// Creates the pack of a top tile; nil if its zoom is not the lowest of a group.
    public init?(top: TileID) {
        guard ZoomGroup(containing: top.zoom).lowest == top.zoom else { return nil }
        self.top = top
    }

    /// Creates the pack that contains a tile.
    public init(containing tile: TileID) {
        top = tile.ancestor(levels: tile.zoom - ZoomGroup(containing: tile.zoom).lowest) ?? tile
    }

    /// The zooms of the pack.
    public var group: ZoomGroup { ZoomGroup(containing: top.zoom) }

    /// Returns true if the pack contains the tile.
    public func contains(_ tile: TileID) -> Bool {
        tile.zoom <= group.highest && top.contains(tile)
    }

    /// Returns the number of its tiles at these zooms: 4^k for each.
    public func count(of zooms: ClosedRange<Int>) -> Int {
        shared(zooms).reduce(0) { $0 + (1 << (2 * ($1 - top.zoom))) }
    }

    /// Returns its tiles at these zooms, low zooms first, then by row and column.
    public func tiles(of zooms: ClosedRange<Int>) -> some Sequence<TileID> {
        shared(zooms).lazy.flatMap { zoom in
            let levels = zoom - top.zoom, side = 1 << levels
            return (0..<side * side).lazy.map { index in
                TileID(unchecked: zoom, top.x << levels + index % side, top.y << levels + index / side)
            }
        }
    }

    private func shared(_ zooms: ClosedRange<Int>) -> [Int] { group.zooms.filter(zooms.contains) }

    /// The pack as text, such as "11/1000/685 (11-14)".
    public var description: String { "\(top) (\(group))" }

    public static func < (a: TilePack, b: TilePack) -> Bool { a.top < b.top }
}

/// The packs that a geometry and a range of zooms touch. Their number doesn't depend on whether packs are
/// stored whole.
public struct PackSet: Sendable {
    /// The groups, the lowest zooms first.
    public let groups: [ZoomGroup]
    private let tree: TileQuadtree
    private let clip: [TileGridRect]?

    /// Creates the packs of a source that has all zooms everywhere.
    public init(_ geometry: RegionGeometry, zooms: ZoomRange) {
        self.init(geometry, levels: Array(zooms.zooms), available: 0...TileID.maximumZoom, bounds: nil)
    }

    /// - Parameters:
    ///   - levels: The zooms, which may have gaps.
    ///   - available: The zooms of the source.
    ///   - bounds: The area of the source; nil for no limit.
    init(_ geometry: RegionGeometry, levels: [Int], available: ClosedRange<Int>, bounds: Bounds?) {
        let wanted = levels.filter(available.contains)
        groups = Set(wanted.map(ZoomGroup.init(containing:))).sorted()
        tree = TileQuadtree(geometry)
        clip = bounds.map { $0.worldBoxes.map(TileGridRect.init) }
    }

    /// Returns the number of packs in each group, by the group's lowest zoom.
    public func counts() -> TileCounts {
        let zooms = groups.map { (zoom: $0.lowest, wholeFrom: $0.lowest) }
        return TileCounter(tree: tree, zooms: zooms, clip: clip).counts()
    }

    /// Returns all packs, low zooms first, and within a group those in the middle of the geometry first.
    /// - Parameter last: The pack to continue after; nil to start with the first.
    public func packs(after last: TilePack? = nil) -> some Sequence<TilePack> {
        let steps = groups.map { group in
            RegionTiles.Step(
                zoom: group.lowest, wholeFrom: group.lowest,
                clip: clip.map { TileRanges($0, zoom: group.lowest) })
        }
        let tiles = RegionTiles(
            tree: tree, steps: steps, center: tree.shape.bounds.center, after: last?.top)
        return tiles.lazy.map(TilePack.init(containing:))
    }
}

/// Zooms that are downloaded together: 0–5, 6–10, 11–14, 15–16, and pairs above (17–18, …).
public struct ZoomGroup: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The lowest zoom of the group.
    public let lowest: Int
    /// The highest zoom of the group.
    public let highest: Int

    /// All groups, the lowest zooms first.
    public static let all: [ZoomGroup] = {
        let upper = stride(from: 15, to: TileID.maximumZoom, by: 2).map { ZoomGroup($0, $0 + 1) }
        return [ZoomGroup(0, 5), ZoomGroup(6, 10), ZoomGroup(11, 14)] + upper
    }()

    private init(_ lowest: Int, _ highest: Int) {
        self.lowest = lowest
        self.highest = highest
    }

    /// Creates the group of a zoom. Zooms out of range belong to the nearest group.
    public init(containing zoom: Int) {
        let group = ZoomGroup.all.first { zoom <= $0.highest }
        self = group ?? ZoomGroup.all[ZoomGroup.all.count - 1]
    }

    /// The zooms, as a range.
    public var zooms: ClosedRange<Int> { lowest...highest }

    /// The zooms as text, such as "11-14".
    public var description: String { "\(lowest)-\(highest)" }

    public static func < (a: ZoomGroup, b: ZoomGroup) -> Bool { a.lowest < b.lowest }
}
