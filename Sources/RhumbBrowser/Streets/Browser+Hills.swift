public import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Shows a choice of the command line from the start.
    public mutating func begin(with hills: HillsChoice) { self.hills = hills }

    /// The choice for "on": shading, and contours that follow the zoom.
    private var hillsOn: HillsChoice {
        HillsChoice(isShaded: true, contours: ContourSpacing(isInFeet: settings.units == .imperial))
    }

    /// True if shading or contours are on the map.
    var showsHills: Bool { layers.contains { $0.isContours || $0.isHillshade } }

    /// Shows or hides shading and contours together.
    mutating func setHills(_ isOn: Bool) -> [Effect] {
        guard isOn else {
            let count = layers.count
            hills = HillsChoice()
            layers.removeAll { $0.isContours || $0.isHillshade }
            return layers.count < count
                ? [.updateView] + say(NoticesText.hillsOff) : say(NoticesText.noHills)
        }
        hills = hillsOn
        return [.hills(hills)]
    }

    /// Shows contours, or none.
    /// - Parameter words: "auto", "off", or a distance in metres or feet.
    mutating func setContours(_ words: String) throws(Notice.Problem) -> [Effect] {
        if words == "off" {
            let count = layers.count
            hills.contours = nil
            layers.removeAll(where: \.isContours)
            return layers.count < count ? [.updateView] + say(NoticesText.contoursOff) : []
        }
        guard let spacing = ContourSpacing(words: words, isInFeet: settings.units == .imperial) else {
            throw Notice.Problem(NoticesText.contourWords)
        }
        hills.contours = spacing
        return [.hills(HillsChoice(contours: spacing))]
    }

    /// Draws contours in the units of the settings.
    mutating func followUnits() -> [Effect] {
        let isInFeet = settings.units == .imperial
        guard let old = hills.contours, old.isInFeet != isInFeet, layers.contains(where: \.isContours) else {
            return []
        }
        hills.contours = ContourSpacing(isInFeet: isInFeet)
        return [.hills(HillsChoice(contours: hills.contours))]
    }
}

extension TileLayer {
    /// True for light and shade over a map.
    var isHillshade: Bool { feature == .terrain && role == .hybridOverlay && !isContours }
}
