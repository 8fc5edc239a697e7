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

/// What a search service is asked.
public struct OnlineSearchQuestion: Hashable, Sendable {
    /// Words of a name or an address.
    public var text: String
    /// A place: what lies there is asked for, and the text doesn't count.
    public var spot: Coordinate?
    /// Where the person looks: what is near is preferred.
    public var near: Coordinate?
    /// Only what lies in this box; nil: anywhere.
    public var box: Bounds?
    /// The most results.
    public var limit: Int
    /// The language of the answer, a code of ISO 639-1.
    public var language: String

    /// The most results that a service is asked for.
    public static let mostResults = 40
    /// The longest text that is sent, in characters.
    public static let longestText = 200

    /// A question; what is longer or more than services take is cut off.
    public init(
        _ text: String, near: Coordinate? = nil, box: Bounds? = nil, limit: Int = 20, language: String = "en"
    ) {
        self.text = SafeText.sanitised(text, limit: Self.longestText)
        self.near = near
        self.box = box
        self.limit = min(max(limit, 1), Self.mostResults)
        self.language = language
    }

    /// Asks what lies at a place: the house, the street, the town.
    public init(at spot: Coordinate, limit: Int = 20, language: String = "en") {
        self.init("", near: spot, limit: min(limit, Self.mostAtSpot), language: language)
        self.spot = spot
    }

    /// The most results that a place is told by: farther ones say nothing of it.
    public static let mostAtSpot = 5
}

/// What a search service found.
public struct OnlineSearchAnswer: Equatable, Sendable {
    /// The best first, as the service has them.
    public let features: [FoundFeature]
    /// Who found them.
    public let provider: String
    /// Who must be thanked; may be empty.
    public let attribution: String

    /// An answer of a provider.
    public init(_ features: [FoundFeature], provider: String, attribution: String) {
        self.features = features
        self.provider = provider
        self.attribution = attribution
    }
}

/// A search service at an address: what makes requests and reads answers. It asks nobody.
public struct OnlineSearchService: Sendable {
    /// How it is asked.
    public let kind: OnlineSearchKind
    /// What people call it.
    public let name: String
    /// Who must be thanked for what it finds; may be empty.
    public let attribution: String
    /// Where it is, a key filled in.
    public let base: HTTPAddress

    /// A service that is asked at an address.
    public init(_ kind: OnlineSearchKind, name: String, attribution: String, base: HTTPAddress) {
        self.kind = kind
        self.name = name
        self.attribution = attribution
        self.base = base
    }

    // MARK: Answers

    /// What was found.
    /// - Throws: `OnlineSearchFailure`, for what is no answer.
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

    /// What was found, each as the service describes it; nil: it is no answer.
    private func items(of json: JSON, _ question: OnlineSearchQuestion) -> [JSON]? {
        switch kind {
        case .photon: json["features"]?.array
        case .nominatim where question.spot == nil: json.array
        // Of a place Nominatim tells one thing; of the open sea that it can't.
        case .nominatim: json["lat"] != nil ? [json] : json["error"]?.string == "Unable to geocode" ? [] : nil
        }
    }

    /// What an answer that found nothing says of why; nil where it says nothing that is understood.
    public func refusal(_ body: [UInt8]) -> OnlineSearchFailure? {
        guard let json = try? JSON.parse(body) else { return nil }
        let words = json["error"]?["message"]?.string ?? json["error"]?.string ?? json["message"]?.string
        return words.map { .refused("\(name): \(SafeText.sanitised(base.cleaned($0), limit: 200))") }
    }
}
