public import RhumbBase

/// Something in a style that is wrong or not supported, and so left out.
public struct StyleFinding: Hashable, Sendable, CustomStringConvertible {
    /// The layer it is in; nil for the style as a whole. Harmless to a terminal, as all its texts.
    public let layer: String?
    /// The property or member.
    public let property: String?
    /// The problem, and the treatment of it.
    public let problem: String
    /// The path in the style; that of a missing part is where it should be.
    public let path: [JSONStep]

    init(layer: String? = nil, property: String? = nil, _ problem: String, at path: [JSONStep] = []) {
        self.layer = layer.map { SafeText.sanitised($0, limit: 80) }
        self.property = property.map { SafeText.sanitised($0, limit: 80) }
        self.problem = SafeText.sanitised(problem, limit: 300)
        self.path = path
    }

    /// "layer roads: line-width: …"
    public var description: String {
        [layer.map { "layer \($0)" }, property, problem].compactMap(\.self).joined(separator: ": ")
    }
}

/// Why a text is no style at all.
public struct StyleFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem.
    public let problem: String
    /// The place; nil for the style as a whole.
    public let place: TextPlace?
    /// True if the text is truncated, like a file that is being written.
    public let isCutOff: Bool

    init(_ problem: String) {
        self.problem = SafeText.sanitised(problem)
        place = nil
        isCutOff = false
    }

    /// For a text that is no JSON.
    init(_ failure: JSONFailure, in bytes: [UInt8]) {
        problem = "the style is not valid JSON: \(failure.problem)"
        place = TextPlace(offset: failure.offset, in: bytes)
        isCutOff = failure.offset >= bytes.count
    }

    /// "line 3, column 7: the style is …"
    public var description: String { (place.map { "\($0): " } ?? "") + problem }

    /// A text longer than `StyleText.byteLimit`.
    public static let tooLong = StyleFailure(
        "the style is larger than \(StyleText.byteLimit >> 20) MiB; move data from it to separate files")
}
