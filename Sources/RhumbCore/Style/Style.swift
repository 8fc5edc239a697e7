/// How a map looks: the part of the MapLibre style specification (version 8) that cells can show.
/// What is not understood is left out, with a finding that names it.
public struct Style: Sendable {
    /// As a layer's `sourceLayer`: every layer that a tile has. Rhumb's own, not of the specification.
    public static let anyLayer = "*"

    /// Harmless to a terminal; may be empty.
    public let name: String
    public let sources: [String: StyleSource]
    /// Bottom to top; those that can't be drawn are left out.
    public let layers: [StyleLayer]
    /// What was left out and why, each thing once.
    public let findings: [StyleFinding]
    /// The attributes that its expressions use.
    let attributeNames: [String]

    /// Reads a style.
    /// - Throws: `StyleFailure` for what is no style at all.
    public init(_ json: JSON) throws(StyleFailure) {
        guard json.object != nil else { throw StyleFailure("a style is a JSON object") }
        guard let entries = json["layers"]?.array else {
            throw StyleFailure("the style has no list \"layers\"; name a MapLibre style of version 8")
        }
        var reader = StyleReader(json)
        reader.readRoot()
        for entry in entries { reader.read(layer: entry) }
        name = SafeText.sanitised(json["name"]?.string ?? "", limit: 80)
        sources = reader.sources
        layers = reader.layers
        findings = reader.findings
        attributeNames = reader.names.all
    }

    /// Reads the text of a style.
    /// - Throws: `StyleFailure` for what is no JSON or no style at all.
    public init(_ bytes: [UInt8]) throws(StyleFailure) {
        let json: JSON
        do throws(JSONFailure) {
            json = try JSON.parse(bytes)
        } catch {
            throw StyleFailure("the style is \(error)")
        }
        try self.init(json)
    }
}
