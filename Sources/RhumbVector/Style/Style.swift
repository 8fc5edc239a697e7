public import RhumbBase
public import RhumbGeo

/// A map style: the part of the MapLibre style specification (version 8) that cells can show. Unsupported
/// parts are left out, and named by findings.
public struct Style: Sendable {
    /// As a layer's `sourceLayer`: every layer that a tile has. Rhumb's own, not of the specification.
    public static let anyLayer = "*"

    /// Harmless to a terminal; may be empty.
    public let name: String
    /// The sources by name.
    public let sources: [String: StyleSource]
    /// Bottom to top; those that can't be drawn are left out, and those of `MandatoryLayerSet`.
    public let layers: [StyleLayer]
    /// The layers for features of the program, such as the route; every set is present.
    public let mandatoryLayers: [MandatoryLayerSet: MandatoryLayers]
    /// The parts that were left out and the reasons, each once.
    public let findings: [StyleFinding]
    /// The addresses of its sprites.
    public let sprites: [StyleSprite]
    /// The mean colours of its pictures by name, as far as they are known: patterns are drawn in them where
    /// cells can't show more.
    public private(set) var imageColours: [String: StyleColour] = [:]
    /// Its pictures by name, as far as they are known.
    public var images: [String: StyleImage] = [:] {
        didSet {
            imageColours = images.mapValues(\.mean)
            patterns = images.filter(\.value.isPatternSeen)
        }
    }
    /// The pictures that cells can show as patterns.
    private(set) var patterns: [String: StyleImage] = [:]
    /// The attributes that its expressions use.
    let attributeNames: [String]
    /// The initial centre by the author; nil if the style has none.
    public let center: Coordinate?
    /// By the map's convention, one more than the style's; nil if it doesn't say.
    public let zoom: Double?

    /// Reads a style.
    /// - Throws: `StyleFailure` if the JSON is not a style.
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

    /// The same style with some of its layers only.
    public func keeping(_ isKept: (StyleLayer) -> Bool) -> Style { Style(self, layers.filter(isKept)) }

    /// The style with nothing but the layers of a mandatory set.
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

    /// Reads the text of a style.
    /// - Throws: `StyleFailure` if it is not JSON or not a style.
    public init(_ bytes: [UInt8]) throws(StyleFailure) {
        guard bytes.count <= StyleText.byteLimit else { throw .tooLong }
        let json: JSON
        do throws(JSONFailure) {
            json = try JSON.parse(bytes)
        } catch {
            throw StyleFailure(error, in: bytes)
        }
        try self.init(json)
    }
}
