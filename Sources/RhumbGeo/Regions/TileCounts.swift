internal import RhumbBase

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
