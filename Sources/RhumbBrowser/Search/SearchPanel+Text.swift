internal import RhumbCore

/// What the search says.
extension Browser {
    func searchText(_ panel: SearchPanel) -> PanelText {
        var lines = panel.spot.map { [spotLine($0)] } ?? []
        lines += panel.matches.map { line($0) }
        if lines.indices.contains(panel.row) { lines[panel.row].style = .reverse }
        if lines.isEmpty { lines = emptyLines(panel) }
        let room = max(panelFrame.rows - 2, 1)
        let top = max(0, min(panel.row - room + 2, lines.count - room))
        return PanelText(title: "Search", lines: lines, footer: searchFooter, top: top)
    }

    private var searchFooter: String {
        if prompt != nil {
            return settings.isUnicode ? "↑↓ Enter go · Esc · names: GeoNames" : "Enter go, Esc, names: GeoNames"
        }
        return settings.isUnicode ? "j k Enter go · / type · Esc · GeoNames" : "j k Enter, / type, Esc, GeoNames"
    }

    private func spotLine(_ spot: PlaceText) -> PanelText.Line {
        let mark = settings.isUnicode ? "◎" : "@"
        return .init(text: "\(mark) \(PlaceFormat.coordinate(spot.coordinate, zoom: 12))", right: "as typed")
    }

    private func line(_ match: PlaceMatch) -> PanelText.Line {
        let place = match.place
        let other = match.otherName.map { " (\($0))" } ?? ""
        let left = "\(place.sign(isUnicode: settings.isUnicode)) \(place.name)\(other)"
        return .init(text: left, right: whereabouts(place, beside: left))
    }

    /// The region and the country's code, as far as there is room beside the name.
    private func whereabouts(_ place: NamedPlace, beside left: String) -> String {
        if place.kind == .country { return "country" }
        let region = place.kind == .region ? "region" : place.region
        let most = max(panelFrame.columns - 5 - min(left.width, (panelFrame.columns - 4) * 3 / 5), 2)
        guard !region.isEmpty, most > place.countryCode.width + 5 else { return place.countryCode }
        return region.clipped(to: most - place.countryCode.width - 2) + ", " + place.countryCode
    }

    private func emptyLines(_ panel: SearchPanel) -> [PanelText.Line] {
        if let words = prompt?.line.string.trimmed, !words.isEmpty {
            let isAnswered = panel.answered == words || prompt?.complaint != nil
            return isAnswered ? [.init(text: "nothing is called so")] : [.init(text: "…")]
        }
        return [
            .init(text: "a place, in any language: Turku, 東京".asShown(settings.isUnicode)),
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
