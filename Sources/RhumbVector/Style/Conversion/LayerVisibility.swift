internal import RhumbBase

/// Applies an editor's layer visibility to a style and reverts it, except for the user's own changes.
struct LayerVisibility {
    private let visibility: StyleConversion.Visibility
    private let vectorSources: Set<String>

    init(_ visibility: StyleConversion.Visibility, of base: JSONNode) {
        self.visibility = visibility
        let sources = base["sources"]?.members ?? []
        vectorSources = Set(sources.filter { $0.value["type"]?.string == "vector" }.map(\.name))
    }

    /// Returns whether a layer of the base is shown; nil to leave it unchanged.
    private func shows(_ layer: JSONNode) -> Bool? {
        switch visibility {
        case .all: true
        case .none: false
        case .intact: nil
        case .predefined: layer["source"]?.string.map { vectorSources.contains($0) }
        }
    }

    /// Returns the style with its layers shown or hidden.
    func applied(to style: JSONNode) -> JSONNode {
        style.changingLayers { layer in
            guard let isShown = shows(layer), isShown != layer.isShown else { return layer }
            return layer.with(visibility: JSONNode(.string(isShown ? "visible" : "none")))
        }
    }

    /// Returns the edited style with the base's visibility, except for layers that the user showed or hid.
    func restored(in edited: JSONNode, _ base: JSONNode) -> JSONNode {
        let layers = (base["layers"]?.elements ?? []).map { ($0["id"]?.string, $0) }
        let known = Dictionary(layers) { first, _ in first }
        return edited.changingLayers { layer in
            guard let old = layer["id"]?.string.flatMap({ known[$0] }), let given = shows(old) else {
                return layer
            }
            let isShown = layer.isShown == given ? old.isShown : layer.isShown
            let own = JSONNode(.string(isShown ? "visible" : "none"))
            return layer.with(visibility: isShown == old.isShown ? old["layout"]?["visibility"] : own)
        }
    }
}

extension JSONNode {
    fileprivate var isShown: Bool { self["layout"]?["visibility"]?.string != "none" }

    fileprivate func with(visibility: JSONNode?) -> JSONNode {
        guard visibility?.value != self["layout"]?["visibility"]?.value else { return self }
        var layer = self, layout = layer["layout"] ?? JSONNode([:])
        layout["visibility"] = visibility
        layer["layout"] = layout.members?.isEmpty == true ? nil : layout
        return layer
    }

    fileprivate func changingLayers(_ change: (JSONNode) -> JSONNode) -> JSONNode {
        guard let layers = self["layers"]?.elements else { return self }
        var style = self
        style["layers"] = JSONNode(.array(layers.map(change)))
        return style
    }
}
