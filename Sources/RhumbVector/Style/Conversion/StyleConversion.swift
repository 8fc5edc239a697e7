public import RhumbBase
internal import RhumbWeb

/// Converts a style of TomTom's kind into one that an editor such as Maputnik loads, and back with its edits.
/// Both directions use the same base: the user's original style.
public struct StyleConversion: Sendable {
    /// Which layers the editor shows.
    public enum Visibility: String, CaseIterable, Sendable {
        case all, none, intact
        /// Those of vector tiles; backgrounds stay as they are.
        case predefined
    }

    /// The options for the editor's style.
    public struct Options: Sendable {
        /// The key for a token in an address of the style; nil where there is none.
        public var key: @Sendable (_ token: String, _ address: String) -> String?
        /// The address of the sprite in place of the base's; nil: as it is.
        public var sprite: String?
        /// The address of the glyphs in place of the base's; nil: as it is.
        public var glyphs: String?
        /// Which layers are shown.
        public var visibility: Visibility

        /// - Parameter key: the key for a token in an address of the style.
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
        /// As it is written.
        public var style: JSONNode
        /// Notes for the user: one sentence each, safe for a terminal.
        public var remarks: [String]
    }

    let base: JSONNode
    /// Tells one base from another: a digest of its value.
    let mark: String

    /// A conversion of one base.
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

    /// The style for an editor: keys filled in, tags of the provider's own left out or at their usual
    /// values, layers shown or hidden. Its metadata say which base it was made of.
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
