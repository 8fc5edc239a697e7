public import RhumbBase
internal import RhumbWeb

/// Converts a TomTom style for an editor such as Maputnik, and converts the edited style back. Both
/// directions need the same base: the original style.
public struct StyleConversion: Sendable {
    /// The layers that the editor shows.
    public enum Visibility: String, CaseIterable, Sendable {
        case all, none, intact
        /// Shows vector layers only; backgrounds are unchanged.
        case predefined
    }

    /// Options for the editor's style.
    public struct Options: Sendable {
        /// Returns the key for a placeholder in an address of the style; nil if there is none.
        public var key: @Sendable (_ token: String, _ address: String) -> String?
        /// The address of the sprite; nil to leave it unchanged.
        public var sprite: String?
        /// The address of the glyphs; nil to leave it unchanged.
        public var glyphs: String?
        /// The layers to show.
        public var visibility: Visibility

        /// Creates options.
        /// - Parameter key: Returns the key for a placeholder in an address of the style; nil if there is
        ///   none.
        public init(
            visibility: Visibility = .predefined, sprite: String? = nil, glyphs: String? = nil,
            key: @escaping @Sendable (_ token: String, _ address: String) -> String? = { _, _ in nil }
        ) {
            self.visibility = visibility
            self.sprite = sprite
            self.glyphs = glyphs
            self.key = key
        }
    }

    /// A converted style.
    public struct Outcome: Sendable {
        /// The document.
        public var style: JSONNode
        /// Messages for the user: one sentence each, sanitised for terminals.
        public var remarks: [String]
    }

    let base: JSONNode
    /// Identifies the base: a digest of its value.
    let mark: String

    /// Creates a conversion for one base.
    /// - Throws: `StyleConversionFailure.noStyle`.
    public init(base: JSONNode) throws(StyleConversionFailure) {
        try Self.check(base, .base)
        self.base = base
        mark = TileEdition.digest([base.value.text])
    }

    static func check(_ style: JSONNode, _ role: StyleConversionFailure.Role) throws(StyleConversionFailure) {
        guard style.members != nil else { throw .noStyle(role, problem: "it is not a JSON object") }
        guard style["layers"]?.elements != nil else { throw .noStyle(role, problem: "it has no \"layers\"") }
        guard style["sources"]?.members != nil else { throw .noStyle(role, problem: "it has no \"sources\"") }
    }

    /// Returns the style for an editor. Fills in keys, replaces the provider's tags by defaults or removes
    /// them, and shows or hides layers. Its metadata identify the base.
    public func forEditor(_ options: Options) -> Outcome {
        var style = base, remarks: [String] = []
        for (name, address) in [("sprite", options.sprite), ("glyphs", options.glyphs)] {
            if let address { style[name] = JSONNode(.string(address)) }
        }
        style = style.changingAddresses { text in
            let address = StyleAddress(text)
            let missing = address.tokens.filter { options.key($0, text) == nil }
            remarks +=
                missing.map { "no key for {\($0)} in \(text)" }
                + address.unknownTags.map {
                    "no value for {\($0)} in \(text)"
                }
            return address.filled { options.key($0, text) }
        }
        style = LayerVisibility(options.visibility, of: base).applied(to: style)
        style = StyleNote(base: mark, visibility: options.visibility).added(to: style)
        return Outcome(style: style, remarks: remarks.map { SafeText.sanitised($0) })
    }
}

/// The reason why a style can't be converted.
public enum StyleConversionFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The two styles of a conversion.
    public enum Role: String, Sendable { case base, edited }

    /// One of the documents isn't a style.
    case noStyle(Role, problem: String)
    /// The edited style wasn't derived from this base.
    case otherBase(reason: String)

    public var description: String {
        switch self {
        case .noStyle(let role, let problem): "the \(role.rawValue) style can't be converted: \(problem)"
        case .otherBase(let reason):
            "the edited style is not from this base: \(reason); use the base it was made from"
        }
    }
}

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
