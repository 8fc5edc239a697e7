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
