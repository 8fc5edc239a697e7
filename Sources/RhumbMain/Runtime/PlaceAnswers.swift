internal import Dispatch
internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Answers what the browser asks about places, away from the loop. Of questions that wait only
/// the latest of each kind is answered.
final class PlaceAnswers: Sendable {
    private let open: @Sendable () throws(PlaceSearchFailure) -> any PlaceSearch
    private let inbox: Inbox
    private let queue = DispatchQueue(label: "rhumb.places", qos: .userInitiated)
    private let state = Mutex(State())

    private struct State {
        /// What opening came to, once it was tried.
        var search: Result<any PlaceSearch, PlaceSearchFailure>?
        var latestSearch = 0
        var latestView = 0
    }

    /// - Parameter open: opens the places, at the first question.
    init(_ inbox: Inbox, open: @escaping @Sendable () throws(PlaceSearchFailure) -> any PlaceSearch) {
        self.inbox = inbox
        self.open = open
    }

    func search(_ words: String, near: Coordinate) {
        let ticket = state.withLock { state in
            state.latestSearch += 1
            return state.latestSearch
        }
        queue.async { [self] in
            guard ticket == state.withLock({ $0.latestSearch }) else { return }
            inbox.put(.placesFound(found(words, near), for: words))
        }
    }

    func locate(_ place: Coordinate, minimumImportance: Double) {
        let ticket = state.withLock { state in
            state.latestView += 1
            return state.latestView
        }
        queue.async { [self] in
            guard ticket == state.withLock({ $0.latestView }) else { return }
            let search = try? opened().get()
            // A view that can't be named is no trouble: the search says what is wrong.
            inbox.put(.located((try? search?.nearest(to: place, minimumImportance: minimumImportance)) ?? nil))
        }
    }

    /// The labels of a part of the map.
    func labels(in box: Bounds, minimumImportance: Double, limit: Int) {
        queue.async { [self] in
            let search = try? opened().get()
            let found = (try? search?.places(in: box, minimumImportance: minimumImportance, limit: limit)) ?? nil
            inbox.put(.placeLabels(found ?? []))
        }
    }

    private func found(_ words: String, _ near: Coordinate) -> Result<[PlaceMatch], Notice.Problem> {
        do throws(PlaceSearchFailure) {
            let search = try opened().get()
            return .success(try search.places(matching: words, near: near, limit: Browser.searchLimit))
        } catch {
            return .failure(Notice.Problem("\(error)"))
        }
    }

    /// Other features are enabled: whether places may be searched is asked again.
    func forget() { state.withLock { $0.search = nil } }

    private func opened() -> Result<any PlaceSearch, PlaceSearchFailure> {
        if let known = state.withLock({ $0.search }) { return known }
        let result = Result { () throws(PlaceSearchFailure) in try open() }
        state.withLock { $0.search = result }
        return result
    }
}
