internal import RhumbCore
internal import RhumbEngine

/// Search results as lines of a list.
extension SearchMatch {
    /// Returns the line of a result, with the name on the left and the kind and place on the right.
    func line(_ browser: Browser) -> PanelText.Line {
        switch self {
        case .place(let place): line(place, browser)
        case .feature(let feature): line(feature, browser)
        }
    }

    /// Returns true if one of its names equals the words, ignoring case.
    package func isCalled(_ text: String) -> Bool {
        let names: [String?] =
            switch self {
            case .place(let match): [match.place.name, match.otherName]
            case .feature(let feature): [feature.name, feature.otherName]
            }
        let wanted = text.withoutAccents.lowercased()
        return names.contains { $0?.withoutAccents.lowercased() == wanted }
    }

    /// Returns the line of a feature, with the name on the left. Its kind, distance and direction are on the
    /// right as far as they fit.
    private func line(_ feature: FeatureMatch, _ browser: Browser) -> PanelText.Line {
        let isUnicode = browser.map.settings.isUnicode, sign = MapSign(feature.category)
        func shown(_ text: String) -> String { isUnicode ? text : Transliteration.ascii(text) }
        let other = feature.otherName.map { " (\(shown($0)))" } ?? ""
        let language = browser.map.settings.language
        let mark = browser.map.settings.isSpoken ? "" : "\(isUnicode ? sign.unicode : sign.ascii) "
        let left = "\(mark)\(shown(feature.title(in: language)))\(other)"
        let way = PlaceFormat.way(to: feature, units: browser.map.settings.units) ?? ""
        let kind = feature.name.isEmpty ? "" : shown(feature.kindWord(in: language))
        // The provider has the highest priority, then the distance, then the kind.
        var right: [String] = [], room = browser.wholePanelFrame.columns - 8 - left.width
        for (part, isNeeded) in [(feature.provider, true), (way, feature.provider.isEmpty), (kind, false)]
        where !part.isEmpty {
            guard isNeeded || part.width <= room else { continue }
            right.insert(part, at: 0)
            room -= part.width + 3
        }
        return .init(text: left, right: right.joined(separator: isUnicode ? " · " : ", "))
    }

    private func line(_ match: PlaceMatch, _ browser: Browser) -> PanelText.Line {
        let isUnicode = browser.map.settings.isUnicode
        let match = isUnicode ? match : match.inASCII, place = match.place
        let mark = browser.map.settings.isSpoken ? "" : "\(place.sign(isUnicode: isUnicode)) "
        let left = mark + match.mark + match.title(in: browser.map.settings.nameLanguage)
        return .init(text: left, right: whereabouts(place, beside: left, in: browser.wholePanelFrame))
    }

    /// Returns the region and the country's code, clipped to the space beside the name.
    private func whereabouts(_ place: NamedPlace, beside left: String, in frame: PanelFrame) -> String {
        if [.country, .water, .landscape, .peak, .river, .island, .sight, .airport, .port].contains(
            place.kind)
        {
            return place.kind.rawValue
        }
        let region = place.kind == .region ? "region" : place.region
        let most = max(frame.columns - 5 - min(left.width, (frame.columns - 4) * 3 / 5), 2)
        guard !region.isEmpty, most > place.countryCode.width + 5 else { return place.countryCode }
        return region.clipped(to: most - place.countryCode.width - 2) + ", " + place.countryCode
    }
}

extension PlaceMatch {
    /// The match with its names in ASCII.
    fileprivate var inASCII: PlaceMatch {
        let other = otherName.map(Transliteration.ascii).flatMap { $0.isEmpty ? nil : $0 }
        return PlaceMatch(place: place.inASCII, otherName: other, isSimilar: isSimilar)
    }
}
