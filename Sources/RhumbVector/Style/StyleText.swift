public import RhumbBase

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

    /// Returns the location of a finding in the text.
    public func location(of finding: StyleDiagnostic) -> TextLocation {
        TextLocation(offset: node.offset(of: finding.path) ?? 0, in: bytes)
    }
}
