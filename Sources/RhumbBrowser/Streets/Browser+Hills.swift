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

    /// Returns the actions that show or hide shading and contours together.
    func showingHills(_ isOn: Bool) -> [Action] {
        guard !isOn else {
            return whenHeightsAgreed(then: [.hills(hillsOn), .effect(.hills(hillsOn))])
        }
        return [.hills(HillsChoice())]
            + (removeLayers(where: \.isHills, NoticesText.hillsOff) ?? [.say(NoticesText.noHills)])
    }

    /// Returns the actions that show contours, or none.
    /// - Parameter text: "auto", "off", or a distance in metres or feet.
    func showingContours(_ text: String) throws(Notice.Problem) -> [Action] {
        var hills = appearance.hills
        hills.contours = nil
        if text == "off" {
            return [.hills(hills)] + (removeLayers(where: \.isContours, NoticesText.contoursOff) ?? [])
        }
        guard let spacing = ContourSpacing(text: text, isInFeet: map.settings.units == .imperial) else {
            throw Notice.Problem(NoticesText.contourWords)
        }
        hills.contours = spacing
        return whenHeightsAgreed(then: [.hills(hills), .effect(.hills(HillsChoice(contours: spacing)))])
    }

    /// Returns the actions that add the hillshade over the maps, or remove it.
    func showingHillshade(_ isOn: Bool) -> [Action] {
        guard !isOn else { return whenHeightsAgreed(then: [.effect(.hills(HillsChoice(isShaded: true)))]) }
        return removeLayers(where: \.isHillshade, NoticesText.hillshadeOff) ?? [.say(NoticesText.noHillshade)]
    }

    /// Returns the actions that remove layers and say so; nil if there are none.
    private func removeLayers(where isGone: (TileLayer) -> Bool, _ notice: String) -> [Action]? {
        guard map.layers.contains(where: isGone) else { return nil }
        return [.layers(map.layers.filter { !isGone($0) }), .say(notice)]
    }

    /// Returns actions, or the question before the first request to the source of heights.
    func whenHeightsAgreed(
        from source: HeightSourceItem? = nil, _ entry: PanelEntry = .layers, then actions: [Action]
    ) -> [Action] {
        let source = source ?? (showsHills ? nil : stored.heightSources.first)
        return whenAgreed(
            to: [source?.specifier].compactMap(\.self), entry, NoticesText.hills, sent: SourcesText.sent,
            then: actions)
    }

    /// Returns the actions that draw the contours on the map in other units.
    func redrawingContours(in units: Settings.Units) -> [Action] {
        let isInFeet = units == .imperial
        var hills = appearance.hills
        guard let old = hills.contours, old.isInFeet != isInFeet, map.layers.contains(where: \.isContours)
        else { return [] }
        hills.contours = ContourSpacing(isInFeet: isInFeet)
        return [.hills(hills), .effect(.hills(HillsChoice(contours: hills.contours)))]
    }
}

extension TileLayer {
    /// True for light and shade over a map.
    var isHillshade: Bool { feature == .terrain && role == .hybridOverlay && !isContours }

    /// True for shading or contours over a map.
    var isHills: Bool { isContours || isHillshade }
}
