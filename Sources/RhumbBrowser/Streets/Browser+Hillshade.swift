internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Adds the hillshade over the maps, or removes it.
    mutating func setHillshade(_ isOn: Bool) -> [Effect] {
        if isOn { return whenHeightsAgreed { _ in [.hills(HillsChoice(isShaded: true))] } }
        let count = map.layers.count
        map.layers.removeAll(where: \.isHillshade)
        return map.layers.count < count
            ? [.updateView] + say(NoticesText.hillshadeOff) : say(NoticesText.noHillshade)
    }
}
