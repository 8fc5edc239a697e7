internal import RhumbBase
public import RhumbGeo
public import RhumbWeb

/// The HTTP API of a search service.
public enum OnlineSearchKind: String, Sendable, CaseIterable {
    /// Nominatim's `search` and `reverse`, with responses in "jsonv2".
    case nominatim
    /// Photon's `api` and `reverse`, with responses in GeoJSON.
    case photon
}

/// A query for a search service.
public struct OnlineSearchQuestion: Hashable, Sendable {
    /// A name or an address.
    public var text: String
    /// The place to describe; nil to search for `text`. If set, `text` is ignored.
    public var spot: Coordinate?
    /// The place near which results are preferred.
    public var near: Coordinate?
    /// The box to which results are limited; nil for no limit.
    public var box: Bounds?
    /// The maximum number of results.
    public var limit: Int
    /// The language of the response, an ISO 639-1 code.
    public var language: String

    /// The maximum of `limit`.
    public static let mostResults = 40
    /// The maximum length of the text, in characters.
    public static let longestText = 200

    /// Creates a query for a text. Long texts are truncated, and the limit is clamped.
    public init(
        _ text: String, near: Coordinate? = nil, box: Bounds? = nil, limit: Int = 20, language: String = "en"
    ) {
        self.text = SafeText.sanitised(text, limit: Self.longestText)
        self.near = near
        self.box = box
        self.limit = min(max(limit, 1), Self.mostResults)
        self.language = language
    }

    /// Creates a query for the house, street or town at a place.
    public init(at spot: Coordinate, limit: Int = 20, language: String = "en") {
        self.init("", near: spot, limit: min(limit, Self.mostAtSpot), language: language)
        self.spot = spot
    }

    /// The maximum of `limit` for queries at a place; farther results wouldn't describe it.
    static let mostAtSpot = 5
}

/// The results of a search service.
public struct OnlineSearchAnswer: Equatable, Sendable {
    /// The results in the service's order, best first.
    public let features: [FeatureMatch]
    /// The name of the provider.
    public let provider: String
    /// The attribution that must be shown; may be empty.
    public let attribution: String

    /// Creates the results of a provider.
    public init(_ features: [FeatureMatch], provider: String, attribution: String) {
        self.features = features
        self.provider = provider
        self.attribution = attribution
    }
}

/// A search service at an address. Builds requests and parses responses, without any network access.
public struct OnlineSearchService: Sendable {
    /// The service's API.
    public let kind: OnlineSearchKind
    /// The service's display name.
    public let name: String
    /// The attribution that must be shown with its results; may be empty.
    public let attribution: String
    /// The service's base address, with its key filled in.
    public let base: HTTPAddress

    /// Creates a service at an address.
    public init(_ kind: OnlineSearchKind, name: String, attribution: String, base: HTTPAddress) {
        self.kind = kind
        self.name = name
        self.attribution = attribution
        self.base = base
    }

    // MARK: Responses

    /// Parses the response to a query.
    /// - Throws: `OnlineSearchFailure` if the response is invalid.
    public func answer(
        _ body: [UInt8], to question: OnlineSearchQuestion
    ) throws(OnlineSearchFailure) -> OnlineSearchAnswer {
        guard let json = try? JSON.parse(body), let items = items(of: json, question) else {
            throw refusal(body) ?? .nonsense("\(name): invalid response to a search")
        }
        let reader = OnlineFeatureReader(provider: name)
        let found = items.prefix(question.limit).compactMap(
            kind == .nominatim ? reader.nominatim : reader.photon)
        return OnlineSearchAnswer(
            found.map { $0.seen(from: question.near) }, provider: name, attribution: attribution)
    }

    /// Returns the results as JSON; nil if the response is invalid.
    private func items(of json: JSON, _ question: OnlineSearchQuestion) -> [JSON]? {
        switch kind {
        case .photon: json["features"]?.array
        case .nominatim where question.spot == nil: json.array
        // For a place, Nominatim returns one object; for the open sea, an error.
        case .nominatim: json["lat"] != nil ? [json] : json["error"]?.string == "Unable to geocode" ? [] : nil
        }
    }

    /// Returns the reason that an error response gives; nil if it gives none that is understood.
    public func refusal(_ body: [UInt8]) -> OnlineSearchFailure? {
        guard let json = try? JSON.parse(body) else { return nil }
        let message = json["error"]?["message"]?.string ?? json["error"]?.string ?? json["message"]?.string
        return message.map { .refused("\(name): \(SafeText.sanitised(base.cleaned($0), limit: 200))") }
    }
}
