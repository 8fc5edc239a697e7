internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// The name of the source of heights.
    private static let hillshadeSource = "mapterhorn"

    /// Adds the hillshade over the maps, or removes it.
    mutating func setHillshade(_ isOn: Bool) -> [Effect] {
        if isOn { return [.open(source: Self.hillshadeSource, over: true)] }
        let count = layers.count
        layers.removeAll { $0.feature == .terrain && $0.role == .hybridOverlay }
        return layers.count < count
            ? [.updateView] + say(NoticesText.hillshadeOff) : say(NoticesText.noHillshade)
    }
}
