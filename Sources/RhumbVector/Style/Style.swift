public import RhumbBase
public import RhumbGeo

/// A map style: the part of the MapLibre style specification (version 8) that cells can show. Unsupported
/// parts are ignored and reported as findings.
public struct Style: Sendable {
    /// A value of a layer's `sourceLayer` that stands for all layers of a tile. An extension of Rhumb.
    public static let anyLayer = "*"

    /// The name, sanitised for terminals; may be empty.
    public let name: String
    /// The sources by name.
    public let sources: [String: StyleSource]
    /// The drawable layers from bottom to top, without those of `MandatoryLayerSet`.
    public let layers: [StyleLayer]
    /// The layers for routes and the position, complete for every set.
    public let mandatoryLayers: [MandatoryLayerSet: MandatoryLayers]
    /// The parts that were ignored, with reasons, without duplicates.
    public private(set) var findings: [StyleDiagnostic]
    /// The addresses of the sprites.
    public let sprites: [StyleSprite]
    /// The mean colours of the loaded images by name, used for patterns that cells can't show.
    public private(set) var imageColours: [String: StyleColour] = [:]
    /// The loaded images by name.
    public var images: [String: StyleImage] = [:] {
        didSet {
            imageColours = images.mapValues(\.mean)
            patterns = images.filter(\.value.isPatternSeen)
        }
    }
    /// The images that cells can show as patterns.
    private(set) var patterns: [String: StyleImage] = [:]
    /// The names of the attributes that expressions read.
    let attributeNames: [String]
    /// The initial centre of the map; nil if the style has none.
    public let center: Coordinate?
    /// The initial zoom in the map's convention, one more than the style's; nil if the style has none.
    public let zoom: Double?

    /// Parses a style.
    /// - Throws: `StyleFailure` if the document isn't a style at all.
    public init(_ json: JSON) throws(StyleFailure) {
        guard json.object != nil else { throw StyleFailure("a style must be a JSON object") }
        guard let entries = json["layers"]?.array else {
            throw StyleFailure("the style has no \"layers\"; use a MapLibre style of version 8")
        }
        var reader = StyleReader(json)
        reader.readRoot()
        for (index, entry) in entries.enumerated() { reader.read(layer: entry, at: index) }
        mandatoryLayers = reader.takeMandatoryLayers()
        name = SafeText.sanitised(json["name"]?.string ?? "", limit: 80)
        sources = reader.sources
        sprites = StyleSprite.all(in: json)
        layers = reader.layers
        findings = reader.findings
        attributeNames = reader.names.all
        let place = (json["center"]?.array ?? []).compactMap(\.double)
        center = place.count == 2 ? Coordinate(latitude: place[1], longitude: place[0]) : nil
        zoom = json["zoom"]?.double.map { $0 + 1 }
    }

    /// Adds a finding about a sprite whose files can't be read.
    package mutating func noteUnreadable(_ sprite: StyleSprite) {
        let problem = "\(sprite.index) or \(sprite.image) can't be read; its patterns are not drawn"
        findings.append(StyleDiagnostic(property: "sprite", problem, at: ["sprite"]))
    }

    /// Returns the style with only some of its layers.
    public func keeping(_ isKept: (StyleLayer) -> Bool) -> Style { Style(self, layers.filter(isKept)) }

    /// Returns the style with only the layers of a mandatory set.
    public func drawing(_ set: MandatoryLayerSet) -> Style { Style(self, mandatoryLayers[set]?.layers ?? []) }

    private init(_ style: Style, _ layers: [StyleLayer]) {
        name = style.name
        sources = style.sources
        findings = style.findings
        sprites = style.sprites
        images = style.images
        imageColours = style.imageColours
        patterns = style.patterns
        mandatoryLayers = style.mandatoryLayers
        attributeNames = style.attributeNames
        center = style.center
        zoom = style.zoom
        self.layers = layers
    }

    /// Parses the text of a style.
    /// - Throws: `StyleFailure` if the text isn't JSON or isn't a style at all.
    public init(_ bytes: [UInt8]) throws(StyleFailure) {
        guard bytes.count <= StyleText.byteLimit else { throw .tooLong }
        let json = try converting(JSON.parse(bytes)) { (error: JSONFailure) in
            StyleFailure(error, in: bytes)
        }
        try self.init(json)
    }
}
