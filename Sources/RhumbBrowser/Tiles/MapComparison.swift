public import RhumbCore
public import RhumbEngine

/// Two archives that are compared on the map.
public struct MapComparison: Sendable {
    /// The difference of a tile.
    public enum Kind: String, Sendable, CaseIterable { case added, removed, changed }

    /// A tile that differs.
    public struct Change: Sendable, Equatable {
        /// The tile.
        public let tile: TileID
        /// The difference.
        public let kind: Kind
        /// The sizes in both archives in bytes; 0 if the archive lacks the tile.
        public let bytes: (first: Int, second: Int)

        /// Creates a change.
        public init(tile: TileID, kind: Kind, bytes: (first: Int, second: Int)) {
            self.tile = tile
            self.kind = kind
            self.bytes = bytes
        }

        /// The difference of the sizes, at least 1.
        var amount: Int { max(abs(bytes.first - bytes.second), 1) }

        public static func == (a: Change, b: Change) -> Bool {
            a.tile == b.tile && a.kind == b.kind && a.bytes == b.bytes
        }
    }

    /// The layers of the first archive.
    public let first: Set<TileLayer.ID>
    /// The layers of the second archive.
    public let second: Set<TileLayer.ID>
    /// The names of the archives.
    let names: (first: String, second: String)
    /// The changed tiles, largest first.
    let listed: [ListedTile]
    /// The number of tiles of each kind.
    let counts: [Kind: Int]
    /// The shades of the tiles at each zoom. A tile also shows the largest change of its descendants.
    private let shades: [Int: [TileID: TileShade]]
    /// True if the second archive is shown.
    var showsSecond = true

    /// Creates a comparison.
    /// - Parameter counts: The number of tiles of each kind, which may exceed that of `changes`.
    public init(
        first: [TileLayer], second: [TileLayer], names: (first: String, second: String), changes: [Change],
        counts: [Kind: Int]
    ) {
        self.first = Set(first.map(\.id))
        self.second = Set(second.map(\.id))
        self.names = names
        self.counts = counts
        let sorted = changes.sorted { ($0.amount, $1.tile) > ($1.amount, $0.tile) }
        listed = sorted.map { ListedTile(tile: $0.tile, text: $0.text) }
        var shades: [Int: [TileID: TileShade]] = [:]
        let deepest = changes.map(\.tile.zoom).max() ?? 0
        // The tile's own change is set last, so that it replaces those of its descendants.
        for isOwn in [false, true] {
            for change in sorted {
                for zoom in isOwn ? change.tile.zoom...change.tile.zoom : 0...deepest
                where zoom < change.tile.zoom || isOwn {
                    guard let tile = change.tile.ancestor(levels: change.tile.zoom - zoom) else { continue }
                    if isOwn || shades[zoom]?[tile] == nil {
                        shades[zoom, default: [:]][tile] = TileShade(change)
                    }
                }
            }
        }
        self.shades = shades
    }

    /// Returns the shade of a tile; nil if neither it nor a descendant differs.
    func shade(of tile: TileID) -> TileShade? { shades[tile.zoom]?[tile] }

    /// The title and the rows of the legend.
    var legend: (title: String, rows: [(shade: TileShade, words: String)]) {
        let rows = Kind.allCases.map { kind in
            (TileShade(kind, amount: 1 << 20), "\(kind.rawValue) \(AmountText.count(counts[kind] ?? 0))")
        }
        return (showsSecond ? "2: \(names.second)" : "1: \(names.first)", rows)
    }
}

extension MapComparison.Change {
    fileprivate var text: String {
        switch kind {
        case .added: "added, \(AmountText.bytes(bytes.second))"
        case .removed: "removed, \(AmountText.bytes(bytes.first))"
        case .changed: "\(AmountText.bytes(bytes.first)) → \(AmountText.bytes(bytes.second))"
        }
    }
}

extension TileShade {
    fileprivate init(_ change: MapComparison.Change) { self.init(change.kind, amount: change.amount) }

    /// Creates the shade of a change, stronger for larger ones.
    fileprivate init(_ kind: MapComparison.Kind, amount: Int) {
        let weight = amount < 1000 ? 0.35 : amount < 10_000 ? 0.5 : 0.65
        switch kind {
        case .added: self.init(colour: RGB(0x1B9E4B), weight: weight, sixteen: 10, sign: "+", ascii: "+")
        case .removed: self.init(colour: RGB(0xD7263D), weight: weight, sixteen: 9, sign: "−", ascii: "-")
        case .changed:
            let sign: Unicode.Scalar = amount < 1000 ? "░" : amount < 10_000 ? "▒" : "▓"
            self.init(colour: RGB(0xE8A317), weight: weight, sixteen: 11, sign: sign, ascii: "~")
        }
    }
}

extension Browser {
    /// Begins to compare two archives.
    public mutating func begin(comparing comparison: MapComparison) {
        tiles.comparison = comparison
        tiles.view = .changes
        showCompared()
    }

    /// Shows the other archive of a comparison.
    mutating func showOther() -> [Effect] {
        guard tiles.comparison != nil else { return say(TilesText.noComparison) }
        tiles.comparison?.showsSecond.toggle()
        showCompared()
        let legend = tiles.comparison?.legend.title ?? ""
        return [.updateView] + say(legend)
    }

    /// Makes only the layers of one archive visible.
    private mutating func showCompared() {
        guard let comparison = tiles.comparison else { return }
        for at in layers.indices {
            let id = layers[at].id
            if comparison.first.contains(id) { layers[at].isVisible = !comparison.showsSecond }
            if comparison.second.contains(id) { layers[at].isVisible = comparison.showsSecond }
        }
    }
}
