internal import RhumbBase

/// How many tiles, or packs, there are of each zoom.
public struct TileCounts: Hashable, Sendable {
    /// Zooms ascending, each with its number.
    public private(set) var rows: [(zoom: Int, count: Int)] = []
    /// Whether all numbers are exact. The deepest zooms of enormous shapes are given as "at most".
    public internal(set) var isExact = true

    /// Counts nothing yet.
    public init() {}

    /// The number for a zoom; 0 where there is none.
    public subscript(zoom: Int) -> Int {
        get { rows.first { $0.zoom == zoom }?.count ?? 0 }
        set {
            rows.removeAll { $0.zoom == zoom }
            rows.insert((zoom, newValue), at: rows.firstIndex { $0.zoom > zoom } ?? rows.count)
        }
    }

    /// All together.
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
