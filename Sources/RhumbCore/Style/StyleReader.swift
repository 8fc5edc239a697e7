/// Goes through a style document and keeps what can be drawn.
struct StyleReader {
    private let json: JSON
    private(set) var sources: [String: StyleSource] = [:]
    private(set) var layers: [StyleLayer] = []
    private(set) var findings: [StyleFinding] = []
    private(set) var names = StyleNames()
    private var known: Set<StyleFinding> = []
    private var ids: Set<String> = []

    init(_ json: JSON) { self.json = json }

    mutating func readRoot() {
        if json["version"]?.int != 8 { note(StyleFinding(property: "version", "it is not 8; read as if it were")) }
        guard let entries = json["sources"]?.object else {
            return note(StyleFinding(property: "sources", "there is no object of sources"))
        }
        for name in entries.names {
            if let source = entries[name].flatMap(StyleSource.init) {
                sources[name] = source
                if let problem = source.problem { note(StyleFinding(property: "sources", "\(name): \(problem)")) }
            } else {
                note(StyleFinding(property: "sources", "\(name) is of a kind that is not drawn; it is left out"))
            }
        }
    }

    private mutating func note(_ finding: StyleFinding) {
        if known.insert(finding).inserted { findings.append(finding) }
    }

    mutating func read(layer json: JSON) {
        guard let id = json["id"]?.string else {
            return note(StyleFinding(property: "layers", "a layer without an id is left out"))
        }
        guard ids.insert(id).inserted else {
            return note(StyleFinding(layer: id, property: "id", "it is there twice; the second is left out"))
        }
        guard let origin = origin(of: json, id) else { return }
        let kind = origin["type"]?.string ?? ""
        guard let kind = StyleLayer.Kind(rawValue: kind) else {
            let problem = kind.isEmpty ? "none is given" : "\(kind) is not drawn"
            return note(StyleFinding(layer: id, property: "type", "\(problem); the layer is left out"))
        }
        var layer = StyleLayer(id: id, kind: kind)
        guard readSubject(origin, into: &layer) else { return }
        layer.minZoom = json["minzoom"]?.double ?? origin["minzoom"]?.double ?? 0
        layer.maxZoom = json["maxzoom"]?.double ?? origin["maxzoom"]?.double ?? 24
        layer.isVisible = (json["layout"] ?? origin["layout"])?["visibility"]?.string != "none"
        for group in [origin["layout"], json["paint"]] { read(group, into: &layer) }
        guard !isOnlyPattern(json["paint"], kind) else { return }
        layers.append(layer)
    }

    /// What an old style's layer shares with another that it names; itself where it names none.
    private mutating func origin(of layer: JSON, _ id: String) -> JSON? {
        guard let other = layer["ref"]?.string else { return layer }
        let origin = json["layers"]?.array?.first { $0["id"]?.string == other }
        guard let origin, origin["ref"] == nil else {
            note(StyleFinding(layer: id, property: "ref", "it names no layer that stands alone; this one is left out"))
            return nil
        }
        return origin
    }

    /// Reads which features a layer draws.
    /// - Returns: whether it can draw any.
    private mutating func readSubject(_ json: JSON, into layer: inout StyleLayer) -> Bool {
        guard layer.kind != .background else { return true }
        guard let source = json["source"]?.string, let kind = sources[source]?.kind else {
            note(StyleFinding(layer: layer.id, property: "source", "the style has no such; the layer is left out"))
            return false
        }
        layer.source = source
        layer.sourceLayer = kind == .geojson ? Style.anyLayer : json["source-layer"]?.string
        if let problem = layer.kind.problem(with: kind) {
            note(StyleFinding(layer: layer.id, property: "source", "\(problem); the layer is left out"))
            return false
        }
        if kind == .vector && layer.sourceLayer == nil {
            note(StyleFinding(layer: layer.id, property: "source-layer", "none is given; the layer is left out"))
            return false
        }
        layer.subject = StyleLayer.Subject(source: source, sourceLayer: layer.sourceLayer, filter: json["filter"])
        guard let filter = json["filter"], filter != .null else { return true }
        var parser = ExpressionParser(names: names)
        let node = parser.filter(filter)
        names = parser.names
        guard let node else {
            let problem = parser.problem ?? "it is not understood"
            note(StyleFinding(layer: layer.id, property: "filter", "\(problem); the layer is left out"))
            return false
        }
        layer.filter = StyleExpression(node, names)
        return true
    }

    private mutating func read(_ group: JSON?, into layer: inout StyleLayer) {
        for name in group?.object?.names ?? [] {
            guard let value = group?[name], value != .null else { continue }
            guard let property = StyleProperty(rawValue: name) else {
                if !StyleProperty.ignored.contains(name) {
                    note(StyleFinding(layer: layer.id, property: name, "it is not drawn; it is left out"))
                }
                continue
            }
            var parser = ExpressionParser(names: names)
            let node = parser.property(value, property)
            names = parser.names
            if let node {
                layer.properties[property] = StyleExpression(node, names)
            } else {
                let problem = parser.problem ?? "it is not understood"
                note(StyleFinding(layer: layer.id, property: name, "\(problem); the default is used"))
            }
        }
    }

    /// Whether a layer consists of pictures that are not drawn, and so of nothing.
    private func isOnlyPattern(_ paint: JSON?, _ kind: StyleLayer.Kind) -> Bool {
        paint?["\(kind.rawValue)-pattern"] != nil && paint?["\(kind.rawValue)-color"] == nil
    }

}

extension ExpressionParser {
    /// The value of a property, however it is written.
    mutating func property(_ json: JSON, _ property: StyleProperty) -> StyleNode? {
        let type = property.type
        if json.object != nil { return function(json, type) }
        if let parts = json.array {
            let isPlain = type == .array && parts.allSatisfy { $0.double != nil }
            return isPlain ? .constant(StyleValue(json)) : expression(json, type)
        }
        if type == .string { return tokens(json) }
        guard let node = expression(json, type), isLiteral(json, type) else {
            return fail("\(json.text) is not of the right type")
        }
        return node
    }

    /// Whether a plain value is of the type.
    private func isLiteral(_ json: JSON, _ type: StyleType) -> Bool {
        switch type {
        case .number: json.double != nil
        case .bool: json.bool != nil
        case .colour, .string: json.string != nil
        case .array: json.array != nil
        case .object: json.object != nil
        }
    }
}

extension StyleLayer.Kind {
    /// Why a layer can't draw a source of a kind; nil if it can.
    fileprivate func problem(with source: StyleSource.Kind) -> String? {
        let fits =
            switch self {
            case .background: true
            case .raster: source == .raster
            case .hillshade: source == .rasterDEM
            case .fill, .line, .circle, .symbol: source == .vector || source == .geojson
            }
        return fits ? nil : "a \(rawValue) layer can't draw a source of type \(source.rawValue)"
    }
}
