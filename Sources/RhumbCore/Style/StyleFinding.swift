/// Something in a style that is wrong or not supported, and so left out.
public struct StyleFinding: Hashable, Sendable, CustomStringConvertible {
    /// The layer it is in; nil for the style as a whole. Harmless to a terminal, as all its texts.
    public let layer: String?
    /// The property or member.
    public let property: String?
    /// What is wrong and what is done instead.
    public let problem: String

    init(layer: String? = nil, property: String? = nil, _ problem: String) {
        self.layer = layer.map { SafeText.sanitised($0, limit: 80) }
        self.property = property.map { SafeText.sanitised($0, limit: 80) }
        self.problem = SafeText.sanitised(problem, limit: 300)
    }

    /// "layer roads: line-width: …"
    public var description: String {
        [layer.map { "layer \($0)" }, property, problem].compactMap(\.self).joined(separator: ": ")
    }
}

/// Why a text is no style at all.
public struct StyleFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What of the style can't be read, and where.
    public let description: String
    init(_ description: String) { self.description = SafeText.sanitised(description) }
}
