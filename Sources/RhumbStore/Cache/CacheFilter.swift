public import RhumbCore

/// A filter for cache entries. Without criteria it matches all.
public struct CacheFilter: Sendable, Equatable {
    /// The state of an entry: usable without a request, in need of revalidation, or known not to exist.
    public enum State: String, Sendable, CaseIterable { case fresh, stale, absent }

    /// The name or address of a source; nil for any source and for documents.
    public var source: String?
    /// The zooms to match; nil for all.
    public var zooms: ClosedRange<Int>?
    /// The box that tiles must intersect; nil for all.
    public var bounds: Bounds?
    /// The state to match; nil for all.
    public var state: State?
    /// The only entry to match; nil for all.
    public var key: ResourceKey?

    /// Creates a filter that matches all entries.
    public init() {}

    /// SQL for an entry that is usable without a request. `@now` is the current time.
    static let isFresh =
        "(flags & 9 = 0 AND received - age + lifetime > @now AND received < @now + 31536000)"

    /// SQL for the matching entries. `bind` sets its parameters.
    var condition: String {
        var parts = ["@now IS NOT NULL"]
        if source != nil { parts.append("(source = @name OR address = @name) AND kind = 0") }
        if zooms != nil { parts.append("z BETWEEN @lowest AND @highest") }
        switch state {
        case .fresh: parts.append("body IS NOT NULL AND \(CacheFilter.isFresh)")
        case .stale: parts.append("body IS NOT NULL AND NOT \(CacheFilter.isFresh)")
        case .absent: parts.append("body IS NULL")
        case nil: break
        }
        if let bounds {
            parts.append("(" + bounds.worldBoxes.map(CacheFilter.within).joined(separator: " OR ") + ")")
        }
        switch key {
        case .tile(_, let tile):
            parts.append("kind = 0 AND (\(TileOrigin.columns)) = (\(TileOrigin.parameters))")
            parts.append("z = \(tile.zoom) AND x = \(tile.x) AND y = \(tile.y)")
        case .document: parts.append("kind = 1 AND address = @address")
        case nil: break
        }
        return parts.joined(separator: " AND ")
    }

    /// Returns SQL for tiles that intersect a box. Uses integers in units of 2^−30 of the world's width.
    private static func within(_ box: WorldBox) -> String {
        func whole(_ part: Double) -> Int { Int((min(max(part, 0), 1) * Double(1 << 30)).rounded(.down)) }
        let side = "(1 << (30 - z))"
        return "(z >= 0 AND x * \(side) <= \(whole(box.maxX)) AND (x + 1) * \(side) > \(whole(box.minX))"
            + " AND y * \(side) <= \(whole(box.maxY)) AND (y + 1) * \(side) > \(whole(box.minY)))"
    }

    func bind(to statement: Statement, at now: UnixSeconds) throws(StoreFailure) {
        try statement.bind("now", Int(now.value))
        if let source { try statement.bind("name", source) }
        if let zooms { try statement.bind(["lowest": zooms.lowerBound, "highest": zooms.upperBound]) }
        switch key {
        case .tile(let origin, _): try statement.bind(origin.values)
        case .document(let address): try statement.bind("address", address)
        case nil: break
        }
    }
}
