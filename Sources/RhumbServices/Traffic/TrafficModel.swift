internal import RhumbBase
public import RhumbWeb

/// The name of one moment of traffic, as the provider gives it. Opaque: only good for asking
/// with, and for telling whether two are the same.
public struct TrafficModel: Hashable, Sendable {
    /// As it came.
    public let id: String

    /// Nil for an empty text, one that asks for the newest ("-1"), or one of more than 200 bytes.
    public init?(_ id: String) {
        guard !id.isEmpty, id != "-1", id.utf8.count <= 200 else { return nil }
        self.id = id
    }

    /// The id as it appears in an address.
    public var encoded: String { PercentCoding.encoded(id) }

    /// The header in which answers name the model they are drawn from.
    public static let header = "TrafficModelID"

    /// The model an answer says it is of.
    public init?(of headers: HTTPHeaders) {
        guard let text = headers.first(TrafficModel.header)?.trimmed else { return nil }
        self.init(text)
    }
}
