internal import RhumbBase

/// The tiles of one zoom that boxes touch, as columns and rows. All boxes have the same rows.
struct TileRanges: Sendable {
    let zoom: Int
    private let columns: [Range<Int>]
    private let rows: Range<Int>

    init(_ boxes: [TileGridRect], zoom: Int) {
        self.zoom = zoom
        let shift = 31 - zoom
        func tiles(_ span: Range<Int>) -> Range<Int> {
            span.lowerBound >> shift..<((span.upperBound + (1 << shift) - 1) >> shift)
        }
        rows = boxes.first.map { tiles($0.rows) } ?? 0..<0
        columns = boxes.map { tiles($0.columns) }.sorted { $0.lowerBound < $1.lowerBound }
            .reduce(into: []) { merged, next in
                if let last = merged.last, next.lowerBound < last.upperBound {
                    merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
                } else {
                    merged.append(next)
                }
            }
    }

    var count: Int { columns.reduce(0) { $0 + $1.count } * rows.count }

    /// Returns true if the tile, of this zoom, is in the ranges.
    func holds(_ tile: TileID) -> Bool { count(within: TileQuadtree.Node(tile)) > 0 }

    /// Returns the number of its tiles within a tile of this or a lower zoom.
    func count(within node: TileQuadtree.Node) -> Int {
        let shift = zoom - node.zoom
        let across = node.x << shift..<(node.x + 1) << shift
        let down = node.y << shift..<(node.y + 1) << shift
        return columns.reduce(0) { $0 + $1.clamped(to: across).count } * rows.clamped(to: down).count
    }

    /// Returns the number of tiles of this zoom in the intersection with another set of ranges.
    func count(within other: TileRanges) -> Int {
        let shared = columns.reduce(0) { sum, range in
            sum + other.columns.reduce(0) { $0 + $1.clamped(to: range).count }
        }
        return shared * rows.clamped(to: other.rows).count
    }
}

/// The number of tiles or packs at each zoom.
public struct TileCounts: Hashable, Sendable {
    /// The zooms in ascending order, each with its number.
    public private(set) var rows: [(zoom: Int, count: Int)] = []
    /// True if all numbers are exact. At the deepest zooms of very large shapes they are upper limits.
    public internal(set) var isExact = true

    /// Creates empty counts.
    public init() {}

    /// The number at a zoom; 0 if there is none.
    public subscript(zoom: Int) -> Int {
        get { rows.first { $0.zoom == zoom }?.count ?? 0 }
        set {
            rows.removeAll { $0.zoom == zoom }
            rows.insert((zoom, newValue), at: rows.firstIndex { $0.zoom > zoom } ?? rows.count)
        }
    }

    /// The sum over all zooms.
    public var total: Int { rows.reduce(0) { $0.saturatingAdd($1.count) } }

    public static func == (a: TileCounts, b: TileCounts) -> Bool {
        a.isExact == b.isExact && a.rows.elementsEqual(b.rows) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        for row in rows {
            hasher.combine(row.zoom)
            hasher.combine(row.count)
        }
    }
}
