internal import Glibc

/// A square of the tile pyramid: zoom, column, row. Columns count from 180° W, rows from the north (XYZ). At
/// zoom z there are 2^z columns and rows, counted from 0.
public struct TileID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The deepest zoom a tile may have.
    public static let maximumZoom = 30
    /// The single tile of zoom 0.
    public static let world = TileID(unchecked: 0, 0, 0)

    private let z: UInt8
    private let column: UInt32
    private let row: UInt32

    /// The zoom, 0…`maximumZoom`.
    public var zoom: Int { Int(z) }
    /// The column, 0..<2^zoom, from the west.
    public var x: Int { Int(column) }
    /// The row, 0..<2^zoom, from the north.
    public var y: Int { Int(row) }

    /// Creates the tile with these numbers; nil if there is none.
    public init?(zoom: Int, x: Int, y: Int) {
        guard (0...TileID.maximumZoom).contains(zoom) else { return nil }
        guard (0..<(1 << zoom)).contains(x), (0..<(1 << zoom)).contains(y) else { return nil }
        self.init(unchecked: zoom, x, y)
    }

    /// Creates the tile of column x counted around the world; nil if the row or zoom does not exist.
    public init?(zoom: Int, wrappingX x: Int, y: Int) {
        guard (0...TileID.maximumZoom).contains(zoom) else { return nil }
        self.init(zoom: zoom, x: x & ((1 << zoom) - 1), y: y)
    }

    /// Creates the tile of a zoom at a point of the square. Points outside get the nearest row.
    public init(zoom: Int, containing point: WorldPoint) {
        let zoom = min(max(zoom, 0), TileID.maximumZoom)
        let side = Double(1 << zoom), last = (1 << zoom) - 1
        let place = point.wrapped
        let y = min(max(place.y, 0), 1)
        self.init(unchecked: zoom, min(Int(place.x * side), last), min(Int(y * side), last))
    }

    init(unchecked zoom: Int, _ x: Int, _ y: Int) {
        z = UInt8(zoom)
        column = UInt32(x)
        row = UInt32(y)
    }

    /// The row counted from the south, as TMS and MBTiles do. Its own inverse.
    public var tmsRow: Int { (1 << zoom) - 1 - y }

    /// The tile one zoom up that contains this one; nil for the world.
    public var parent: TileID? { zoom == 0 ? nil : TileID(unchecked: zoom - 1, x / 2, y / 2) }

    /// Returns the tile `levels` zooms up; nil above the world.
    public func ancestor(levels: Int) -> TileID? {
        guard levels >= 0 && levels <= zoom else { return nil }
        return TileID(unchecked: zoom - levels, x >> levels, y >> levels)
    }

    /// The four children: north-west, north-east, south-west, south-east; empty at the deepest zoom.
    public var children: [TileID] {
        guard zoom < TileID.maximumZoom else { return [] }
        return [(0, 0), (1, 0), (0, 1), (1, 1)].map {
            TileID(unchecked: zoom + 1, 2 * x + $0.0, 2 * y + $0.1)
        }
    }

    /// Returns true if `other` is this tile or a descendant.
    public func contains(_ other: TileID) -> Bool {
        other.zoom >= zoom && other.ancestor(levels: other.zoom - zoom) == self
    }

    /// The tile's box on the unit square.
    public var box: WorldBox {
        let side = 1 / Double(1 << zoom)
        return WorldBox(
            minX: Double(x) * side, minY: Double(y) * side,
            maxX: Double(x + 1) * side, maxY: Double(y + 1) * side)
    }

    /// The tile's centre.
    public var center: Coordinate {
        let box = box
        return Mercator.coordinate(
            WorldPoint(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2))
    }

    /// "z/x/y".
    public var description: String { "\(zoom)/\(x)/\(y)" }

    /// Orders tiles by zoom, then row, then column.
    public static func < (a: TileID, b: TileID) -> Bool {
        (a.z, a.row, a.column) < (b.z, b.row, b.column)
    }
}

extension TileID {
    /// Parses "z/x/y", the format of `description`; nil for anything else.
    public init?(text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let zoom = numbers[0], let x = numbers[1], let y = numbers[2] else {
            return nil
        }
        self.init(zoom: zoom, x: x, y: y)
    }
}
