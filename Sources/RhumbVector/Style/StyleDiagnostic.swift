public import RhumbBase

/// A part of a style that is invalid or unsupported and therefore ignored.
public struct StyleDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The id of the layer; nil for the style as a whole. All texts are sanitised for terminals.
    public let layer: String?
    /// The property or member.
    public let property: String?
    /// The problem and its consequence.
    public let problem: String
    /// The location in the style; for a missing part, its expected location.
    public let path: [JSONStep]

    init(layer: String? = nil, property: String? = nil, _ problem: String, at path: [JSONStep] = []) {
        self.layer = layer.map { SafeText.sanitised($0, limit: 80) }
        self.property = property.map { SafeText.sanitised($0, limit: 80) }
        self.problem = SafeText.sanitised(problem, limit: 300)
        self.path = path
    }

    /// The text of the finding, such as "layer roads: line-width: …".
    public var description: String {
        [layer.map { "layer \($0)" }, property, problem].compactMap(\.self).joined(separator: ": ")
    }
}

/// The reason why a text isn't a style at all.
public struct StyleFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem in words.
    public let problem: String
    /// The location; nil for the style as a whole.
    public let location: TextLocation?
    /// True if the text ends too early, as in a file that is still being written.
    public let isCutOff: Bool

    init(_ problem: String) {
        self.problem = SafeText.sanitised(problem)
        location = nil
        isCutOff = false
    }

    /// Creates the failure for a text that isn't JSON.
    init(_ failure: JSONFailure, in bytes: [UInt8]) {
        problem = "the style is not valid JSON: \(failure.problem)"
        location = TextLocation(offset: failure.offset, in: bytes)
        isCutOff = failure.offset >= bytes.count
    }

    /// The text of the failure, such as "line 3, column 7: the style is …".
    public var description: String { (location.map { "\($0): " } ?? "") + problem }

    /// The text is longer than `StyleText.byteLimit`.
    public static let tooLong = StyleFailure(
        "the style is larger than \(StyleText.byteLimit >> 20) MiB; move data from it to separate files")
}
