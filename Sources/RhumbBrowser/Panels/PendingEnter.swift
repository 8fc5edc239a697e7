internal import RhumbCore
internal import RhumbEngine

/// A press of Enter before the result of a search has arrived. It accepts the first match once no better one
/// can follow.
struct PendingEnter: Sendable {
    /// The time at which Enter was pressed; nil if it was not.
    private var pressedAt: Duration?
    /// The maximum time that Enter waits while the index grows.
    private static let timeLimit = Duration.seconds(2)

    var isPressed: Bool { pressedAt != nil }

    /// The lifetime of a response while the index grows.
    var pace: Duration { isPressed ? .milliseconds(200) : .seconds(2) }

    mutating func press(at now: Duration) { pressedAt = now }

    /// Repeats the search if the last result is too old. Called while the index grows.
    func searchAgain(
        _ query: MapSearchQuery, in found: inout Loadable<MapSearchQuery, SearchResult>, at now: Duration
    ) -> [Action] {
        let again: [Action] = found.ask(query, at: now, lifetime: pace) ? [.ask(SearchMap(query: query))] : []
        return again + [.effect(.wake(after: pace))]
    }

    /// Returns true if Enter takes the first match. While the index grows, it only takes a match with exactly
    /// the typed name. After a while, Enter is ignored.
    /// - Parameter isCertain: True if the choice does not depend on the index.
    mutating func finds(
        _ result: SearchResult, _ query: MapSearchQuery, isCertain: Bool = false, at now: Duration
    ) -> Bool {
        guard let pressedAt else { return false }
        let isKnown =
            isCertain || result.indexedShare == 1
            || result.matches.first?.isCalled(result.searchedName ?? query.text) == true
        if isKnown || now - pressedAt > Self.timeLimit { self.pressedAt = nil }
        return isKnown
    }
}
