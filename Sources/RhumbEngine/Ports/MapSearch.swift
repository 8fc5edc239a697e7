public import RhumbCore

/// A query for places and features.
public struct MapSearchQuery: Hashable, Sendable {
    /// A name, a street with a house number, or a kind; empty to find all features of `kind`.
    public var text: String
    /// The position if the text is a pair of coordinates. Features there come before those with the name.
    public var spot: Coordinate?
    /// The position around which the user searches; nearer results come first. nil to ignore distances.
    public var near: Coordinate?
    /// The area of the search.
    public var area: MapSearchArea
    /// The kind of the results; nil for any.
    public var kind: SearchKind?
    /// The maximum number of results.
    public var limit: Int

    /// Creates a query.
    public init(
        _ text: String, near: Coordinate? = nil, area: MapSearchArea = .everywhere, kind: SearchKind? = nil,
        limit: Int = 20
    ) {
        self.text = text
        self.near = near
        self.area = area
        self.kind = kind
        self.limit = limit
    }
}

/// The area of a search.
public enum MapSearchArea: Hashable, Sendable {
    /// All stored data.
    case everywhere
    /// The stored data within a box.
    case box(Bounds)
    /// A region or package, by its id.
    case region(String)
    /// The regions that contain a position.
    case regions(at: Coordinate)
    /// An archive, by the path of its file.
    case archive(String)
}

/// A result of a search.
public enum SearchMatch: Hashable, Sendable {
    /// A place of the gazetteer.
    case place(PlaceMatch)
    /// A feature of the map's own tiles.
    case feature(FeatureMatch)

    /// Returns the title of the result.
    /// - Parameters:
    ///   - language: The language of the kind of an unnamed feature, a code of ISO 639-1.
    ///   - names: The language of the names of places.
    public func title(in language: String = "en", names: NameLanguage = .usual) -> String {
        switch self {
        case .place(let match): match.place.name(in: names)
        case .feature(let feature): feature.title(in: language)
        }
    }

    /// The position.
    public var coordinate: Coordinate {
        switch self {
        case .place(let match): match.place.coordinate
        case .feature(let feature): feature.coordinate
        }
    }
}

extension SearchMatch {
    /// True for a place whose name contains the words only with typing mistakes.
    public var isSimilar: Bool { if case .place(let match) = self { match.isSimilar } else { false } }
}

extension SearchMatch: CustomStringConvertible {
    /// The description of the place or feature.
    public var description: String {
        switch self {
        case .place(let match): "\(match)"
        case .feature(let match): "\(match)"
        }
    }
}

/// The result of a search.
public struct SearchResult: Equatable, Sendable {
    /// The matches, best first by name, kind and distance.
    public var matches: [SearchMatch]
    /// True if vector tiles around the user's position are stored, or if that is unknown.
    public var isDownloadedHere: Bool
    /// The share of stored data that is indexed, from 0 to 1.
    public var indexedShare: Double
    /// The reason why the rest can't be indexed; nil if it will be indexed soon.
    public var problem: String?
    /// A remark on the reading of the text, such as a house number that isn't known; nil if there is none.
    public var note: String?
    /// The part of the text that is the name of the matches, such as "Via dei Neri" of "Via dei Neri,
    /// Firenze"; nil for the whole text.
    public var searchedName: String?
    /// The attribution of results from the web; empty if there are none.
    public var attribution = ""

    /// Creates a result.
    public init(
        _ matches: [SearchMatch], isDownloadedHere: Bool = true, indexedShare: Double = 1,
        problem: String? = nil
    ) {
        self.matches = matches
        self.isDownloadedHere = isDownloadedHere
        self.indexedShare = indexedShare
        self.problem = problem
    }

    /// The matches that are features of the map's own tiles.
    public var features: [FeatureMatch] {
        matches.compactMap { if case .feature(let feature) = $0 { feature } else { nil } }
    }
}

/// The address and features at a position.
public struct ReverseGeocodeResult: Equatable, Sendable {
    /// The requested position.
    public var coordinate: Coordinate
    /// The nearest house; nil if none is near, or the tiles have none.
    public var house: FeatureMatch?
    /// The street next to the position.
    public var street: FeatureMatch?
    /// The named features at the position, nearest first.
    public var things: [FeatureMatch] = []
    /// The settlement that the position is near.
    public var place: PlaceBearing?
    /// True if vector tiles of the position are stored.
    public var isDownloadedHere = false

    /// Creates a result without any data.
    public init(_ coordinate: Coordinate) { self.coordinate = coordinate }

    /// The house, or the street alone, such as "Via dei Neri 12"; nil if neither is known.
    public var address: String? { house?.name ?? street?.name }

    /// The matches: the house, the street, the features at the position, and the settlement.
    public var matches: [SearchMatch] {
        let features = [house, street].compactMap(\.self) + things
        return features.map(SearchMatch.feature)
            + (place.map { [.place(PlaceMatch(place: $0.place, otherName: nil))] } ?? [])
    }
}

/// Finds features of stored maps and places of the gazetteer, without a network. Safe to call from any
/// thread; a call may take some milliseconds.
public protocol MapSearch: Sendable {
    /// Searches, and returns the best matches first.
    /// - Throws: `SearchFailure`; `cancelled` if its task was cancelled.
    func search(_ query: MapSearchQuery) throws(SearchFailure) -> SearchResult

    /// Returns the street, the house and the settlement at a coordinate.
    /// - Throws: `SearchFailure`
    func describe(_ coordinate: Coordinate) throws(SearchFailure) -> ReverseGeocodeResult
}

extension MapSearch {
    /// Searches for a name, a street with a house number, or a kind.
    /// - Parameter near: The position around which the user searches; nil to ignore distances.
    /// - Throws: `SearchFailure`
    public func search(_ text: String, near: Coordinate? = nil) throws(SearchFailure) -> SearchResult {
        try search(MapSearchQuery(text, near: near))
    }
}

/// The reason why a search failed.
public enum SearchFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The feature that search belongs to is off.
    case disabled(FeatureFailure)
    /// No vector tiles are stored in the searched area.
    case layersNotDownloaded
    /// No region has this id, and no archive this path.
    case unknownArea(String)
    /// The search was cancelled.
    case cancelled
    /// The index or the gazetteer can't be read, for the reason in a sentence.
    case unreadable(String)

    public var description: String {
        switch self {
        case .disabled(let failure): "\(failure)"
        case .layersNotDownloaded: "no vector tiles are stored there, so offline search finds nothing"
        case .unknownArea(let name):
            "no region or vector tile archive called \(SafeText.sanitised(name, limit: 80))"
        case .cancelled: "the search was cancelled"
        case .unreadable(let sentence): sentence
        }
    }

    /// A suggested remedy; nil if there is none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .disabled(let failure): failure.remedy
        case .unknownArea: .listRegions
        case .layersNotDownloaded, .cancelled, .unreadable: nil
        }
    }

    /// Converts a failure of the place search.
    public init(_ failure: PlaceSearchFailure) {
        switch failure {
        case .disabled(let failure): self = .disabled(failure)
        case .unreadable(let sentence): self = .unreadable(sentence)
        }
    }
}

extension SearchResult {
    /// Merges local and online results: first the local ones that match the words, then new ones from the
    /// service, then the rest.
    public func joined(with answer: OnlineSearchAnswer, to query: MapSearchQuery) -> SearchResult {
        var joined = self
        let new = answer.features.filter { feature in !matches.contains { $0.isSame(as: feature) } }.map(
            SearchMatch.feature)
        let wanted = SearchFit(query, searchedName), fitting = matches.filter(wanted.isFit),
            others = matches.filter { !wanted.isFit($0) }
        // Neither kind may fill the whole list.
        let room = max(query.limit - min(new.count, (query.limit + 1) / 2), 0)
        joined.matches = Array(
            (fitting.prefix(room) + new + fitting.dropFirst(room) + others).prefix(query.limit))
        joined.attribution = new.isEmpty ? "" : answer.attribution
        return joined
    }
}

/// Decides whether a result has the searched name or kind.
private struct SearchFit {
    let text: String
    let kind: SearchKind?
    /// Results at the searched place always match.
    let isSpot: Bool

    /// - Parameter name: The part of the query's text that is the name; nil for the whole text.
    init(_ query: MapSearchQuery, _ name: String?) {
        isSpot = query.spot != nil
        text = SearchFit.plain(name ?? query.text)
        kind = query.kind ?? SearchKind(word: query.text)
    }

    func isFit(_ match: SearchMatch) -> Bool {
        if isSpot { return true }
        let names: [String?]
        switch match {
        case .place(let match): names = [match.place.name, match.otherName]
        case .feature(let feature):
            if kind?.includes(feature.category, feature.kind) == true { return true }
            names = [feature.name, feature.otherName]
        }
        return !text.isEmpty && names.compactMap(\.self).contains { SearchFit.plain($0).hasPrefix(text) }
    }

    private static func plain(_ text: String) -> String { Transliteration.ascii(text).lowercased() }
}

extension SearchMatch {
    /// Returns true if a result of a service is the same place or feature.
    fileprivate func isSame(as found: FeatureMatch) -> Bool {
        switch self {
        case .feature(let feature): FeatureMatch.joined([feature, found]).count == 1
        case .place(let match):
            found.category == .settlement && match.place.coordinate.metres(to: found.coordinate) < 8000
                && [match.place.name, match.otherName].contains(found.name)
        }
    }

    /// The provider: a service's name, "GeoNames", or "" for stored tiles.
    public var provider: String {
        switch self {
        case .place: "GeoNames"
        case .feature(let feature): feature.provider
        }
    }
}
