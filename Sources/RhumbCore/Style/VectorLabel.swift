/// A name that a style would write on the map, before anybody decided whether there is room.
public struct VectorLabel: Sendable, Hashable {
    /// Where it belongs on the tile: its north-western corner is (0, 0), its south-eastern (1, 1).
    public enum Anchor: Sendable, Hashable {
        case point(SIMD2<Double>)
        /// Along a line of at least two points.
        case line([SIMD2<Double>])
    }

    /// Harmless to a terminal, one line, never empty.
    public let text: String
    public let anchor: Anchor
    /// Of two labels the one with the lower rank comes first: layers from the top of the style
    /// down, then the style's sort key, then the order in the tile.
    public let rank: Rank
    /// The style layer it comes from.
    public let layer: String
    public let colour: StyleColour
    /// Clear where the style draws no halo.
    public let halo: StyleColour
    /// The letters' size in the style's pixels.
    public let size: Double
    /// The name of the picture that stands at the point, such as "star"; nil for none.
    public let icon: String?
    /// Whether it may lie over other labels.
    public let mayOverlap: Bool

    public struct Rank: Sendable, Hashable, Comparable {
        /// 0 for the style's topmost layer.
        public let layer: Int
        public let sortKey: Double
        public let order: Int

        public static func < (a: Rank, b: Rank) -> Bool {
            (a.layer, a.sortKey, a.order) < (b.layer, b.sortKey, b.order)
        }
    }
}

/// The labels of one tile.
public struct VectorTileLabels: Sendable {
    /// Those that count first come first. A feature in the margin of its tile is left to the
    /// tile it lies in; lines are whole, as the tile has them.
    public let labels: [VectorLabel]

    /// Finds the labels of a tile.
    /// - Parameters:
    ///   - tile: the tile; a damaged layer or feature gives none.
    ///   - style: whose symbol layers name them.
    ///   - source: the style's source that the tile stands for.
    ///   - zoom: by the style's convention, see `StyleContext.zoom`.
    ///   - limit: the most labels of one style layer.
    public init(
        _ tile: VectorTile, style: Style, source: String, zoom: Double, limit: Int = 2000
    ) {
        var finder = LabelFinder(context: StyleContext(style, zoom: zoom), limit: limit)
        let symbols = style.layers.reversed()
            .filter { $0.kind == .symbol && $0.source == source && $0.isShown(at: zoom) }
        for (rank, layer) in symbols.enumerated() {
            guard let name = layer.sourceLayer, let data = try? tile.layer(named: name) else { continue }
            finder.find(layer, in: data, rank: rank)
        }
        labels = finder.labels.sorted { $0.rank < $1.rank }
    }
}

/// Goes through features and keeps what has a name.
private struct LabelFinder {
    var context: StyleContext
    let limit: Int
    var labels: [VectorLabel] = []
    private var geometry = GeometryReader()

    init(context: StyleContext, limit: Int) {
        self.context = context
        self.limit = limit
    }

    mutating func find(_ layer: StyleLayer, in data: VectorLayer, rank: Int) {
        context.enter(data)
        let end = labels.count + limit
        for (order, feature) in data.features.enumerated() where labels.count < end {
            guard context.enter(feature), layer.filter?.admits(&context) != false,
                let text = text(of: layer), geometry.read(feature, of: data)
            else { continue }
            let rank = VectorLabel.Rank(layer: rank, sortKey: layer.number(.symbolSortKey, &context), order: order)
            for anchor in anchors(layer, feature.kind, data.extent) where labels.count < end {
                labels.append(label(text, anchor, rank, layer))
            }
        }
    }

    private mutating func text(of layer: StyleLayer) -> String? {
        let text = SafeText.sanitised(layer.text(.textField, &context) ?? "", limit: 200)
        guard !text.isEmpty else { return nil }
        switch layer.text(.textTransform, &context) {
        case "uppercase": return text.uppercased()
        case "lowercase": return text.lowercased()
        default: return text
        }
    }

    private mutating func label(
        _ text: String, _ anchor: VectorLabel.Anchor, _ rank: VectorLabel.Rank, _ layer: StyleLayer
    ) -> VectorLabel {
        let hasHalo = layer.number(.textHaloWidth, &context) > 0
        let icon = layer.text(.iconImage, &context).map { SafeText.sanitised($0, limit: 80) }
        return VectorLabel(
            text: text, anchor: anchor, rank: rank, layer: layer.id, colour: layer.colour(.textColour, &context),
            halo: hasHalo ? layer.colour(.textHaloColour, &context) : .clear,
            size: layer.number(.textSize, &context), icon: icon?.isEmpty == false ? icon : nil,
            mayOverlap: layer.flag(.textAllowOverlap, &context))
    }

    private mutating func anchors(
        _ layer: StyleLayer, _ kind: VectorFeature.Kind, _ extent: Int
    ) -> [VectorLabel.Anchor] {
        let shape = geometry.geometry
        let followsLine = (layer.text(.symbolPlacement, &context) ?? "point") != "point"
        if followsLine {
            guard kind == .line || kind == .polygon else { return [] }
            return (0..<shape.partCount).map { .line(shape.points[shape.part($0)].map { placed($0, extent) }) }
        }
        let points: [VectorGeometry.Point] =
            switch kind {
            case .point: shape.points
            case .line: (0..<shape.partCount).compactMap { shape.middle(ofLine: $0) }
            case .polygon: shape.largestRingCentre.map { [$0] } ?? []
            case .unknown: []
            }
        return points.filter { (0..<Int32(extent)).contains($0.x) && (0..<Int32(extent)).contains($0.y) }
            .map { .point(placed($0, extent)) }
    }

    private func placed(_ point: VectorGeometry.Point, _ extent: Int) -> SIMD2<Double> {
        SIMD2(Double(point.x), Double(point.y)) / Double(extent)
    }
}

extension VectorGeometry {
    /// The point in the middle of a line's run of points.
    fileprivate func middle(ofLine index: Int) -> Point? {
        let range = part(index)
        return range.isEmpty ? nil : points[range.lowerBound + range.count / 2]
    }

    /// The centre of gravity of the ring with the largest area; nil without one.
    fileprivate var largestRingCentre: Point? {
        let areas = (0..<partCount).map { abs(doubleArea(ofPart: $0)) }
        guard let most = areas.max(), most > 0, let ring = areas.firstIndex(of: most) else { return nil }
        var x = 0.0, y = 0.0, area = 0.0
        let range = part(ring)
        var last = points[range.upperBound - 1]
        for point in points[range] {
            let cross = Double(last.x) * Double(point.y) - Double(point.x) * Double(last.y)
            x += Double(last.x + point.x) * cross
            y += Double(last.y + point.y) * cross
            area += cross
            last = point
        }
        // Rings that cross themselves may have their centre anywhere.
        let centre = SIMD2(x, y) / (3 * area)
        guard abs(centre.x) < 1e6, abs(centre.y) < 1e6 else { return nil }
        return Point(Int32(centre.x.rounded()), Int32(centre.y.rounded()))
    }
}
