public import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Shows a choice of the command line from the start.
    public mutating func begin(with hills: HillsChoice) { self.appearance.hills = hills }

    /// The choice for "on": shading, and contours that follow the zoom.
    private var hillsOn: HillsChoice {
        HillsChoice(isShaded: true, contours: ContourSpacing(isInFeet: map.settings.units == .imperial))
    }

    /// True if shading or contours are on the map.
    var showsHills: Bool { map.layers.contains(where: \.isHills) }

    /// The row of hills in the list of layers.
    var hillsTitle: String {
        let hasContours = map.layers.contains(where: \.isContours)
        let isShaded = map.layers.contains(where: \.isHillshade)
        return hasContours == isShaded
            ? LayersText.hills : hasContours ? LayersText.contours : LayersText.shading
    }

    /// Reports the layers of hills that were opened; nil for other layers.
    func notice(ofHills opened: [TileLayer]) -> String? {
        guard opened.contains(where: \.isContours) else { return nil }
        return opened.count > 1
            ? NoticesText.hillsOn : NoticesText.contours(appearance.hills.contours ?? ContourSpacing())
    }

    /// Shows or hides shading and contours together.
    mutating func setHills(_ isOn: Bool) -> [Effect] {
        guard isOn else {
            let count = map.layers.count
            appearance.hills = HillsChoice()
            map.layers.removeAll(where: \.isHills)
            return map.layers.count < count
                ? [.updateView] + say(NoticesText.hillsOff) : say(NoticesText.noHills)
        }
        return whenHeightsAgreed { browser in
            browser.appearance.hills = browser.hillsOn
            return [.hills(browser.appearance.hills)]
        }
    }

    /// Shows contours, or none.
    /// - Parameter words: "auto", "off", or a distance in metres or feet.
    mutating func setContours(_ words: String) throws(Notice.Problem) -> [Effect] {
        if words == "off" {
            let count = map.layers.count
            appearance.hills.contours = nil
            map.layers.removeAll(where: \.isContours)
            return map.layers.count < count ? [.updateView] + say(NoticesText.contoursOff) : []
        }
        guard let spacing = ContourSpacing(words: words, isInFeet: map.settings.units == .imperial) else {
            throw Notice.Problem(NoticesText.contourWords)
        }
        return whenHeightsAgreed { browser in
            browser.appearance.hills.contours = spacing
            return [.hills(HillsChoice(contours: spacing))]
        }
    }

    /// Asks before the first request to the source of heights, and then acts.
    mutating func whenHeightsAgreed(
        from source: HeightSourceItem? = nil, _ entry: PanelEntry = .layers,
        _ act: @escaping @Sendable (inout Browser) -> [Effect]
    ) -> [Effect] {
        let source = source ?? (showsHills ? nil : stored.heightSources.first)
        return whenAgreed(
            to: [source?.words].compactMap(\.self), entry, NoticesText.hills, sent: SourcesText.sent, act)
    }

    /// Draws contours in the units of the settings.
    mutating func followUnits() -> [Effect] {
        let isInFeet = map.settings.units == .imperial
        guard let old = appearance.hills.contours, old.isInFeet != isInFeet,
            map.layers.contains(where: \.isContours)
        else {
            return []
        }
        appearance.hills.contours = ContourSpacing(isInFeet: isInFeet)
        return [.hills(HillsChoice(contours: appearance.hills.contours))]
    }
}

extension TileLayer {
    /// True for light and shade over a map.
    var isHillshade: Bool { feature == .terrain && role == .hybridOverlay && !isContours }

    /// True for shading or contours over a map.
    var isHills: Bool { isContours || isHillshade }
}
