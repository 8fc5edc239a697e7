internal import RhumbBase
internal import RhumbCells
public import RhumbGeo

/// The context in which an expression is evaluated: a zoom and optionally a feature.
public struct StyleContext: Sendable {
    /// The zoom in the style specification's convention, one less than the map's: the world is 512 pixels
    /// wide at zoom 0.
    public var zoom: Double
    /// The number of zooms by which colours are those of a lower zoom.
    public var zoomsAhead = 0.0
    /// The position along a line, or the density of a heatmap, 0…1.
    public var progress = 0.5
    /// The values of the variables; nil for one that has none.
    var variables: [StyleValue?] = []
    /// The language of plain names.
    var language = NameLanguage.local
    private let names: [String]
    let imageColours: [String: StyleColour]
    let patterns: [String: StyleImage]
    /// The tile whose features are entered; nil if unknown.
    let tile: TileID?
    private var layer: VectorLayer?
    private var feature: VectorFeature?
    private var reader = GeometryReader()
    private var tags: [UInt32] = []
    /// For each attribute name of the style, its index in the layer's keys; -1 if missing.
    private var keyOfName: [Int32] = []
    /// A cache of `keyOfName` by layer name, because style layers alternate between a tile's layers.
    private var keysOfLayers: [String: [Int32]] = [:]

    /// Creates a context without a feature.
    /// - Parameters:
    ///   - zoom: The style's zoom.
    ///   - tile: The tile whose features will be entered; nil if unknown. Without it, no feature is within an
    ///     area or has a distance.
    public init(_ style: Style, zoom: Double, tile: TileID? = nil) {
        self.zoom = zoom
        self.tile = tile
        names = style.attributeNames
        imageColours = style.imageColours
        patterns = style.patterns
    }

    init(names: [String], zoom: Double, tile: TileID? = nil) {
        self.zoom = zoom
        self.tile = tile
        self.names = names
        imageColours = [:]
        patterns = [:]
    }

    /// Returns the mean colour of a sprite's image; nil if it isn't loaded or is a meaningless grey.
    func colour(ofIcon name: String) -> RGB? {
        guard let mean = imageColours[name], mean.alpha > 0.2 else { return nil }
        let channels = [mean.red, mean.green, mean.blue]
        return (channels.max() ?? 0) - (channels.min() ?? 0) < 0.15 ? nil : mean.rgb
    }

    /// Returns false if the style's images are loaded and have no such name.
    func mayHaveImage(named name: String) -> Bool { imageColours.isEmpty || imageColours[name] != nil }

    /// Enters a layer of a tile, which must be the same tile throughout. Its features can then be entered.
    public mutating func enter(_ layer: VectorLayer) {
        if let cached = keysOfLayers[layer.name] {
            keyOfName = cached
        } else {
            keyOfName = names.map { name in
                layer.keyNumbers[name == "name" ? layer.nameKey : name].map { Int32($0) } ?? -1
            }
            keysOfLayers[layer.name] = keyOfName
        }
        self.layer = layer
        feature = nil
    }

    /// Enters a feature of the layer.
    /// - Returns: False if its attributes are damaged.
    public mutating func enter(_ feature: VectorFeature) -> Bool {
        guard let layer, layer.readTags(of: feature, into: &tags) else { return false }
        self.feature = feature
        return true
    }

    /// Returns the attribute with a number in the style's names; nil if the feature has none.
    func attribute(_ name: Int) -> StyleValue? {
        guard name < keyOfName.count else { return nil }
        if language != .local, names[name] == "name", let found = translatedName { return found }
        let key = keyOfName[name]
        guard key >= 0 else { return nil }
        return value { tags[$0] == key }
    }

    /// Returns the value of the first tag for whose key, at an index in `tags`, a closure returns true.
    /// Copying the layer out of its optional would retain and release all its parts for each attribute.
    private func value(where isMeant: (Int) -> Bool) -> StyleValue? {
        guard let values = layer?.values else { return nil }
        for at in stride(from: 0, to: tags.count, by: 2) where isMeant(at) {
            return StyleValue(values[Int(tags[at + 1])])
        }
        return nil
    }

    /// The feature's name in the language; nil to use its own.
    private var translatedName: StyleValue? {
        if let found = language.ownAttributes.firstNonNil({ attribute(named: $0) }) {
            guard language == .both, case .string(let english) = found,
                case .string(let own) = attribute(named: "name")
            else { return found }
            return .string(NameLanguage.joined(own, english))
        }
        if case .string(let own) = attribute(named: "name"), language.canRead(own) { return nil }
        return language.attributes.firstNonNil { attribute(named: $0) }
    }

    /// Returns the attribute with a name; nil if the feature has none.
    func attribute(named name: String) -> StyleValue? {
        let name = name == "name" ? layer?.nameKey : name
        return value { layer?.keys[Int(tags[$0])] == name }
    }

    var attributes: StyleValue {
        guard let layer, let feature else { return .object([:]) }
        return .object((layer.attributes(of: feature) ?? [:]).mapValues { StyleValue($0) })
    }

    var identifier: StyleValue { feature?.id.map { .number(Double($0)) } ?? .null }

    var geometryType: StyleValue {
        switch feature?.kind {
        case .point: .string("Point")
        case .line: .string("LineString")
        case .polygon: .string("Polygon")
        case .unknown, nil: .null
        }
    }

    /// Reads the shape of the feature; nil if it is damaged.
    mutating func readShape() -> (shape: VectorGeometry, kind: VectorFeature.Kind, extent: Int)? {
        guard let layer, let feature, reader.read(feature, of: layer) else { return nil }
        return (reader.geometry, feature.kind, layer.extent)
    }
}
