internal import RhumbCore

/// A label for the map, with its anchor and importance.
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
        /// The colour of the heights of contour lines.
        case height
        /// The colour of the style, used where it is readable.
        case style(RGB)

        /// True if the colour comes from the style.
        var isOfStyle: Bool { if case .style = self { true } else { false } }
    }

    /// The order in which labels are placed, lowest rank first.
    struct Rank: Sendable, Comparable {
        let layer: Int
        let sortKey: Double
        /// The length of the line or the breadth of the area. Larger ones come first.
        let size: Double
        let tile: TileID
        let order: Int

        static func < (a: Rank, b: Rank) -> Bool {
            (a.layer, a.sortKey, b.size, a.tile, a.order) < (b.layer, b.sortKey, a.size, b.tile, b.order)
        }
    }

    /// Sanitised text, empty only if the label is just a sign. Right-to-left text stays in logical order, as
    /// one run, because reordering it is the terminal's task.
    let text: String
    /// The text in lower case, so that labels that differ only in case count as equal.
    let key: String
    /// The width of the text, in columns.
    let width: Int
    /// The sign of the place; nil to centre the text on it.
    let sign: MapSign?
    let anchor: Anchor
    let rank: Rank
    private(set) var ink: Ink
    /// True if the text is bold.
    let isBold: Bool
    /// True for the capital of a country, where countries are named.
    private(set) var isCapital = false
    /// True for the name of a range, a river, an island or another feature that a view names once.
    private(set) var isNamedOnce = false
    /// True for the name of an island of the table of natural features.
    private(set) var isIsland = false
    /// The breadth of the named area, as a share of the world's width; 0 if the label names no area.
    let breadth: Double
    /// The number of cells kept free on either side of the label.
    let columnsAround: Int
    /// The number of rows kept free above and below the label.
    private(set) var rowsAround: Int

    /// The maximum length of a label. Longer ones are truncated.
    private static let limit = 40
    /// The zoom from which city names are bold, to distinguish them from villages.
    private static let regionZoom = 7.0
    /// The minimum text size of the style for bold labels. Labels along lines are never bold.
    private static let boldSize = 14.0
}

extension MapLabel {
    /// A copy of the label that may have others right above and below it.
    var crowded: MapLabel {
        var label = self
        label.rowsAround = 0
        return label
    }

    /// A copy of the label as the height of a contour line.
    var asHeight: MapLabel {
        var label = self
        label.ink = .height
        return label
    }

    /// Creates the label of a vector tile. Returns nil for an icon without text that has no sign.
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
        columnsAround = max(Int(clamping: label.padding / Viewport.pixelsPerColumn), 1)
        rowsAround = max(Int(clamping: (label.padding / Viewport.pixelsPerColumn / 2).rounded(.down)), 1)
    }

    /// Creates the label of a place.
    /// - Parameters:
    ///   - line: The course of a river or the middle of an area; nil for a label at the place itself.
    ///   - height: The text of its height, behind the name.
    ///   - order: 0 for the most important.
    ///   - zoom: The zoom of the map; nil if unknown.
    init(
        _ place: NamedPlace, along line: [WorldPoint]? = nil, height: String? = nil, order: Int,
        in language: NameLanguage,
        zoom: Double? = nil
    ) {
        let name = SafeText.sanitised(place.name(in: language), limit: MapLabel.limit)
        // A port is a sign only, because most have the name of their town.
        text = place.kind == .port ? "" : [name, height].compactMap(\.self).joined(separator: " ")
        key = name.lowercased()
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
            case .sight, .airport, .port: .quiet
            case .region, .capital, .city, .island: .plain
            }
        isBold =
            place.kind == .country || place.kind == .capital
            || place.kind == .city && (zoom ?? 0) >= Self.regionZoom
        breadth = 0
        columnsAround = 1
        rowsAround = 1
        isNamedOnce = [.landscape, .island, .peak, .water, .river].contains(place.kind)
        isIsland = place.kind == .island && line != nil
        isCapital = place.kind == .capital && zoom.map(AreaLabels.capitals.contains) == true
    }
}

extension NamedPlace {
    /// True for towns of at least 20,000 inhabitants.
    var isLargeTown: Bool { kind == .town && population >= 20_000 }

    /// Returns true if the place is named on a map of the given zoom.
    func isNamed(at zoom: Double) -> Bool {
        switch kind {
        // Countries too small for an outline of their own.
        case .country: (importance >= 6 ? 3.5 : 5)..<AreaLabels.nearest ~= zoom
        case .region, .river, .island: false
        case .capital: zoom >= 2
        case .city, .town, .village: zoom >= 3
        case .water, .landscape: isInView(at: zoom)
        case .peak: zoom >= 7
        case .airport, .port: zoom >= 8
        case .sight: false
        }
    }

    /// Returns true if a feature that is named by its size is large enough in view, and not too large.
    private func isInView(at zoom: Double) -> Bool {
        let first = max(7 - importance, 0) * 2
        return (first..<(first + 5)).contains(max(zoom, 0))
    }
}
