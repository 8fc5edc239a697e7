public import RhumbGeo

/// A feature of a tile, as stored in the search index. Positions are in units of the tile, with
/// `TileFeatures.extent` units to a side, from the north-west.
public struct IndexedFeature: Sendable, Equatable {
    /// A position in a tile.
    public typealias Place = SIMD2<Int32>

    /// The usual name, sanitised for terminals; empty for features that are only searched by kind.
    public var name: String
    /// Other names, including those in other languages, without duplicates of each other or of `name`.
    public var otherNames: [String] = []
    /// The feature's category.
    public var category: PlaceCategory
    /// The class of the feature in its tile, such as "restaurant"; empty if there is none.
    public var kind = ""
    /// The centre of the feature's line or area.
    public var middle: Place
    /// The north-western corner of the bounding box.
    public var low: Place
    /// The south-eastern corner of the bounding box.
    public var high: Place
    /// Further attributes such as fuels, sockets or heights: "socket:type2=4".
    public var details: [String] = []

    /// Creates a feature at a point.
    public init(_ name: String, _ category: PlaceCategory, at middle: Place) {
        self.name = name
        self.category = category
        self.middle = middle
        low = middle
        high = middle
    }
}

/// A house number.
public struct HouseNumber: Sendable, Hashable {
    /// The number as written, such as "12a". Sanitised for terminals.
    public var number: String
    /// The name of the street; empty if neither the tile nor a nearby road gives one.
    public var street: String
    /// The position in the tile.
    public var place: SIMD2<Int32>

    /// Creates the house number of a street.
    public init(_ number: String, street: String, at place: SIMD2<Int32>) {
        self.number = number
        self.street = street
        self.place = place
    }
}

/// The searchable features of a vector tile.
public struct TileFeatures: Sendable, Equatable {
    /// The length of a tile's side, in units.
    public static let extent: Int32 = 4096
    /// The maximum number of features of a tile; others are dropped.
    static let limit = 60_000

    /// The tile that the features belong to.
    public let tile: TileID
    /// The features, unordered.
    public var features: [IndexedFeature] = []
    /// The house numbers, unordered.
    public var houses: [HouseNumber] = []

    /// Creates an empty collection.
    public init(tile: TileID) { self.tile = tile }

    /// Returns the world coordinates of a position in a tile.
    public static func world(_ place: SIMD2<Int32>, in tile: TileID) -> WorldPoint {
        let side = Double(extent) * Double(1 << tile.zoom)
        return WorldPoint(
            x: (Double(tile.x) * Double(extent) + Double(place.x)) / side,
            y: (Double(tile.y) * Double(extent) + Double(place.y)) / side)
    }

    /// Converts metres to tile units at the centre of the tile; at least one.
    static func units(metres: Double, in tile: TileID) -> Int32 {
        let pixel = Mercator.metresPerPixel(latitude: tile.center.latitude, zoom: Double(tile.zoom))
        return Int32(min(max(metres / (pixel * 256) * Double(extent), 1), Double(extent)))
    }

    /// Returns the quarter of the tile that contains a position, in the order of `TileID.children`.
    static func quarter(of place: SIMD2<Int32>) -> Int {
        (place.x >= extent / 2 ? 1 : 0) + (place.y >= extent / 2 ? 2 : 0)
    }
}
