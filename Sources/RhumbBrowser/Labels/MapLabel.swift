internal import RhumbCore

/// A label for the map, with its anchor and importance.
struct MapLabel: Sendable {
    enum Anchor: Sendable {
        case point(WorldPoint)
        /// Along a line of at least two points.
        case line([WorldPoint])
    }

    enum Ink: Hashable, Sendable {
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
    /// True for the name of a city, a town or a village of the gazetteer.
    private(set) var isSettlement = false
    /// True for the name of a range, a plain, an island or another area on land.
    private(set) var isArea = false
    /// The breadth of the named area, as a share of the world's width; 0 if the label names no area.
    let breadth: Double
    /// The number of cells kept free on either side of the label.
    let columnsAround: Int
    /// The number of rows kept free above and below the label.
    private(set) var rowsAround: Int

    /// The maximum length of a label. Longer ones are truncated.
    private static let limit = 40
    /// The zooms from which names of cities are bold: those of 10 million people from the first, and of
    /// 100,000 people from the second.
    private static let boldZooms = (4.0, 9.0)
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
    ///   - role: The object of the label besides the kind of the place.
    ///   - order: 0 for the most important.
    ///   - zoom: The zoom of the map; nil if unknown.
    init(
        _ place: NamedPlace, along line: [WorldPoint]? = nil, height: String? = nil, role: Role = .place,
        order: Int, in language: NameLanguage,
        zoom: Double? = nil
    ) {
        let name = SafeText.sanitised(place.name(in: language), limit: MapLabel.limit)
        text = [name, height].compactMap(\.self).joined(separator: " ")
        key = name.lowercased()
        width = text.width
        sign = MapSign(place)
        anchor = line.map { .line($0) } ?? .point(Mercator.world(place.coordinate))
        rank = Rank(layer: .max, sortKey: 0, size: 0, tile: .world, order: order)
        ink =
            switch place.kind {
            case .country: place.isDependency ? .plain : .country
            case .water, .river: .water
            case .landscape, .peak: .landscape
            case .city, .town, .village: role != .suburb && place.isLargeTown ? .plain : .quiet
            case .sight, .airport, .port: .quiet
            case .region, .capital, .island: .plain
            }
        isBold =
            switch place.kind {
            case .country: !place.isDependency
            case .capital: true
            case .city: role != .suburb && place.importance >= Self.boldImportance(at: zoom ?? 0)
            default: false
            }
        breadth = 0
        columnsAround = 1
        rowsAround = 1
        isNamedOnce =
            [.landscape, .island, .peak, .water, .river].contains(place.kind) || role == .area
        isIsland = role == .area && place.kind != .landscape && line != nil
        isArea = role == .area
        isSettlement = place.kind.isSettlement
        isCapital = place.kind == .capital && zoom.map(AreaLabels.capitals.contains) == true
    }
}

extension MapLabel {
    /// The object of a label, besides the kind of the place.
    enum Role: Sendable {
        case place
        /// A range, a plain, an island or another area on land, by its middle.
        case area
        /// A town beside a city that is many times as large.
        case suburb
    }

    private static func boldImportance(at zoom: Double) -> Double {
        let (first, last) = boldZooms
        return max(7 - 2 * (zoom - first) / (last - first), 5)
    }
}

extension NamedPlace {
    /// True for settlements of at least 20,000 inhabitants.
    var isLargeTown: Bool { population >= 20_000 }

    /// True for a territory that belongs to another country.
    var isDependency: Bool { kind == .country && Self.dependencies.contains(countryCode) }

    private static let dependencies = Set(
        """
        AI AQ AS AW AX BL BM BQ BV CC CK CW CX FK FO GF GG GI GL GP GS GU HK HM IM IO JE KY MF MO MP MQ MS NC NF NU \
        PF PM PN PR RE SH SJ SX TC TF TK UM VG VI WF YT
        """.split(separator: " ").map(String.init))

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
