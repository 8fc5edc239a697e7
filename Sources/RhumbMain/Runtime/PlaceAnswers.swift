internal import Dispatch
internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

extension PlaceSearch {
    /// Seen from farther than this, a section of a city is the city.
    private static var sectionImportance: Double { 2 }

    /// The settlement that tells where a point is: the nearest that matters so much, or the city that it is a
    /// section of.
    func known(
        near point: Coordinate, minimumImportance least: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing? {
        let found = try nearest(to: point, minimumImportance: least)
        guard let place = found?.place, least > Self.sectionImportance,
            let city = try nearest(to: point, minimumImportance: place.importance + 0.45),
            CitySection.isSection(place, of: city.place)
        else { return found }
        return city
    }

    /// The lights of the world's cities; none where they can't be read.
    var lights: [Daylight.Light] {
        let world = Bounds(west: -180, south: -90, east: 180, north: 90)
        let cities = world.flatMap { try? places(in: $0, minimumImportance: 5, limit: 8000) } ?? []
        return Daylight.lights(of: cities)
    }
}

/// Answers what the browser asks about places and things on the map, away from the loop. Of questions that
/// wait only the latest of each kind is answered.
final class PlaceAnswers: Sendable {
    private let places: any PlaceSearch
    private let search: OfflineSearchEngine
    private let inbox: Inbox
    private let queue = DispatchQueue(label: "rhumb.places", qos: .userInitiated)
    private let state = Mutex(State())

    private struct State {
        var latestSearch = 0
        var latestView = 0
    }

    init(_ inbox: Inbox, _ places: any PlaceSearch, _ search: OfflineSearchEngine) {
        self.inbox = inbox
        self.places = places
        self.search = search
    }

    /// Reads ahead what the first key of a search needs. With that the program has started.
    func prepare() {
        queue.async { [search] in
            search.prepare()
            FilePages.giveBack()
        }
    }

    func search(_ query: MapSearchQuery) {
        let ticket = state.withLock { state in
            state.latestSearch += 1
            return state.latestSearch
        }
        queue.async { [self] in
            guard ticket == state.withLock({ $0.latestSearch }) else { return }
            inbox.put(.found(found(query), for: query))
        }
    }

    /// The lines of a found street.
    func lines(of street: FoundFeature) {
        queue.async { [inbox, search] in inbox.put(.streetLines(search.lines(of: street), of: street)) }
    }

    func locate(_ place: Coordinate, minimumImportance: Double) {
        let ticket = state.withLock { state in
            state.latestView += 1
            return state.latestView
        }
        queue.async { [self] in
            guard ticket == state.withLock({ $0.latestView }) else { return }
            // The search reports a gazetteer that can't be read.
            let found = (try? places.known(near: place, minimumImportance: minimumImportance)) ?? nil
            inbox.put(.located(found, at: place))
        }
    }

    /// The labels of a part of the map.
    func labels(in box: Bounds, minimumImportance: Double, limit: Int) {
        queue.async { [inbox, places] in
            inbox.put(
                .placeLabels(
                    (try? places.places(in: box, minimumImportance: minimumImportance, limit: limit)) ?? []))
        }
    }

    /// The lights of the world's cities.
    func lights() {
        queue.async { [inbox, places] in inbox.put(.cityLights(places.lights)) }
    }

    private func found(_ query: MapSearchQuery) -> Result<SearchResult, Notice.Problem> {
        do throws(SearchFailure) {
            return .success(try search.search(query))
        } catch {
            return .failure(Notice.Problem(error))
        }
    }
}
