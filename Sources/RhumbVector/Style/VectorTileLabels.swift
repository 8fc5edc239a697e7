internal import RhumbBase
internal import RhumbCells
public import RhumbGeo

/// The labels of one tile.
public struct VectorTileLabels: Sendable {
    /// The labels in order of priority. Features in the margin are left to the tile that contains them. Lines
    /// are as long as in the tile, joined if they have the same name.
    public let labels: [VectorLabel]

    /// Collects the labels of a tile.
    /// - Parameters:
    ///   - tile: The tile. Damaged layers and features have no labels.
    ///   - style: The style with the symbol layers.
    ///   - source: The style's source to which the tile belongs.
    ///   - zoom: The style's zoom, see `StyleContext.zoom`.
    ///   - language: The language of plain names.
    ///   - limit: Maximum number of labels per style layer.
    public init(
        _ tile: VectorTile, style: Style, source: String, zoom: Double, language: NameLanguage = .local,
        limit: Int = 2000
    ) {
        self.init(
            style: style, source: source, zoom: zoom, language: language, limit: limit, names: tile.layerNames
        ) { name in
            tile.layer(named: name, by: style.featureUse(ofLayer: name, source: source))
        }
    }

    /// Collects the labels of a tile from decoded layers.
    /// - Parameters:
    ///   - layer: Returns a layer of the tile with its features grouped for the style; nil if there is none
    ///     or it is damaged.
    ///   - tile: The tile; nil if unknown.
    ///   - names: The names of the tile's layers, for style layers that draw all of them.
    public init(
        style: Style, source: String, zoom: Double, tile: TileID? = nil, language: NameLanguage = .local,
        limit: Int = 2000, names: [String] = [], layer: (String) -> FeatureClasses?
    ) {
        var finder = LabelFinder(
            context: StyleContext(style, zoom: zoom, tile: tile), language: language, limit: limit)
        let symbols = style.layers.reversed()
            .filter { $0.kind == .symbol && $0.source == source && $0.isShown(at: zoom) }
        for (rank, symbol) in symbols.enumerated() {
            guard let wanted = symbol.sourceLayer else { continue }
            for name in wanted == Style.anyLayer ? names : [wanted] {
                if let data = layer(name) { finder.find(symbol, in: data, rank: rank) }
            }
        }
        labels = LineJoining.joined(finder.labels.sorted { $0.rank < $1.rank })
    }
}

/// Collects the labelled features of layers.
private struct LabelFinder {
    var context: StyleContext
    let language: NameLanguage
    let limit: Int
    var labels: [VectorLabel] = []
    private var geometry = GeometryReader()

    init(context: StyleContext, language: NameLanguage, limit: Int) {
        self.context = context
        self.language = language
        self.limit = limit
    }

    mutating func find(_ layer: StyleLayer, in tile: FeatureClasses, rank: Int) {
        let data = tile.layer
        context.enter(data)
        let isNamed = tile.map(&context) { layer.filter?.admits(&$0) != false }.map { $0 == true }
        let usual = layer.usesFeature(LabelStyle.properties) ? nil : LabelStyle(layer, &context)
        let end = labels.count + limit
        for (order, feature) in data.features.enumerated() where labels.count < end {
            let number = Int(tile.classes[order])
            guard number >= 0, isNamed[number], context.enter(feature) else { continue }
            let style = usual ?? LabelStyle(layer, &context)
            guard let (text, icon) = words(of: layer, style), geometry.read(feature, of: data) else {
                continue
            }
            let rank = VectorLabel.Rank(
                layer: rank, sortKey: layer.number(.symbolSortKey, &context), order: order)
            let breadth = breadth(feature.kind, data.extent)
            for anchor in anchors(style, feature.kind, data.extent) where labels.count < end {
                labels.append(
                    style.label(
                        text, icon, icon.flatMap { context.colour(ofIcon: $0) }, anchor, rank, layer.id,
                        breadth))
            }
        }
    }

    /// Returns the text and the icon of a feature; nil if it has neither.
    private mutating func words(of layer: StyleLayer, _ style: LabelStyle) -> (text: String, icon: String?)? {
        let text = text(of: layer, style)
        let icon = layer.text(.iconImage, &context).map { SafeText.sanitised($0, limit: 80) }
        let picture = icon?.isEmpty == false ? icon : nil
        return text.isEmpty && picture == nil ? nil : (text, picture)
    }

    private mutating func text(of layer: StyleLayer, _ style: LabelStyle) -> String {
        context.language = language
        defer { context.language = .local }
        let text = SafeText.sanitised(layer.text(.textField, &context) ?? "", limit: 200)
        switch style.transform {
        case "uppercase": return text.uppercased()
        case "lowercase": return text.lowercased()
        default: return text
        }
    }

    private func anchors(
        _ style: LabelStyle, _ kind: VectorFeature.Kind, _ extent: Int
    ) -> [VectorLabel.Anchor] {
        let shape = geometry.geometry
        if style.followsLine {
            guard kind == .line || kind == .polygon else { return [] }
            return (0..<shape.partCount).map {
                .line(shape.points[shape.part($0)].map { placed($0, extent) })
            }
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

    private func breadth(_ kind: VectorFeature.Kind, _ extent: Int) -> Double {
        guard kind == .polygon else { return 0 }
        let area = (0..<geometry.geometry.partCount).reduce(0) {
            $0 + geometry.geometry.doubleArea(ofPart: $1)
        }
        return (Double(abs(area)) / 2).squareRoot() / Double(extent)
    }

    private func placed(_ point: VectorGeometry.Point, _ extent: Int) -> SIMD2<Double> {
        SIMD2(Double(point.x), Double(point.y)) / Double(extent)
    }
}

/// The appearance of a symbol layer's labels.
private struct LabelStyle {
    static let properties: [StyleProperty] = [
        .textColour, .textHaloColour, .textHaloWidth, .textSize, .textPadding,
        .textTransform,
        .symbolPlacement,
    ]

    let colour: StyleColour
    let halo: StyleColour
    let size: Double
    let padding: Double
    let transform: String?
    let followsLine: Bool

    init(_ layer: StyleLayer, _ context: inout StyleContext) {
        colour = layer.colour(.textColour, &context)
        halo = layer.number(.textHaloWidth, &context) > 0 ? layer.colour(.textHaloColour, &context) : .clear
        size = layer.number(.textSize, &context)
        padding = layer.number(.textPadding, &context)
        transform = layer.text(.textTransform, &context)
        followsLine = (layer.text(.symbolPlacement, &context) ?? "point") != "point"
    }

    func label(
        _ text: String, _ icon: String?, _ iconColour: RGB?, _ anchor: VectorLabel.Anchor,
        _ rank: VectorLabel.Rank, _ layer: String,
        _ breadth: Double
    ) -> VectorLabel {
        VectorLabel(
            text: text, anchor: anchor, rank: rank, layer: layer, colour: colour, halo: halo, size: size,
            icon: icon,
            iconColour: iconColour, padding: padding, breadth: breadth)
    }
}

extension VectorGeometry {
    /// Returns the middle one of a line's points.
    fileprivate func middle(ofLine index: Int) -> Point? {
        let range = part(index)
        return range.isEmpty ? nil : points[range.lowerBound + range.count / 2]
    }

    /// The centroid of the ring with the largest area; nil if there is none.
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
        // The centroid of a self-intersecting ring may be anywhere.
        let centre = SIMD2(x, y) / (3 * area)
        guard abs(centre.x) < 1e6, abs(centre.y) < 1e6 else { return nil }
        return Point(Int32(clamping: centre.x), Int32(clamping: centre.y))
    }
}
