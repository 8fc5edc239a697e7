internal import RhumbCore
internal import RhumbEngine

/// The text of the search panel.
extension SearchPanel {
    /// The meaning of a row.
    enum Choice {
        case spot(ParsedLocation)
        case match(SearchMatch)
        case feature(OverlayMatch)
        /// The search in streets that must be fetched first.
        case view
        /// The search on the web.
        case online
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        var lines = spot.map { [spotLine($0, browser)] } ?? []
        lines += own.map {
            .init(text: "\(browser.map.settings.isUnicode ? "◆" : "#") \($0.feature.name)", right: $0.layer)
        }
        lines += matches.map { $0.line(browser) }
        lines += onlineLines(browser)
        for at in lines.indices { lines[at].isRow = true }
        if lines.indices.contains(row) { lines[row].style = .reverse }
        let related = matches.firstIndex(where: \.isRelated).map {
            $0 + lines.count - matches.count - onlineLines(browser).count
        }
        if let related { lines.insert(Self.dim(.init(text: "also", isRow: true)), at: related) }
        if lines.isEmpty { lines = emptyLines(browser) }
        lines += notes(browser)
        let dot = browser.map.settings.isUnicode ? " · " : ", "
        let title =
            ["Search \(extent.text)"] + (matches.contains(where: \.isPlace) ? ["GeoNames"] : [])
            + [shown?.attribution ?? ""].filter { !$0.isEmpty }.map {
                browser.map.settings.isUnicode ? $0 : $0.replacingSign
            }
        return PanelText(title: title.joined(separator: dot), lines: lines)
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.input.prompt == nil
            ? [.init("Enter", "go"), .move, .init("/", "type")]
            : [
                .init("Enter", "go"), .init("↑ ↓", "choose"),
                .init("Tab", "search \(extent.next(browser).text)"),
            ]
                + (online.offer(settled, browser) == nil || row > 0 || matches.isEmpty
                    ? [] : [.init("↑", "web")])
    }

    /// Returns notes on the completeness of the result.
    private func notes(_ browser: Browser) -> [PanelText.Line] {
        var notes = settled == nil ? [] : online.notes(found.asked, matches, browser)
        if let spot, let place = browser.swapped(spot.coordinate) { notes.append(SearchText.swapped(place)) }
        // The offers below an empty list don't hide that it is empty.
        if matches.isEmpty, spot == nil, own.isEmpty, settled != nil, !isIndexing,
            !onlineLines(browser).isEmpty
        {
            notes.insert(problem ?? StatusText.noMatch, at: 0)
        }
        guard let answer = found.current else { return notes.flatMap { browser.wrapped($0) }.map(Self.dim) }
        if isFetching { notes.append(SearchText.fetchingView) }
        if !answer.isDownloadedHere, !isIndexing, !offersView(browser), !isFetching {
            notes.append(
                found.asked?.spot == nil ? browser.noteOnNothingHere : "No street data offline for this area")
        }
        notes += [answer.indexingNote].compactMap(\.self)
        notes += [answer.note, answer.problem].compactMap(\.self)
        return notes.flatMap { browser.wrapped($0) }.map(Self.dim)
    }

    private static func dim(_ line: PanelText.Line) -> PanelText.Line {
        var line = line
        line.style = .dim
        return line
    }

    private func onlineLines(_ browser: Browser) -> [PanelText.Line] {
        let sign = browser.map.settings.isUnicode ? "◇" : "+"
        let view = offersView(browser) ? [PanelText.Line(text: "\(sign) \(SearchText.viewOffer)")] : []
        guard let service = online.offer(settled, browser) else { return view }
        return view + [
            .init(
                text: "\(sign) ask \(service.name)",
                right: service.isAccepted ? "online" : "asks first")
        ]
    }

    private func spotLine(_ spot: ParsedLocation, _ browser: Browser) -> PanelText.Line {
        let mark = browser.map.settings.isUnicode ? "◎" : "@"
        return .init(
            text: "\(mark) \(PlaceFormat.coordinate(spot.coordinate, zoom: 12))", right: "coordinates")
    }

    private func emptyLines(_ browser: Browser) -> [PanelText.Line] {
        if let words = browser.input.prompt?.line.string.trimmed ?? found.asked?.text, !words.isEmpty {
            if let problem { return browser.wrapped(problem) }
            return found.current != nil && !isIndexing
                ? [.init(text: StatusText.noMatch)] : [.init(text: "…")]
        }
        return [
            "a place in any language: Turku, 東京".asShown(browser.map.settings.isUnicode),
            "with its region or country: Paris, Texas", "an address: via dei neri 12",
            "the nearest of a kind: pharmacy, charging, water",
            "coordinates, a tile z/x/y, a geohash, a plus code, a map link",
        ].flatMap { browser.wrapped($0) }
    }
}

extension SearchResult {
    /// The progress of the index; nil if it is complete.
    var indexingNote: String? {
        indexedShare < 1 ? "Indexing: \(Int(indexedShare * 100)) % done" : nil
    }
}

extension SearchMatch {
    fileprivate var isPlace: Bool { if case .place = self { true } else { false } }
    fileprivate var isRelated: Bool {
        if case .feature(let feature) = self { feature.isRelated } else { false }
    }
}

extension Browser {
    /// Returns coordinates in the other order if only these are on the open map; nil otherwise.
    fileprivate func swapped(_ place: Coordinate) -> Coordinate? {
        guard let bounds = base?.info.bounds, !bounds.contains(place), abs(place.longitude) <= 90 else {
            return nil
        }
        let other = Coordinate(latitude: place.longitude, longitude: place.latitude)
        return bounds.contains(other) ? other : nil
    }

    /// The reason why only places are found around the view.
    fileprivate var noteOnNothingHere: String {
        guard let base else { return "" }
        if base.drawing == nil { return "This is an image map: only place names can be searched" }
        return base.source.origin(of: base) != nil
            ? "This area is not downloaded. Press d to download this view."
            : "No street data offline for this area"
    }
}

extension String {
    /// Returns the text, or its ASCII characters if only these may be shown.
    fileprivate func asShown(_ isUnicode: Bool) -> String {
        isUnicode ? self : String(String.UnicodeScalarView(unicodeScalars.filter(\.isASCII)))
    }
}
