internal import RhumbBase

/// Parses a style document and collects the drawable parts.
struct StyleReader {
    private let json: JSON
    var sources: [String: StyleSource] = [:]
    var layers: [StyleLayer] = []
    private(set) var findings: [StyleDiagnostic] = []
    private(set) var unused: [UnusedProperties] = []
    private(set) var names = StyleNames()
    /// The layers by id, to find those to which others refer.
    private let layersByID: [String: JSON]
    private let hasSprite: Bool
    /// The default of each global state.
    private let states: [String: StyleValue]
    private var noted: Set<StyleDiagnostic> = []
    var ids: Set<StyleLayer.ID> = []
    /// The path of the current layer.
    private var path: [JSONStep] = []

    init(_ json: JSON) {
        self.json = json
        var states: [String: StyleValue] = [:]
        for name in json["state"]?.object?.names ?? [] {
            states[name] = (json["state"]?[name]?["default"]).map(StyleValue.init)
        }
        self.states = states
        layersByID = Self.layersByID(json)
        hasSprite = !StyleSprite.all(in: json).isEmpty
    }

    /// Returns the layers of a style by id, the first of several.
    static func layersByID(_ style: JSON) -> [String: JSON] {
        let layers = (style["layers"]?.array ?? []).compactMap { layer in
            layer["id"]?.string.map { ($0, layer) }
        }
        return Dictionary(layers) { first, _ in first }
    }

    mutating func readRoot() {
        if json["version"]?.int != 8 {
            note(StyleDiagnostic(property: "version", "not 8; read as version 8", at: ["version"]))
        }
        for name in ["sky", "fog", "terrain"] where json[name]?.object != nil {
            note(StyleDiagnostic(property: name, "not supported; ignored", at: [.member(name)]))
        }
        // Mapbox styles can consist of other styles.
        if let imports = json["imports"]?.array, !imports.isEmpty {
            note(
                StyleDiagnostic(
                    property: "imports", "not supported; the imported styles are not drawn", at: ["imports"]))
        }
        guard let entries = json["sources"]?.object else {
            return note(StyleDiagnostic(property: "sources", "must be an object", at: ["sources"]))
        }
        for name in entries.names {
            let source = entries[name].flatMap(StyleSource.init)
            sources[name] = source
            // Sources of mandatory layers are filled at run time.
            guard let problem = problem(of: source), MandatoryLayerSet(rawValue: name) == nil else {
                continue
            }
            note(StyleDiagnostic(property: "sources", "\(name): \(problem)", at: ["sources", .member(name)]))
        }
    }

    private func problem(of source: StyleSource?) -> String? {
        source.map(\.problem) ?? "its type is not supported; ignored"
    }

    mutating func note(_ finding: StyleDiagnostic) {
        if noted.insert(finding).inserted { findings.append(finding) }
    }

    /// Adds a finding about the current layer.
    private mutating func note(
        _ layer: StyleLayer.ID, _ property: String, _ problem: String, in group: String? = nil
    ) {
        let path = path + (group.map { [.member($0)] } ?? []) + [.member(property)]
        note(StyleDiagnostic(layer: layer, property: property, problem, at: path))
    }

    private mutating func noteUnused(_ name: String, of layer: StyleLayer.ID, in group: String) {
        let layer = SafeText.sanitised(layer, limit: 80)
        if unused.last?.layer == layer {
            unused[unused.count - 1].names.append(name)
        } else {
            unused.append(
                UnusedProperties(layer: layer, names: [name], path: path + [.member(group), .member(name)]))
        }
    }

    /// Parses a layer.
    /// - Parameter index: Index in the style's layers; nil for a layer that isn't in the style.
    mutating func read(layer json: JSON, at index: Int?) {
        path = index.map { ["layers", .element($0)] } ?? []
        guard let id = json["id"]?.string else {
            return note(StyleDiagnostic(property: "layers", "a layer without an id was ignored", at: path))
        }
        guard ids.insert(id).inserted else {
            return note(id, "id", "used twice; the second layer was ignored")
        }
        guard let origin = origin(of: json, id) else { return }
        let kind = origin["type"]?.string ?? ""
        guard let kind = StyleLayer.Kind(rawValue: kind) else {
            let problem = kind.isEmpty ? "missing" : "\(kind) is not supported"
            return note(id, "type", "\(problem); the layer was ignored")
        }
        var layer = StyleLayer(id: id, kind: kind)
        guard readSubject(origin, into: &layer) else { return }
        for name in ["minzoom", "maxzoom"] {
            guard let value = json[name] ?? origin[name], value != .null, value.double == nil else {
                continue
            }
            note(id, name, "not a number; using the default")
        }
        layer.minZoom = json["minzoom"]?.double ?? origin["minzoom"]?.double ?? 0
        layer.maxZoom = json["maxzoom"]?.double ?? origin["maxzoom"]?.double ?? 24
        layer.isVisible = (json["layout"] ?? origin["layout"])?["visibility"].map(isVisible) ?? true
        read(origin["layout"], "layout", into: &layer)
        read(json["paint"], "paint", into: &layer)
        if layer.hasPattern, !hasSprite {
            note(StyleDiagnostic(property: "sprite", "missing; patterns are not drawn", at: ["sprite"]))
        }
        layers.append(layer)
    }

    /// Evaluates a visibility, which may depend on global states.
    private func isVisible(_ json: JSON) -> Bool {
        var parser = ExpressionParser(names: names, states: states)
        var context = StyleContext(names: [], zoom: 0)
        return parser.expression(json, .string)?.node.value(in: &context) != .string("none")
    }

    /// Returns the layer to which an old style's "ref" refers, or the layer itself without "ref"; nil if
    /// "ref" is invalid.
    private mutating func origin(of layer: JSON, _ id: String) -> JSON? {
        guard let other = layer["ref"]?.string else { return layer }
        guard let origin = layersByID[other], origin["ref"] == nil else {
            note(id, "ref", "not a layer without \"ref\" itself; this layer was ignored")
            return nil
        }
        return origin
    }

    /// Parses the source and filter of a layer.
    /// - Returns: False if the layer can't draw any features.
    private mutating func readSubject(_ json: JSON, into layer: inout StyleLayer) -> Bool {
        guard layer.kind != .background else { return true }
        guard let source = json["source"]?.string, let kind = sources[source]?.kind else {
            note(layer.id, "source", "not in the style; the layer was ignored")
            return false
        }
        layer.source = source
        layer.sourceLayer = kind == .geojson ? Style.anyLayer : json["source-layer"]?.string
        if let problem = layer.kind.problem(with: kind) {
            note(layer.id, "source", "\(problem); the layer was ignored")
            return false
        }
        if kind == .vector && layer.sourceLayer == nil {
            note(layer.id, "source-layer", "missing; the layer was ignored")
            return false
        }
        layer.subject = StyleLayer.Subject(
            source: source, sourceLayer: layer.sourceLayer, filter: json["filter"])
        guard let filter = json["filter"], filter != .null else { return true }
        var parser = ExpressionParser(names: names, states: states)
        let node = parser.filter(filter)
        names = parser.names
        guard let node else {
            let problem = parser.problem ?? "invalid"
            note(layer.id, "filter", "\(problem); the layer was ignored")
            return false
        }
        for remark in parser.remarks { note(layer.id, "filter", remark) }
        layer.filter = StyleExpression(node, names)
        return true
    }

    private mutating func read(_ properties: JSON?, _ group: String, into layer: inout StyleLayer) {
        for name in properties?.object?.names ?? [] {
            guard let value = properties?[name], value != .null else { continue }
            if name == "visibility" { continue }
            guard StyleProperty.isKnown(name, for: layer.kind) else {
                note(layer.id, name, "no property of \(layer.kind.rawValue) layers; ignored", in: group)
                continue
            }
            guard let property = StyleProperty(rawValue: name) else {
                noteUnused(name, of: layer.id, in: group)
                continue
            }
            var parser = ExpressionParser(names: names, states: states)
            let node = parser.property(value, property.form)
            names = parser.names
            if let node {
                layer.properties[property] = StyleExpression(node, names)
                for remark in parser.remarks { note(layer.id, name, remark, in: group) }
            } else {
                let problem = parser.problem ?? "invalid"
                note(layer.id, name, "\(problem); using the default", in: group)
            }
        }
    }
}

extension StyleLayer.Kind {
    /// Returns the reason why a layer can't draw a kind of source; nil if it can.
    fileprivate func problem(with source: StyleSource.Kind) -> String? {
        let fits =
            switch self {
            case .background: true
            case .raster: source == .raster
            case .hillshade: source == .rasterDEM
            case .fill, .extrusion, .line, .circle, .heatmap, .symbol: source == .vector || source == .geojson
            }
        return fits ? nil : "a \(rawValue) layer can't draw a source of type \(source.rawValue)"
    }
}
