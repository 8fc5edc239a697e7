internal import RhumbCore
internal import RhumbEngine

/// What the search says.
extension SearchPanel {
    /// What a row of the list stands for.
    enum Choice {
        case spot(PlaceText)
        case match(SearchMatch)
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        var lines = spot.map { [spotLine($0, browser)] } ?? []
        lines += matches.map { line($0, browser) }
        if lines.indices.contains(row) { lines[row].style = .reverse }
        if lines.isEmpty { lines = emptyLines(browser) }
        lines += notes(browser)
        let dot = browser.settings.isUnicode ? " · " : ", "
        let title = ["Search \(extent.words)"] + (matches.contains(where: \.isPlace) ? ["places: GeoNames"] : [])
        return PanelText(title: title.joined(separator: dot), lines: lines, showing: row, in: browser.panelFrame)
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.prompt == nil
            ? [.init("Enter", "go"), .move, .init("/", "type")]
            : [.init("Enter", "go"), .init("↑ ↓", "choose"), .init("Tab", extent.next.words)]
    }

    /// What a person should know of how far the answer goes.
    private func notes(_ browser: Browser) -> [PanelText.Line] {
        guard let answer = found.current else { return [] }
        var notes: [String] = []
        if !answer.isDownloadedHere { notes.append(browser.noteOnNothingHere) }
        if answer.indexedShare < 1 { notes.append("\(Int(answer.indexedShare * 100)) % of what is stored can be searched so far") }
        if let problem = answer.problem { notes.append(problem) }
        return notes.flatMap { browser.wrapped($0) }.map { line in
            var line = line
            line.style = .dim
            return line
        }
    }

    private func spotLine(_ spot: PlaceText, _ browser: Browser) -> PanelText.Line {
        let mark = browser.settings.isUnicode ? "◎" : "@"
        return .init(text: "\(mark) \(PlaceFormat.coordinate(spot.coordinate, zoom: 12))", right: "as typed")
    }

    private func line(_ match: SearchMatch, _ browser: Browser) -> PanelText.Line {
        switch match {
        case .place(let place): line(place, browser)
        case .feature(let feature): line(feature, browser)
        }
    }

    /// What it is called at the left; at the right what it is, how far and where to, as far as there is room.
    private func line(_ feature: FoundFeature, _ browser: Browser) -> PanelText.Line {
        let isUnicode = browser.settings.isUnicode, sign = MapSign(feature.category)
        func shown(_ text: String) -> String { isUnicode ? text : Transliteration.ascii(text) }
        let other = feature.otherName.map { " (\(shown($0)))" } ?? ""
        let left = "\(isUnicode ? sign.unicode : sign.ascii) \(shown(feature.title))\(other)"
        let way = PlaceFormat.way(to: feature, units: browser.settings.units) ?? ""
        let kind = feature.name.isEmpty || left.width + feature.kindWord.width + way.width + 11 > browser.panelFrame.columns ? "" : feature.kindWord
        return .init(text: left, right: [kind, way].filter { !$0.isEmpty }.joined(separator: isUnicode ? " · " : ", "))
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
            return found.current != nil ? [.init(text: "nothing is called so")] : [.init(text: "…")]
        }
        return [
            .init(text: "a place, in any language: Turku, 東京".asShown(browser.settings.isUnicode)),
            .init(text: "with its region or country: Paris, Texas"),
            .init(text: "a street, a house: via dei neri 12"),
            .init(text: "what is nearest: pharmacy, charging, water"),
            .init(text: "coordinates, a tile z/x/y, a geohash,"),
            .init(text: "a plus code, a link to another map"),
        ]
    }
}

extension SearchMatch {
    fileprivate var isPlace: Bool { if case .place = self { true } else { false } }
}

extension Browser {
    /// Why nothing but places is found around the view.
    fileprivate var noteOnNothingHere: String {
        guard let base else { return "" }
        if base.drawing == nil { return "this map is of pictures: only places are found on it" }
        return base.source is any NetworkTileSource ? "not downloaded here: d downloads this view" : "no streets are stored here"
    }
}

extension String {
    /// The text, or where only ASCII may be shown what of it is ASCII.
    fileprivate func asShown(_ isUnicode: Bool) -> String {
        isUnicode ? self : String(String.UnicodeScalarView(unicodeScalars.filter(\.isASCII)))
    }
}
