public import RhumbCore

/// What is looked for, on the map and in the list of places.
public struct MapSearchQuery: Hashable, Sendable {
    /// Words of a name, a street with a house number, or what a kind is called; empty: only what is of
    /// `kind`.
    public var text: String
    /// A place that was named by where it is: what lies there comes before what is called so.
    public var spot: Coordinate?
    /// Where the person looks: what is near there comes first. Nil: nearness doesn't count.
    public var near: Coordinate?
    /// Where is looked.
    public var area: MapSearchArea
    /// Only things of that kind.
    public var kind: SearchKind?
    /// The most results.
    public var limit: Int

    /// A question.
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

/// Where something is looked for.
public enum MapSearchArea: Hashable, Sendable {
    /// In all that is stored.
    case everywhere
    /// In what of it lies in a box.
    case box(Bounds)
    /// In a region or package, by its id.
    case region(String)
    /// In the regions that hold a place.
    case regions(at: Coordinate)
    /// In an archive, by the path of its file.
    case archive(String)
}

/// One thing that was found.
public enum SearchMatch: Hashable, Sendable {
    /// Of the list of places.
    case place(PlaceMatch)
    /// Of the map's own tiles.
    case feature(FoundFeature)

    /// What to call it.
    /// - Parameter language: of the word for what has no name, a code of ISO 639-1.
    public func title(in language: String = "en") -> String {
        switch self {
        case .place(let match): match.place.name
        case .feature(let feature): feature.title(in: language)
        }
    }

    /// Where it is.
    public var coordinate: Coordinate {
        switch self {
        case .place(let match): match.place.coordinate
        case .feature(let feature): feature.coordinate
        }
    }
}

/// What was found.
public struct SearchResult: Equatable, Sendable {
    /// Best first: by how well the name fits, by what it is, by nearness.
    public var matches: [SearchMatch]
    /// Whether vector tiles of the place where the person looks are stored; true where that is not known.
    public var isDownloadedHere: Bool
    /// How much of what is stored can be searched by now, 0…1.
    public var indexedShare: Double
    /// Why the rest can't; nil: it will be soon.
    public var problem: String?
    /// Who must be thanked for what of it was found on the web; empty: nothing was.
    public var attribution = ""

    /// A result.
    public init(
        _ matches: [SearchMatch], isDownloadedHere: Bool = true, indexedShare: Double = 1,
        problem: String? = nil
    ) {
        self.matches = matches
        self.isDownloadedHere = isDownloadedHere
        self.indexedShare = indexedShare
        self.problem = problem
    }

    /// What lies at its matches in the map's own tiles, without the list of places.
    public var features: [FoundFeature] {
        matches.compactMap { if case .feature(let feature) = $0 { feature } else { nil } }
    }
}

/// What lies at a place, as an address says it.
public struct SpotDescription: Equatable, Sendable {
    /// The place that was asked about.
    public var coordinate: Coordinate
    /// The house next to it; nil: none is near, or the tiles tell of none.
    public var house: FoundFeature?
    /// The street next to it.
    public var street: FoundFeature?
    /// Named things that lie there, the nearest first.
    public var things: [FoundFeature] = []
    /// The settlement that it is near.
    public var place: PlaceBearing?
    /// Whether vector tiles of the place are stored.
    public var isDownloadedHere = false

    /// Nothing is known yet.
    public init(_ coordinate: Coordinate) { self.coordinate = coordinate }

    /// "Via dei Neri 12": the house, or the street alone; nil where neither is known.
    public var address: String? { house?.name ?? street?.name }

    /// All that is known of it: its house and street, what lies there, and the settlement.
    public var matches: [SearchMatch] {
        let features = [house, street].compactMap(\.self) + things
        return features.map(SearchMatch.feature)
            + (place.map { [.place(PlaceMatch(place: $0.place, otherName: nil))] } ?? [])
    }
}

/// Finds things on stored maps and in the list of places, without a network. Safe to call from any thread; a
/// call may take some milliseconds.
public protocol MapSearch: Sendable {
    /// What was asked for, best first.
    /// - Throws: `SearchFailure`; `cancelled` when the task it runs in was.
    func search(_ query: MapSearchQuery) throws(SearchFailure) -> SearchResult

    /// The street, the house and the place at a coordinate.
    /// - Throws: `SearchFailure`
    func describe(_ coordinate: Coordinate) throws(SearchFailure) -> SpotDescription
}

/// Why nothing could be searched.
public enum SearchFailure: Remediable, Equatable, Sendable, CustomStringConvertible {
    /// The feature that search belongs to is off.
    case disabled(FeatureFailure)
    /// No vector tiles are stored where something is looked for, so that nothing can be found there.
    case layersNotDownloaded
    /// There is no region of that id, or no archive at that path.
    case unknownArea(String)
    /// Nobody wants the answer any more.
    case cancelled
    /// The index or the list of places can't be read; a sentence about it.
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

    /// What helps besides.
    public var remedy: Remedy? {
        switch self {
        case .disabled(let failure): failure.remedy
        case .unknownArea: .listRegions
        case .layersNotDownloaded, .cancelled, .unreadable: nil
        }
    }

    /// The same trouble with the list of places.
    public init(_ failure: PlaceSearchFailure) {
        switch failure {
        case .disabled(let failure): self = .disabled(failure)
        case .unreadable(let sentence): self = .unreadable(sentence)
        }
    }
}
