internal import RhumbCore

/// A label that may be written on the map, and where it belongs.
struct MapLabel: Sendable {
    enum Anchor: Sendable {
        case point(WorldPoint)
        /// Along a line of at least two points.
        case line([WorldPoint])
    }

    enum Ink: Sendable, Equatable {
        /// The theme's usual colour of labels.
        case plain
        /// The colour of small settlements.
        case quiet
        case country
        case water
        case landscape
        /// The colour of the style, used where it is readable.
        case style(RGB)

        /// True if the colour distinguishes the kind of feature.
        var isOfStyle: Bool { if case .style = self { true } else { false } }
    }

    /// Of two labels the one with the lower rank comes first.
    struct Rank: Sendable, Comparable {
        let layer: Int
        let sortKey: Double
        /// The longest lines and the largest areas come first.
        let size: Double
        let tile: TileID
        let order: Int

        static func < (a: Rank, b: Rank) -> Bool {
            (a.layer, a.sortKey, b.size, a.tile, a.order) < (b.layer, b.sortKey, a.size, b.tile, b.order)
        }
    }

    /// Harmless; empty only where the sign stands alone. Text that runs from right to left stays in
    /// its logical order, as one run: putting it in order is the terminal's work, where it can.
    let text: String
    /// The same for labels that differ in case alone.
    let key: String
    /// Columns of the text.
    let width: Int
    /// The sign of the place; nil to centre the text on it.
    let sign: MapSign?
    let anchor: Anchor
    let rank: Rank
    let ink: Ink
    /// Letters of weight.
    let isBold: Bool
    /// The breadth of the area it names, in widths of the world; 0 where it names none.
    let breadth: Double
    /// Cells kept free beside it.
    let columnsAround: Int
    /// Rows kept free above and below it.
    private(set) var rowsAround: Int

    /// Longer labels are cut.
    private static let limit = 40
    /// The zoom from which names of cities are bold, so that they differ from those of villages.
    private static let regionZoom = 7.0
    /// Letters of a style from this size are bold, but for those along lines.
    private static let boldSize = 14.0
}

extension MapLabel {
    /// The same with others right above and below it.
    var crowded: MapLabel {
        var label = self
        label.rowsAround = 0
        return label
    }

    /// A label of a vector tile; nil for a picture without text that has no sign.
    init?(_ label: VectorLabel, of tile: TileID, isUnicode: Bool) {
        let side = Double(1 << tile.zoom)
        func world(_ point: SIMD2<Double>) -> WorldPoint {
            WorldPoint(x: (Double(tile.x) + point.x) / side, y: (Double(tile.y) + point.y) / side)
        }
        let text = SafeText.sanitised(
            isUnicode ? label.text : Transliteration.ascii(label.text), limit: MapLabel.limit)
        self.text = text
        key = text.lowercased()
        width = text.width
        var size = label.breadth, isLine = false
        switch label.anchor {
        case .point(let point):
            anchor = .point(world(point))
            var sign = label.icon.flatMap { MapSign(icon: $0) ?? (text.isEmpty ? nil : .dot) }
            sign?.ink = label.iconColour
            self.sign = sign
        case .line(let line):
            anchor = .line(line.map(world))
            sign = nil
            isLine = true
            for (a, b) in zip(line, line.dropFirst()) { size += ((b - a) * (b - a)).sum().squareRoot() }
        }
        guard !text.isEmpty || sign != nil else { return nil }
        rank = Rank(
            layer: label.rank.layer, sortKey: label.rank.sortKey, size: size, tile: tile,
            order: label.rank.order)
        ink = .style(label.colour.rgb)
        isBold = label.size >= MapLabel.boldSize && !isLine
        breadth = label.breadth / side
        columnsAround = max(Int((label.padding / Viewport.pixelsPerColumn).rounded()), 1)
        rowsAround = max(Int((label.padding / Viewport.pixelsPerColumn / 2).rounded(.down)), 1)
    }

    /// The label of a place.
    /// - Parameters:
    ///   - line: The course of a river; nil for a label at the place's coordinate.
    ///   - order: 0 for the most important.
    ///   - zoom: The zoom of the map; nil if unknown.
    init(
        _ place: NamedPlace, along line: [WorldPoint]? = nil, order: Int, in language: NameLanguage,
        zoom: Double? = nil
    ) {
        text = SafeText.sanitised(place.name(in: language), limit: MapLabel.limit)
        key = text.lowercased()
        width = text.width
        sign = MapSign(place)
        anchor = line.map { .line($0) } ?? .point(Mercator.world(place.coordinate))
        rank = Rank(layer: .max, sortKey: 0, size: 0, tile: .world, order: order)
        ink =
            switch place.kind {
            case .country: .country
            case .water, .river: .water
            case .landscape, .peak: .landscape
            case .town, .village: place.isLargeTown ? .plain : .quiet
            case .region, .capital, .city, .island: .plain
            }
        isBold =
            place.kind == .country || place.kind == .capital
            || place.kind == .city && (zoom ?? 0) >= Self.regionZoom
        breadth = 0
        columnsAround = 1
        rowsAround = 1
    }
}

extension NamedPlace {
    /// True for towns from 20,000 people.
    var isLargeTown: Bool { kind == .town && population >= 20_000 }

    /// Returns true if it is named on a map of that zoom.
    func isNamed(at zoom: Double) -> Bool {
        switch kind {
        // Those too small for an outline of their own.
        case .country: (importance >= 6 ? 3.5 : 5)..<AreaLabels.nearest ~= zoom
        case .region, .river, .island: false
        case .capital: zoom >= 2
        case .city, .town, .village: zoom >= 3
        case .water, .landscape: isInView(at: zoom)
        case .peak: zoom >= 7
        }
    }

    /// Returns true if a feature that is named by its size is large enough in view, and not too large.
    private func isInView(at zoom: Double) -> Bool {
        let first = max(7 - importance, 0) * 2
        return (first..<(first + 5)).contains(max(zoom, 0))
    }
}
