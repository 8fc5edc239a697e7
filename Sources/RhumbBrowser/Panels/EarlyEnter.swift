internal import RhumbCore
internal import RhumbEngine

/// Enter pressed before it is known what was found: it goes to the first match once that can be trusted.
struct EarlyEnter: Sendable {
    private var pressedAt: Duration?
    /// An answer from what is only partly indexed is asked for again so often; then Enter waits no longer.
    private static let patience = Duration.seconds(2)
    /// The same while Enter waits.
    private static let hurry = Duration.milliseconds(200)

    var isPressed: Bool { pressedAt != nil }

    /// When an answer from what is only partly indexed is asked for again.
    var pace: Duration { isPressed ? Self.hurry : Self.patience }

    mutating func press(at now: Duration) { pressedAt = now }

    /// Whether it goes to the first match: while not all is indexed only to what is called just so. It waits no longer
    /// afterwards, nor after its patience ended.
    /// - Parameter isCertain: whether something comes before all that was found.
    mutating func finds(_ result: SearchResult, _ query: MapSearchQuery, isCertain: Bool = false, at now: Duration) -> Bool {
        guard let pressedAt else { return false }
        let isKnown = isCertain || result.indexedShare == 1 || result.matches.first?.isCalled(query.text) == true
        if isKnown || now - pressedAt > Self.patience { self.pressedAt = nil }
        return isKnown
    }
}
