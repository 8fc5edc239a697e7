public import RhumbCore
public import RhumbEngine

/// The properties of tiles on the map, which `b` cycles through.
public enum TileView: String, CaseIterable, Sendable {
    case none, borders
    /// The differences between two archives.
    case changes
    case bytes, features, vertices, age

    /// The measure of a heat layer; nil for the others.
    var measure: TileMeasure? { TileMeasure(rawValue: rawValue) }
}

/// The state of the tiles on the map.
struct TileViewState: Sendable {
    var view = TileView.none
    /// The values in view.
    var values = Loadable<TileValueQuery, TileValues>()
    /// The tiles with the largest values.
    var ranking = Loadable<TileRankingQuery, TileRanking>()
    /// The index of the tile last visited in the list.
    var walked: Int?
    /// The step to take once the list has arrived; nil for none.
    var pendingStep: Int?
    /// The compared archives; nil for none.
    var comparison: MapComparison?
}

/// A query for the values of the tiles in view.
public struct TileValueQuery: Query {
    /// The layer.
    public let layer: TileLayer.ID
    /// The measure.
    public let measure: TileMeasure
    /// The zoom of the tiles.
    public let zoom: Int
    /// The part of the world.
    public let box: WorldBox

    public typealias Response = TileValues
}

/// The values of tiles.
public struct TileValues: Sendable, Equatable {
    /// The values, in the unit of the measure.
    public let values: [TileID: Int]
    /// The reason why there are none; nil if unknown.
    public let problem: String?

    /// Creates values.
    public init(values: [TileID: Int], problem: String? = nil) {
        self.values = values
        self.problem = problem
    }
}

/// A query for the tiles of a layer with the largest values.
public struct TileRankingQuery: Query {
    /// The layer.
    public let layer: TileLayer.ID
    /// The measure.
    public let measure: TileMeasure

    public typealias Response = TileRanking
}

/// The tiles with the largest values.
public struct TileRanking: Sendable, Equatable {
    /// The tiles with their values, largest first.
    public let tiles: [ListedTile]
    /// The reason why there are none; nil if there are some.
    public let problem: String?

    /// Creates a list.
    public init(tiles: [ListedTile], problem: String? = nil) {
        self.tiles = tiles
        self.problem = problem
    }
}

/// A tile of a list to step through.
public struct ListedTile: Sendable, Equatable {
    /// The tile.
    public let tile: TileID
    /// The value as text, such as "512 kB".
    public let text: String

    /// Creates a tile of a list.
    public init(tile: TileID, text: String) {
        self.tile = tile
        self.text = text
    }
}

extension TileMeasure {
    /// Returns a value with its unit.
    public func text(_ value: Int) -> String {
        switch self {
        case .bytes: AmountText.bytes(value)
        case .features: AmountText.count(value, "feature")
        case .vertices: AmountText.count(value, "vertex", plural: "vertices")
        case .age: AmountText.age(Int64(value))
        }
    }

    /// The upper limits of all classes but the last.
    private var limits: [Int] {
        switch self {
        case .bytes: [10_000, 50_000, 100_000, 250_000, 500_000]
        case .features: [100, 1000, 5000, 10_000, 50_000]
        case .vertices: [1000, 10_000, 50_000, 100_000, 500_000]
        case .age: [3600, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400]
        }
    }

    func shade(_ value: Int) -> TileShade {
        TileShade.heat[limits.firstIndex { value <= $0 } ?? limits.count]
    }

    /// The classes with their shades, smallest first.
    var legend: [(shade: TileShade, words: String)] {
        let texts = limits.map { "≤ \(text($0))" } + ["> \(text(limits.last ?? 0))"]
        return zip(TileShade.heat, texts).map { ($0, $1) }
    }
}
