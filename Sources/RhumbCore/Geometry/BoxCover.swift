/// The tiles that touch a box of coordinates, counted without listing them.
public struct BoxCover: Sendable {
    /// Ranges of columns and rows at one zoom; two where the box crosses the antimeridian.
    private struct Part {
        let zoom: Int
        let columns: ClosedRange<Int>
        let rows: ClosedRange<Int>
        var count: Int { columns.count * rows.count }
    }
    private let parts: [Part]

    /// The tiles of a box at each of the zooms.
    public init(_ bounds: Bounds, zooms: ClosedRange<Int>) {
        parts = zooms.flatMap { zoom in
            bounds.worldBoxes.map { box in
                let side = Double(1 << zoom), last = (1 << zoom) - 1
                func index(_ part: Double) -> Int { min(max(Int((part * side).rounded(.down)), 0), last) }
                return Part(
                    zoom: zoom, columns: index(box.minX)...index(box.maxX), rows: index(box.minY)...index(box.maxY))
            }
        }
    }

    /// How many tiles there are.
    public var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Low zooms first, row by row.
    public var tiles: some Sequence<TileID> {
        parts.lazy.flatMap { part in
            part.rows.lazy.flatMap { y in
                part.columns.lazy.map { x in TileID(unchecked: part.zoom, x, y) }
            }
        }
    }
}
