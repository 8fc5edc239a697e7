internal import RhumbBase
public import RhumbWeb

/// The provider's identifier of the traffic data at one moment. Opaque: used only in requests and for
/// comparison.
public struct TrafficModel: Hashable, Sendable {
    /// The identifier as received.
    public let id: String

    /// Validates an identifier; nil for an empty text, the one for the newest model ("-1"), or more than 200
    /// bytes.
    public init?(_ id: String) {
        guard !id.isEmpty, id != "-1", id.utf8.count <= 200 else { return nil }
        self.id = id
    }

    /// The identifier, percent-encoded for a URL.
    public var encoded: String { PercentCoding.encoded(id) }

    /// The header in which responses name their model.
    public static let header = "TrafficModelID"

    /// Reads the model of a response from its headers; nil if missing or invalid.
    public init?(of headers: HTTPHeaders) {
        guard let text = headers.first(TrafficModel.header)?.trimmed else { return nil }
        self.init(text)
    }
}
