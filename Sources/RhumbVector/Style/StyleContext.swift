internal import RhumbCells

/// The context of an expression: a zoom, and possibly a feature.
public struct StyleContext: Sendable {
    /// By the style specification's convention: the world is 512 pixels wide at zoom 0, so one
    /// less than the map's.
    public var zoom: Double
    /// The position along a line, or the density of points: 0…1.
    public var progress = 0.5
    var variables: [StyleValue] = []
    /// In which plain names are read.
    var language = NameLanguage.local
    private let names: [String]
    let imageColours: [String: StyleColour]
    let patterns: [String: StyleImage]
    private var layer: VectorLayer?
    private var feature: VectorFeature?
    private var tags: [UInt32] = []
    /// For each name of the style, its number among the layer's keys; -1 where it is none.
    private var keyOfName: [Int32] = []
    /// The same for the layers that were turned to, by their names: style layers take turns at them.
    private var keysOfLayers: [String: [Int32]] = [:]

    /// A context without a feature.
    public init(_ style: Style, zoom: Double) {
        self.zoom = zoom
        names = style.attributeNames
        imageColours = style.imageColours
        patterns = style.patterns
    }

    init(names: [String], zoom: Double) {
        self.zoom = zoom
        self.names = names
        imageColours = [:]
        patterns = [:]
    }

    /// Returns the colour of a sprite's image; nil if it is not loaded, or grey, which has no meaning.
    func colour(ofIcon name: String) -> RGB? {
        guard let mean = imageColours[name], mean.alpha > 0.2 else { return nil }
        let channels = [mean.red, mean.green, mean.blue]
        return (channels.max() ?? 0) - (channels.min() ?? 0) < 0.15 ? nil : mean.rgb
    }

    /// Turns to a layer of a tile, the same tile all the time; its features can then be entered.
    public mutating func enter(_ layer: VectorLayer) {
        if let known = keysOfLayers[layer.name] {
            keyOfName = known
        } else {
            keyOfName = names.map { name in layer.keyNumbers[name].map { Int32($0) } ?? -1 }
            keysOfLayers[layer.name] = keyOfName
        }
        self.layer = layer
        feature = nil
    }

    /// Turns to a feature of the layer.
    /// - Returns: false if its attributes are damaged.
    public mutating func enter(_ feature: VectorFeature) -> Bool {
        guard let layer, layer.readTags(of: feature, into: &tags) else { return false }
        self.feature = feature
        return true
    }

    /// The attribute of that number in the style's names; nil if the feature has none.
    func attribute(_ name: Int) -> StyleValue? {
        guard let layer, name < keyOfName.count else { return nil }
        if !language.attributes.isEmpty, names[name] == "name", let found = translatedName { return found }
        let key = keyOfName[name]
        guard key >= 0 else { return nil }
        for at in stride(from: 0, to: tags.count, by: 2) where tags[at] == key {
            return StyleValue(layer.values[Int(tags[at + 1])])
        }
        return nil
    }

    /// The feature's name in the language; nil if it has none of its own.
    private var translatedName: StyleValue? {
        let found = language.attributes.lazy.compactMap { attribute(named: $0) }.first
        guard language == .both, case .string(let english) = found,
            case .string(let own) = attribute(named: "name")
        else { return found }
        return .string(NameLanguage.joined(own, english))
    }

    /// The attribute of any name.
    func attribute(named name: String) -> StyleValue? {
        guard let layer else { return nil }
        for at in stride(from: 0, to: tags.count, by: 2) where layer.keys[Int(tags[at])] == name {
            return StyleValue(layer.values[Int(tags[at + 1])])
        }
        return nil
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
}
