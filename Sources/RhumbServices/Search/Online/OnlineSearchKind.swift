internal import RhumbBase
public import RhumbGeo
public import RhumbWeb

/// A way to ask for places over HTTP.
public enum OnlineSearchKind: String, Sendable, CaseIterable {
    /// Nominatim's `search` and `reverse`, answered as "jsonv2".
    case nominatim
    /// Photon's `api` and `reverse`, answered as GeoJSON.
    case photon
}

/// A query for a search service.
public struct OnlineSearchQuestion: Hashable, Sendable {
    /// Words of a name or an address.
    public var text: String
    /// The place of a reverse search, for which the text is ignored; nil for a search by text.
    public var spot: Coordinate?
    /// The place around which results are preferred; nil for none.
    public var near: Coordinate?
    /// The box that limits the results; nil for none.
    public var box: Bounds?
    /// The most results.
    public var limit: Int
    /// The language of the answer, a code of ISO 639-1.
    public var language: String

    /// The most results of a request.
    public static let mostResults = 40
    /// The longest text that is sent, in characters.
    public static let longestText = 200

    /// A query by text. Longer texts and larger limits than services allow are cut.
    public init(
        _ text: String, near: Coordinate? = nil, box: Bounds? = nil, limit: Int = 20, language: String = "en"
    ) {
        self.text = SafeText.sanitised(text, limit: Self.longestText)
        self.near = near
        self.box = box
        self.limit = min(max(limit, 1), Self.mostResults)
        self.language = language
    }

    /// A reverse query for the house, the street and the town at a place.
    public init(at spot: Coordinate, limit: Int = 20, language: String = "en") {
        self.init("", near: spot, limit: min(limit, Self.mostAtSpot), language: language)
        self.spot = spot
    }

    /// The most results of a reverse query; farther ones do not describe the place.
    public static let mostAtSpot = 5
}

/// The results of a search service.
public struct OnlineSearchAnswer: Equatable, Sendable {
    /// The best first, as the service has them.
    public let features: [FoundFeature]
    /// The name of the provider.
    public let provider: String
    /// The attribution; may be empty.
    public let attribution: String

    /// An answer of a provider.
    public init(_ features: [FoundFeature], provider: String, attribution: String) {
        self.features = features
        self.provider = provider
        self.attribution = attribution
    }
}

/// A search service at an address. It builds requests and reads responses, and sends nothing.
public struct OnlineSearchService: Sendable {
    /// The API of the service.
    public let kind: OnlineSearchKind
    /// The name for people.
    public let name: String
    /// The attribution of its results; may be empty.
    public let attribution: String
    /// The address, with the key.
    public let base: HTTPAddress

    /// A service that is asked at an address.
    public init(_ kind: OnlineSearchKind, name: String, attribution: String, base: HTTPAddress) {
        self.kind = kind
        self.name = name
        self.attribution = attribution
        self.base = base
    }

    // MARK: Answers

    /// Reads the results of a response.
    /// - Throws: `OnlineSearchFailure` for an invalid response.
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

    /// Returns the results as the service describes them; nil for an invalid response.
    private func items(of json: JSON, _ question: OnlineSearchQuestion) -> [JSON]? {
        switch kind {
        case .photon: json["features"]?.array
        case .nominatim where question.spot == nil: json.array
        // Of a place Nominatim tells one thing; of the open sea that it can't.
        case .nominatim: json["lat"] != nil ? [json] : json["error"]?.string == "Unable to geocode" ? [] : nil
        }
    }

    /// Reads the reason from an error response; nil if it has none that is understood.
    public func refusal(_ body: [UInt8]) -> OnlineSearchFailure? {
        guard let json = try? JSON.parse(body) else { return nil }
        let words = json["error"]?["message"]?.string ?? json["error"]?.string ?? json["message"]?.string
        return words.map { .refused("\(name): \(SafeText.sanitised(base.cleaned($0), limit: 200))") }
    }
}
