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
        /// The mean distance of the pictures' colours, 0…1; nil if unknown.
        public let difference: Double?

        /// Creates a change.
        public init(
            tile: TileID, kind: Kind, bytes: (first: Int, second: Int), difference: Double? = nil
        ) {
            self.tile = tile
            self.kind = kind
            self.bytes = bytes
            self.difference = difference
        }

        /// The weight of the change: the difference of the sizes in bytes, at least 1. A distance of 1 in
        /// colours weighs as much as 200 kB, so that visibly different pictures have the strongest shade.
        var amount: Int {
            max(difference.map { Int($0 * 200_000) } ?? abs(bytes.first - bytes.second), 1)
        }

        public static func == (a: Change, b: Change) -> Bool {
            a.tile == b.tile && a.kind == b.kind && a.bytes == b.bytes && a.difference == b.difference
        }
    }

    /// The layers of the first archive.
    public let first: Set<TileLayer.ID>
    /// The layers of the second archive.
    public let second: Set<TileLayer.ID>
    /// The names of the archives.
    private let names: (first: String, second: String)
    /// The changed tiles, largest first.
    let listed: [ListedTile]
    /// The number of tiles of each kind.
    let counts: [Kind: Int]
    /// The shades of the tiles at each zoom. A tile that does not differ itself is hatched, in the shade of
    /// the largest change among its descendants.
    private let shades: [Int: [TileID: TileShade]]
    /// True if the second archive is shown.
    var showsSecond = true
    /// The first column of the second archive while both are shown side by side; nil while one is shown.
    var edge: Int?
    /// True while the mouse moves the edge.
    var isEdgeHeld = false

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
                        var shade = TileShade(change)
                        shade.isHatched = !isOwn
                        shades[zoom, default: [:]][tile] = shade
                    }
                }
            }
        }
        self.shades = shades
    }

    /// Returns the shade of a tile; nil if neither it nor a descendant differs.
    func shade(of tile: TileID) -> TileShade? { shades[tile.zoom]?[tile] }

    var legend: (title: String, rows: [(shade: TileShade, words: String)]) {
        let rows = Kind.allCases.map { kind in
            (TileShade(kind, amount: 1 << 20), "\(kind.rawValue) \(AmountText.count(counts[kind] ?? 0))")
        }
        return (edge == nil ? titles[showsSecond ? 1 : 0] : titles.joined(separator: " | "), rows)
    }

    /// The titles of the archives.
    var titles: [String] { ["1: \(names.first)", "2: \(names.second)"] }
}

extension MapComparison.Change {
    fileprivate var text: String {
        switch kind {
        case .added: "added, \(AmountText.bytes(bytes.second))"
        case .removed: "removed, \(AmountText.bytes(bytes.first))"
        case .changed:
            difference.map { $0 == 0 ? "same colours" : "colours differ by " + AmountText.percent($0) }
                ?? "\(AmountText.bytes(bytes.first)) → \(AmountText.bytes(bytes.second))"
        }
    }
}

extension MapComparison.Kind {
    /// The colour of tiles and features.
    public var shade: RGB {
        switch self {
        case .added: RGB(0x1B9E4B)
        case .removed: RGB(0xD7263D)
        case .changed: RGB(0xE8A317)
        }
    }
}

extension TileShade {
    fileprivate init(_ change: MapComparison.Change) { self.init(change.kind, amount: change.amount) }

    /// Creates the shade of a change, stronger for larger ones.
    fileprivate init(_ kind: MapComparison.Kind, amount: Int) {
        let weight = amount < 1000 ? 0.35 : amount < 10_000 ? 0.5 : 0.65
        switch kind {
        case .added: self.init(colour: kind.shade, weight: weight, sixteen: 10, sign: "+", ascii: "+")
        case .removed: self.init(colour: kind.shade, weight: weight, sixteen: 9, sign: "−", ascii: "-")
        case .changed:
            let sign: Unicode.Scalar = amount < 1000 ? "░" : amount < 10_000 ? "▒" : "▓"
            self.init(colour: kind.shade, weight: weight, sixteen: 11, sign: sign, ascii: "~")
        }
    }
}
