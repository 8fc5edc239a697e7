internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// The name of the source of heights.
    private static let hillshadeSource = "mapterhorn"

    /// Adds the hillshade over the maps, or removes it.
    mutating func setHillshade(_ isOn: Bool) -> [Effect] {
        if isOn { return whenHeightsAgreed { _ in [.open(source: Self.hillshadeSource, over: true)] } }
        let count = map.layers.count
        map.layers.removeAll(where: \.isHillshade)
        return map.layers.count < count
            ? [.updateView] + say(NoticesText.hillshadeOff) : say(NoticesText.noHillshade)
    }
}
