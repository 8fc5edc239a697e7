public import RhumbBase

/// A style with its text, which locates its findings.
public struct StyleText: Sendable {
    /// The most bytes of a style that are read.
    public static let byteLimit = 8 << 20

    /// As it is written.
    public let node: JSONNode
    /// As it is drawn.
    public let style: Style
    private let bytes: [UInt8]

    /// Reads the text of a style.
    /// - Throws: `StyleFailure`, with the line if it is not JSON.
    public init(_ bytes: [UInt8]) throws(StyleFailure) {
        guard bytes.count <= Self.byteLimit else { throw .tooLong }
        do throws(JSONFailure) {
            node = try JSONNode.parse(bytes)
        } catch {
            throw StyleFailure(error, in: bytes)
        }
        self.bytes = bytes
        style = try Style(node.value)
    }

    /// Returns the place of a finding in the text.
    public func place(of finding: StyleFinding) -> TextPlace {
        TextPlace(offset: node.offset(of: finding.path) ?? 0, in: bytes)
    }
}
