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
    public private(set) var layers: [StyleLayer]
    /// The layers for routes and the position: complete for every set, or none if only one source was read.
    public let mandatoryLayers: [MandatoryLayerSet: MandatoryLayers]
    /// The parts that were ignored, with reasons, without duplicates.
    public private(set) var findings: [StyleDiagnostic]
    /// The valid properties that have no effect in cells, by layer.
    public let unused: [UnusedProperties]
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

    /// Creates a style that draws nothing.
    package init() {
        name = ""
        sources = [:]
        layers = []
        mandatoryLayers = [:]
        findings = []
        unused = []
        sprites = []
        attributeNames = []
        center = nil
        zoom = nil
    }

    /// Parses a style.
    /// - Parameter source: The source whose layers are read, with the background; nil for all layers.
    /// - Throws: `StyleFailure` if the document isn't a style at all.
    public init(_ json: JSON, source: String? = nil) throws(StyleFailure) {
        guard json.object != nil else { throw StyleFailure("a style must be a JSON object") }
        guard let entries = json["layers"]?.array else {
            throw StyleFailure("the style has no \"layers\"; use a MapLibre style of version 8")
        }
        var reader = StyleReader(json)
        reader.readRoot()
        for (index, entry) in entries.enumerated() {
            if let source {
                if entry == .null { continue }
                if let other = entry["source"]?.string, other != source { continue }
            }
            reader.read(layer: entry, at: index)
        }
        mandatoryLayers = source == nil ? reader.takeMandatoryLayers() : [:]
        name = SafeText.sanitised(json["name"]?.string ?? "", limit: 80)
        sources = reader.sources
        sprites = StyleSprite.all(in: json)
        layers = reader.layers
        findings = reader.findings
        unused = reader.unused
        attributeNames = reader.names.all
        let numbers = (json["center"]?.array ?? []).compactMap(\.double)
        center = numbers.count == 2 ? Coordinate(latitude: numbers[1], longitude: numbers[0]) : nil
        zoom = json["zoom"]?.double.map { $0 + 1 }
    }

    /// Adds a finding about a sprite whose files can't be read.
    package mutating func noteUnreadable(_ sprite: StyleSprite) {
        let problem = "\(sprite.index) or \(sprite.image) can't be read; its patterns are not drawn"
        findings.append(StyleDiagnostic(property: "sprite", problem, at: ["sprite"]))
    }

    /// Returns the style with only some of its layers.
    public func keeping(_ isKept: (StyleLayer) -> Bool) -> Style { with(layers.filter(isKept)) }

    /// Returns the style with only the layers of a mandatory set.
    public func drawing(_ set: MandatoryLayerSet) -> Style { with(mandatoryLayers[set]?.layers ?? []) }

    private func with(_ layers: [StyleLayer]) -> Style {
        var style = self
        style.layers = layers
        return style
    }

    /// Parses the text of a style.
    /// - Parameter source: The source whose layers are read, with the background; nil for all layers.
    /// - Throws: `StyleFailure` if the text isn't JSON or isn't a style at all.
    public init(_ bytes: [UInt8], source: String? = nil) throws(StyleFailure) {
        guard bytes.count <= StyleText.byteLimit else { throw .tooLong }
        func json() throws(JSONFailure) -> JSON {
            if let source { try JSON.parse(style: bytes, source: source) } else { try JSON.parse(bytes) }
        }
        try self.init(
            try converting(json()) { (error: JSONFailure) in StyleFailure(error, in: bytes) }, source: source)
    }
}

extension JSON {
    /// Parses the text of a style. The layers of other sources than one are skipped and become null, which
    /// keeps the indexes of the others. They are nine tenths of Rhumb's own style for the built-in world.
    fileprivate static func parse(style bytes: [UInt8], source: String) throws(JSONFailure) -> JSON {
        var parser = JSONParser(bytes: bytes, depthLimit: 64, memoryLimit: 160 << 20), root = JSONObject()
        try parser.members { (parser, name) throws(JSONFailure) in
            guard name == "layers" else {
                root[name] = try parser.value(depth: 1)
                return
            }
            var layers: [JSON] = []
            try parser.elements { (parser) throws(JSONFailure) in
                let start = parser.position
                var other: String?
                try parser.members(named: ["source"]) { (parser, _) throws(JSONFailure) in
                    other = try parser.text()
                }
                let isMeant = other == nil || other == source
                if isMeant { parser.position = start }
                layers.append(isMeant ? try parser.value(depth: 2) : .null)
            }
            root[name] = .array(layers)
        }
        try parser.end()
        return .object(root)
    }
}

/// A style with its source text, so that findings have a line and column.
public struct StyleText: Sendable {
    /// Maximum size of a style in bytes.
    public static let byteLimit = 8 << 20

    /// The parsed document.
    public let node: JSONNode
    /// The style.
    public let style: Style
    private let bytes: [UInt8]

    /// Parses the text of a style.
    /// - Throws: `StyleFailure`, with the line if the text isn't JSON.
    public init(_ bytes: [UInt8]) throws(StyleFailure) {
        guard bytes.count <= Self.byteLimit else { throw .tooLong }
        node = try converting(JSONNode.parse(bytes)) { (error: JSONFailure) in
            StyleFailure(error, in: bytes)
        }
        self.bytes = bytes
        style = try Style(node.value)
    }

    /// Returns the location of a part of the style, such as that of a finding, in the text.
    public func location(of path: [JSONStep]) -> TextLocation {
        TextLocation(offset: node.offset(of: path) ?? 0, in: bytes)
    }
}

/// The properties of a layer that are valid, but have no effect in cells.
public struct UnusedProperties: Hashable, Sendable {
    /// The id of the layer, sanitised for terminals.
    public let layer: String
    /// The names of the properties.
    public internal(set) var names: [String]
    /// The location of the first one in the style.
    public let path: [JSONStep]
}

extension Style {
    /// A sentence about all properties that have no effect, the most frequent ones first; nil if there are
    /// none.
    public var unusedSummary: String? {
        let names = unused.flatMap(\.names)
        guard !names.isEmpty else { return nil }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let more = sorted.count > 3 ? " and \(AmountText.count(sorted.count - 3)) more" : ""
        return "no effect in cells: \(sorted.prefix(3).joined(separator: ", "))\(more), in "
            + AmountText.count(unused.count, "layer")
    }
}

/// A part of a style that is invalid or unsupported and therefore ignored.
public struct StyleDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The id of the layer; nil for the style as a whole. All texts are sanitised for terminals.
    public let layer: String?
    /// The property or member.
    public let property: String?
    /// The problem and its consequence.
    public let problem: String
    /// The location in the style; for a missing part, its expected location.
    public let path: [JSONStep]

    init(layer: String? = nil, property: String? = nil, _ problem: String, at path: [JSONStep] = []) {
        self.layer = layer.map { SafeText.sanitised($0, limit: 80) }
        self.property = property.map { SafeText.sanitised($0, limit: 80) }
        self.problem = SafeText.sanitised(problem, limit: 300)
        self.path = path
    }

    /// The text of the finding, such as "layer roads: line-width: …".
    public var description: String {
        [layer.map { "layer \($0)" }, property, problem].compactMap(\.self).joined(separator: ": ")
    }
}

/// The reason why a text isn't a style at all.
public struct StyleFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem in words.
    public let problem: String
    /// The location; nil for the style as a whole.
    public let location: TextLocation?
    /// True if the text ends too early, as in a file that is still being written.
    public let isCutOff: Bool

    init(_ problem: String) {
        self.problem = SafeText.sanitised(problem)
        location = nil
        isCutOff = false
    }

    /// Creates the failure for a text that isn't JSON.
    init(_ failure: JSONFailure, in bytes: [UInt8]) {
        problem = "the style is not valid JSON: \(failure.problem)"
        location = TextLocation(offset: failure.offset, in: bytes)
        isCutOff = failure.offset >= bytes.count
    }

    /// The text of the failure, such as "line 3, column 7: the style is …".
    public var description: String { (location.map { "\($0): " } ?? "") + problem }

    /// The text is longer than `StyleText.byteLimit`.
    public static let tooLong = StyleFailure(
        "the style is larger than \(StyleText.byteLimit >> 20) MiB; move data from it to separate files")
}
