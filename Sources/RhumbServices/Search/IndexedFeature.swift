public import RhumbGeo

/// A feature of a tile, as the index stores it. Positions are in units of its tile, which has
/// `TileFeatures.extent` units on a side, from the north-west.
public struct IndexedFeature: Sendable, Equatable {
    /// A place in a tile.
    public typealias Place = SIMD2<Int32>

    /// The usual name, harmless to a terminal; empty for things that have none and are looked for by what
    /// they are.
    public var name: String
    /// Names in other languages, and others it goes by; none of them twice, nor the usual one.
    public var otherNames: [String] = []
    /// The category.
    public var category: PlaceCategory
    /// The tile's own class, such as "restaurant"; empty for none.
    public var kind = ""
    /// The middle of its line or area.
    public var middle: Place
    /// The north-western corner of the bounding box.
    public var low: Place
    /// The south-eastern one.
    public var high: Place
    /// Further facts about fuels, plugs, heights and the like, such as "socket:type2=4".
    public var details: [String] = []

    /// A thing at a point.
    public init(_ name: String, _ category: PlaceCategory, at middle: Place) {
        self.name = name
        self.category = category
        self.middle = middle
        low = middle
        high = middle
    }
}

/// A house by its number.
public struct HouseNumber: Sendable, Hashable {
    /// As it is written, as "12a"; harmless to a terminal.
    public var number: String
    /// The name of the street; empty where neither the tile nor a road nearby tells it.
    public var street: String
    /// In its tile.
    public var place: SIMD2<Int32>

    /// A house of a street.
    public init(_ number: String, street: String, at place: SIMD2<Int32>) {
        self.number = number
        self.street = street
        self.place = place
    }
}

/// All that a search finds in a vector tile.
public struct TileFeatures: Sendable, Equatable {
    /// The units of a tile's side.
    public static let extent: Int32 = 4096
    /// The most things of a tile; more are left out.
    static let limit = 60_000

    /// Of which tile.
    public let tile: TileID
    /// In no order.
    public var features: [IndexedFeature] = []
    /// In no order.
    public var houses: [HouseNumber] = []

    /// Nothing yet.
    public init(tile: TileID) { self.tile = tile }

    /// Returns the position in the world of a position in a tile.
    public static func world(_ place: SIMD2<Int32>, in tile: TileID) -> WorldPoint {
        let side = Double(extent) * Double(1 << tile.zoom)
        return WorldPoint(
            x: (Double(tile.x) * Double(extent) + Double(place.x)) / side,
            y: (Double(tile.y) * Double(extent) + Double(place.y)) / side)
    }

    /// Returns a length in metres as units in the middle of a tile, one or more.
    static func units(metres: Double, in tile: TileID) -> Int32 {
        let pixel = Mercator.metresPerPixel(latitude: tile.center.latitude, zoom: Double(tile.zoom))
        return Int32(min(max(metres / (pixel * 256) * Double(extent), 1), Double(extent)))
    }

    /// The quarter of the tile that a place is in, in the order of `TileID.children`.
    static func quarter(of place: SIMD2<Int32>) -> Int {
        (place.x >= extent / 2 ? 1 : 0) + (place.y >= extent / 2 ? 2 : 0)
    }
}
