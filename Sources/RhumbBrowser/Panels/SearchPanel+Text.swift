internal import RhumbCore
internal import RhumbEngine

/// What the search says.
extension SearchPanel {
    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        var lines = spot.map { [spotLine($0, browser)] } ?? []
        lines += own.map { PanelText.Line(text: "\(browser.settings.isUnicode ? "◆" : "#") \($0.feature.name)", right: $0.layer) }
        lines += matches.map { line($0, browser) }
        if lines.indices.contains(row) { lines[row].style = .reverse }
        if lines.isEmpty { lines = emptyLines(browser) }
        let title = browser.settings.isUnicode ? "Search · names: GeoNames" : "Search, names: GeoNames"
        return PanelText(title: title, lines: lines, showing: row, in: browser.panelFrame)
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.prompt == nil
            ? [.init("Enter", "go"), .move, .init("/", "type")] : [.init("Enter", "go"), .init("↑ ↓", "choose"), .init("Tab", "list")]
    }

    private func spotLine(_ spot: PlaceText, _ browser: Browser) -> PanelText.Line {
        let mark = browser.settings.isUnicode ? "◎" : "@"
        return .init(text: "\(mark) \(PlaceFormat.coordinate(spot.coordinate, zoom: 12))", right: "as typed")
    }

    private func line(_ match: PlaceMatch, _ browser: Browser) -> PanelText.Line {
        let isUnicode = browser.settings.isUnicode
        let place = isUnicode ? match.place : match.place.inASCII
        let name = match.otherName.map { isUnicode ? $0 : Transliteration.ascii($0) } ?? ""
        let other = name.isEmpty ? "" : " (\(name))"
        let left = "\(place.sign(isUnicode: isUnicode)) \(place.name)\(other)"
        return .init(text: left, right: whereabouts(place, beside: left, in: browser.panelFrame))
    }

    /// The region and the country's code, clipped to the room beside the name.
    private func whereabouts(_ place: NamedPlace, beside left: String, in frame: PanelFrame) -> String {
        if [.country, .water, .landscape].contains(place.kind) { return place.kind.rawValue }
        let region = place.kind == .region ? "region" : place.region
        let most = max(frame.columns - 5 - min(left.width, (frame.columns - 4) * 3 / 5), 2)
        guard !region.isEmpty, most > place.countryCode.width + 5 else { return place.countryCode }
        return region.clipped(to: most - place.countryCode.width - 2) + ", " + place.countryCode
    }

    private func emptyLines(_ browser: Browser) -> [PanelText.Line] {
        if let words = browser.prompt?.line.string.trimmed, !words.isEmpty {
            if let problem { return browser.wrapped(problem) }
            return found.answered == SearchPanel.place(words) ? [.init(text: "nothing is called so")] : [.init(text: "…")]
        }
        return [
            .init(text: "a place, in any language: Turku, 東京".asShown(browser.settings.isUnicode)),
            .init(text: "with its region or country: Paris, Texas"),
            .init(text: "coordinates, a tile z/x/y, a geohash,"),
            .init(text: "a plus code, a link to another map"),
        ]
    }
}

extension String {
    /// The text, or where only ASCII may be shown what of it is ASCII.
    fileprivate func asShown(_ isUnicode: Bool) -> String {
        isUnicode ? self : String(String.UnicodeScalarView(unicodeScalars.filter(\.isASCII)))
    }
}
