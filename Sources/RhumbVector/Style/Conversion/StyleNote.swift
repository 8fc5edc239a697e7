internal import RhumbBase

/// The note in an editor's style about its conversion.
struct StyleNote {
    /// The identifier of the base, see `StyleConversion.mark`.
    let base: String
    let visibility: StyleConversion.Visibility

    private static let name = "rhumb:conversion"

    init(base: String, visibility: StyleConversion.Visibility) {
        self.base = base
        self.visibility = visibility
    }

    /// Reads the note of a style; nil if there is none or it is invalid.
    init?(in style: JSONNode) {
        let note = style["metadata"]?[Self.name]
        guard let base = note?["base"]?.string,
            let visibility = note?["visibility"]?.string.flatMap(StyleConversion.Visibility.init)
        else { return nil }
        self.base = base
        self.visibility = visibility
    }

    func added(to style: JSONNode) -> JSONNode {
        var style = style, metadata = style["metadata"] ?? JSONNode([:])
        metadata[Self.name] = JSONNode(["base": .string(base), "visibility": .string(visibility.rawValue)])
        style["metadata"] = metadata
        return style
    }

    static func removed(from style: JSONNode, _ base: JSONNode) -> JSONNode {
        guard var metadata = style["metadata"], metadata[name] != nil else { return style }
        var style = style
        metadata[name] = nil
        let isOurs = metadata.members?.isEmpty == true && base["metadata"] == nil
        style["metadata"] = isOurs ? nil : metadata
        return style
    }
}
