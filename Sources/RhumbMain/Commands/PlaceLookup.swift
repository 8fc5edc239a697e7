internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Turns the words of a command into a place: coordinates in any form, a bookmark, or a name of the gazetteer
/// or of the stored maps. All commands use it, so that the same words mean the same place everywhere.
struct PlaceLookup {
    /// A place, with its name and a view that shows it.
    struct Found {
        let coordinate: Coordinate
        /// The scale of the view; nil if the words don't imply one.
        let closeness: ParsedLocation.Closeness?
        /// The name; nil for coordinates.
        let name: String?
        /// The kind of a feature that is more than a point of a street or settlement, such as "park" or
        /// "river"; nil for others.
        var kind: String?

        var location: ParsedLocation { ParsedLocation(coordinate: coordinate, closeness: closeness) }
    }

    private let search: OfflineSearchEngine
    private let area: SearchedArea?
    /// The time limit for indexing stored maps.
    private let timeLimit: Duration
    private var isIndexed = false
    /// The width in metres of a view of a street or a feature.
    private static let featureWidth = 1000.0

    /// - Parameters:
    ///   - area: The region or archive whose names come first; nil for none.
    ///   - timeLimit: The time limit for indexing stored maps. The next command continues it.
    init(_ session: MapSession, in area: SearchedArea?, timeLimit: Duration = .seconds(20)) {
        search = session.offlineSearch
        self.area = area
        self.timeLimit = timeLimit
    }

    /// Returns several places, each looked up near the previous one.
    /// - Throws: A sentence if there is no such place, or `SearchFailure`.
    mutating func places(_ texts: [String]) throws -> [Coordinate] {
        var places: [Coordinate] = []
        for text in texts { places.append(try place(text, near: places.last).coordinate) }
        return places
    }

    /// Returns a place.
    /// - Parameter near: The location to which the nearest place is chosen if several have the name.
    /// - Throws: A sentence if there is no such place, or `SearchFailure`.
    mutating func place(_ text: String, near: Coordinate? = nil) throws -> Found {
        if let found = try known(text, near: near) { return found }
        throw Notice.Problem(
            "no place found for \"\(SafeText.sanitised(text, limit: 60))\"; try rhumb search, or use coordinates"
        )
    }

    /// Returns a place; nil if there is none with that name.
    mutating func known(_ text: String, near: Coordinate? = nil) throws -> Found? {
        if let code = ParsedLocation.shortCode(in: text), let town = try known(code.town, near: near),
            let spot = try? ParsedLocation(code.code, near: town.coordinate)
        {
            return Found(coordinate: spot.coordinate, closeness: spot.closeness, name: nil)
        }
        do throws(ParsedLocation.Misread) {
            let spot = try ParsedLocation(text, near: near)
            return Found(coordinate: spot.coordinate, closeness: spot.closeness, name: nil)
        } catch {
            guard !error.isOutOfRange else { throw Notice.Problem(error) }
        }
        if let camera = Self.bookmark(text) {
            return Found(coordinate: camera.coordinate, closeness: .zoom(camera.zoom), name: nil)
        }
        if near == nil, let town = try town(text) { return town }
        guard let (match, searched, note) = try match(text, near: near) else { return nil }
        let found = Self.found(match)
        if let note {
            Output.note("rhumb: \(note)")
        } else if !match.isCalled(searched), !text.contains(",") {
            let names = [text, found.name ?? ""].map { SafeText.sanitised($0, limit: 60) }
            Output.note("rhumb: nothing is called \(names[0]); using \(names[1])")
        }
        return found
    }

    private static func bookmark(_ letter: String) -> Camera? {
        guard letter.count == 1 else { return nil }
        return BookmarkFile(Folders(environment: Environment.all)).load().bookmarks
            .first { String($0.letter) == letter }?.camera
    }

    /// Returns a town with exactly that name in the area, without opening the index.
    private func town(_ text: String) throws -> Found? {
        guard let town = try EmbeddedPlaces.open().town(named: text),
            area.map({ $0.bounds?.contains(town.coordinate) == true }) ?? true
        else { return nil }
        return Self.found(.place(PlaceMatch(place: town, otherName: nil)))
    }

    private static func found(_ match: SearchMatch) -> Found {
        let width: Double, kind: String?
        switch match {
        case .place(let match):
            width = match.place.viewWidth
            kind = match.place.kind.isSettlement ? nil : match.place.kind.rawValue
        case .feature(let feature):
            width = featureWidth
            let isAddress = [.street, .address, .settlement].contains(feature.category)
            kind = isAddress || feature.name.isEmpty ? nil : feature.kindWord(in: Environment.language)
        }
        return Found(
            coordinate: match.coordinate, closeness: .width(metres: width),
            name: match.title(in: Environment.language, names: Environment.names), kind: kind)
    }

    // MARK: Names

    /// A match, the part of the text that is its name, and a remark on the text.
    private typealias Match = (match: SearchMatch, searched: String, note: String?)

    /// Returns the best match of a name, in the area if it has that name, and else anywhere.
    private mutating func match(_ text: String, near: Coordinate?) throws -> Match? {
        if !isIndexed { search.catchUp(for: timeLimit) }
        isIndexed = true
        var inside: Match?
        if let area, !area.isImage {
            inside = try best(
                MapSearchQuery(text, near: near ?? area.bounds?.center, area: area.area, limit: 1))
        }
        if let inside, inside.match.isCalled(inside.searched) { return inside }
        let anywhere = try best(MapSearchQuery(text, near: near ?? area?.bounds?.center, limit: 1))
        if let anywhere, anywhere.match.isCalled(anywhere.searched) { return anywhere }
        return inside ?? anywhere
    }

    private func best(_ query: MapSearchQuery) throws -> Match? {
        let result = try search.search(query)
        guard let match = result.matches.first else { return nil }
        return (match, result.searchedName ?? query.text, result.note)
    }
}
