/// A way to ask for places over HTTP.
public enum OnlineSearchKind: String, Sendable, CaseIterable {
    /// Nominatim's `search`, answered as "jsonv2".
    case nominatim
    /// Photon's `api`, answered as GeoJSON.
    case photon
}

/// What a search service is asked.
public struct OnlineSearchQuestion: Hashable, Sendable {
    /// Words of a name or an address.
    public var text: String
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
    public init(_ text: String, near: Coordinate? = nil, box: Bounds? = nil, limit: Int = 20, language: String = "en") {
        self.text = SafeText.sanitised(text, limit: Self.longestText)
        (self.near, self.box, self.limit, self.language) = (near, box, min(max(limit, 1), Self.mostResults), language)
    }
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
        (self.features, self.provider, self.attribution) = (features, provider, attribution)
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
        (self.kind, self.name, self.attribution, self.base) = (kind, name, attribution, base)
    }

    // MARK: Requests

    /// Where a question is asked.
    public func address(of question: OnlineSearchQuestion) -> HTTPAddress {
        switch kind {
        case .nominatim: base.appending(path: "/search", query: encoded(nominatim(question)))
        case .photon: base.appending(path: "/api/", query: encoded(photon(question)))
        }
    }

    private func encoded(_ items: [(String, String)]) -> [(name: String, value: String)] {
        items.map { ($0, PercentCoding.encoded($1)) }
    }

    private func nominatim(_ question: OnlineSearchQuestion) -> [(String, String)] {
        var items = [("format", "jsonv2"), ("limit", "\(question.limit)"), ("accept-language", question.language), ("q", question.text)]
        if let box = question.box ?? question.near.flatMap(Self.surroundings) {
            items.append(("viewbox", [box.west, box.north, box.east, box.south].map { $0.plain() }.joined(separator: ",")))
        }
        if question.box != nil { items.append(("bounded", "1")) }
        return items
    }

    private func photon(_ question: OnlineSearchQuestion) -> [(String, String)] {
        var items = [("limit", "\(question.limit)"), ("q", question.text)]
        // Photon refuses languages that it has no names in.
        if Self.photonLanguages.contains(question.language) { items.append(("lang", question.language)) }
        if let near = question.near { items += [("lat", near.latitude.plain()), ("lon", near.longitude.plain())] }
        if let box = question.box {
            items.append(("bbox", [box.west, box.south, box.east, box.north].map { $0.plain() }.joined(separator: ",")))
        }
        return items
    }

    private static let photonLanguages: Set = ["de", "en", "fr"]

    /// What counts as near: a degree around.
    private static func surroundings(_ place: Coordinate) -> Bounds? {
        Bounds(
            west: max(place.longitude - 1, -180), south: max(place.latitude - 1, -90),
            east: min(place.longitude + 1, 180), north: min(place.latitude + 1, 90))
    }

    // MARK: Answers

    /// What was found.
    /// - Throws: `OnlineSearchFailure`, for what is no answer.
    public func answer(_ body: [UInt8], to question: OnlineSearchQuestion) throws(OnlineSearchFailure) -> OnlineSearchAnswer {
        guard let json = try? JSON.parse(body), let items = kind == .nominatim ? json.array : json["features"]?.array else {
            throw refusal(body) ?? .nonsense("\(name): what came is no answer to a search")
        }
        let reader = OnlineFeatureReader(provider: name)
        let found = items.prefix(question.limit).compactMap(kind == .nominatim ? reader.nominatim : reader.photon)
        return OnlineSearchAnswer(found.map { $0.seen(from: question.near) }, provider: name, attribution: attribution)
    }

    /// What an answer that found nothing says of why; nil where it says nothing that is understood.
    public func refusal(_ body: [UInt8]) -> OnlineSearchFailure? {
        guard let json = try? JSON.parse(body) else { return nil }
        let words = json["error"]?["message"]?.string ?? json["error"]?.string ?? json["message"]?.string
        return words.map { .refused("\(name): \(SafeText.sanitised(base.cleaned($0), limit: 200))") }
    }
}
