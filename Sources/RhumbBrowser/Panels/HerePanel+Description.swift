public import RhumbCore

/// A query for the description of a place and its surroundings, from stored data.
public struct DescriptionQuery: Query {
    /// The place.
    public let place: Coordinate

    /// The description; nil if the stored data can't be read.
    public typealias Response = PlaceDescription?
}

/// The description of the point in words.
extension HerePanel {
    /// The maximum number of sentences in the panel, so that coordinates, features and traffic fit below
    /// them; `rhumb describe` prints all.
    private static let mostSentences = 5

    /// Queries the description of the point.
    mutating func askDescription(_ browser: Browser) -> [Action] {
        guard browser.isAtRest else { return [] }
        let query = DescriptionQuery(place: browser.pointedPlace)
        return surroundings.ask(query, at: browser.map.now) ? [.ask(query)] : []
    }

    /// Returns the first sentences of the description; empty until it is known, and on the second page.
    func descriptionLines(_ browser: Browser) -> [PanelText.Line] {
        guard !isSecondPage, let asked = surroundings.asked, asked.place == browser.pointedPlace,
            let found = surroundings.current.flatMap(\.self)
        else { return [] }
        let text = DescriptionText(
            found, units: browser.map.settings.units, nextStep: routeAhead, isSpoken: false)
        let title = headline(browser) ?? ""
        let knowsHeight =
            title.hasSuffix(" m") || title.hasSuffix(" ft")
            || browser.positionFacts != nil && browser.position.fix?.height != nil
        let sentences = text.lines(limit: Self.mostSentences).filter {
            !knowsHeight || !$0.hasPrefix(DescriptionText.unknownHeight)
        }
        let lines = sentences.flatMap { line in
            browser.wrapped(browser.map.settings.isUnicode ? line : Transliteration.ascii(line))
        }
        return lines + [.init(text: "")]
    }
}
