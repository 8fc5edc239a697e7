public import RhumbCells
public import RhumbGeo
public import RhumbVector

/// The content of a vector tile of traffic that isn't drawn by the style.
public struct TrafficTileContent: Sendable, Equatable {
    /// The markers of incidents located on the tile itself.
    public private(set) var signs: [TrafficSign] = []
    /// The number of unusable features: damaged, or without a level or category.
    public private(set) var unknownCount = 0

    /// Reads a tile, regardless of the names of its layers.
    public init(_ tile: VectorTile, at id: TileID, _ kind: TrafficKind) {
        var reader = GeometryReader()
        for name in tile.layerNames {
            guard let layer = try? tile.layer(named: name) else {
                unknownCount += 1
                continue
            }
            unknownCount += layer.damagedCount
            for feature in layer.features {
                let values = layer.attributes(of: feature).map(TrafficAttributes.init)
                guard let values, values.isKnown(as: kind, feature.kind), reader.read(feature, of: layer)
                else {
                    unknownCount += 1
                    continue
                }
                if kind == .incidents { addSigns(values, reader.geometry, feature.kind, id, layer.extent) }
            }
        }
    }

    private mutating func addSigns(
        _ values: TrafficAttributes, _ shape: VectorGeometry, _ kind: VectorFeature.Kind, _ id: TileID,
        _ extent: Int
    ) {
        guard kind == .point else { return }
        let box = id.box, side = box.maxX - box.minX
        for point in shape.points
        where (0..<Int32(extent)).contains(point.x) && (0..<Int32(extent)).contains(point.y) {
            let x = Double(point.x) / Double(extent), y = Double(point.y) / Double(extent)
            signs.append(
                TrafficSign(
                    place: WorldPoint(x: box.minX + x * side, y: box.minY + y * side),
                    category: values.category ?? .unknown, magnitude: values.magnitude ?? .unknown))
        }
    }
}

extension TrafficAttributes {
    fileprivate func isKnown(as kind: TrafficKind, _ shape: VectorFeature.Kind) -> Bool {
        switch kind {
        case .flow: shape == .line && (isClosed || level != nil)
        case .incidents: (shape == .line || shape == .point) && (category != nil || magnitude != nil)
        }
    }
}

/// The marker of an incident on the map.
public struct TrafficSign: Hashable, Sendable {
    /// The position in world coordinates.
    public let place: WorldPoint
    /// The category of the incident.
    public let category: TrafficIncident.Category
    /// The magnitude of the delay.
    public let magnitude: TrafficIncident.Magnitude

    /// Creates a marker.
    public init(place: WorldPoint, category: TrafficIncident.Category, magnitude: TrafficIncident.Magnitude) {
        self.place = place
        self.category = category
        self.magnitude = magnitude
    }

    /// Returns the marker's cell: a letter on the colour of its magnitude. With 16 colours or none, only the
    /// letter distinguishes incidents.
    public func cell(_ depth: ColorDepth) -> Cell { TrafficSign.cell(category, magnitude, depth) }

    /// Returns the marker's cell for a category and a magnitude.
    public static func cell(
        _ category: TrafficIncident.Category, _ magnitude: TrafficIncident.Magnitude, _ depth: ColorDepth
    ) -> Cell {
        let colour = magnitude.colour
        let ink = RGB(OKLab(colour).lightness > 0.6 ? 0 : 0xFFFFFF)
        switch depth {
        case .mono: return Cell(category.letter, style: [.bold, .reverse])
        case .indexed16: return Cell(category.letter, ink: .indexed(15), paper: .indexed(5), style: .bold)
        case .indexed256:
            return Cell(
                category.letter, ink: .indexed(Palette256.nearest(ink)),
                paper: .indexed(Palette256.nearest(colour)),
                style: .bold)
        case .truecolor: return Cell(category.letter, ink: .rgb(ink), paper: .rgb(colour), style: .bold)
        }
    }
}

extension TrafficIncident.Category {
    /// The letter that marks the category on the map.
    public var letter: Unicode.Scalar {
        switch self {
        case .unknown: "!"
        case .accident: "A"
        case .fog: "F"
        case .danger: "D"
        case .rain: "R"
        case .ice: "I"
        case .jam: "J"
        case .laneClosed: "L"
        case .roadClosed: "X"
        case .roadWorks: "W"
        case .wind: "S"
        case .flooding: "U"
        case .brokenDown: "B"
        }
    }
}
