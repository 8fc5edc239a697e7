internal import RhumbCore
internal import RhumbDrawing

extension Style {
    /// What to say where it was made for tiles of other layers; nil where it fits or that isn't known.
    /// - Parameters:
    ///   - source: the style's source that the tiles stand for.
    ///   - names: the layers that the tiles are said to have.
    func misfit(of source: String, to names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let drawn = Set(layers.filter { $0.source == source }.compactMap(\.sourceLayer)).subtracting([Style.anyLayer])
        let theirs = TileSchema(layerNames: names), its = TileSchema(layerNames: Array(drawn))
        let isOther = theirs != its && theirs != .other && its != .other
        guard isOther || drawn.isDisjoint(with: names) else { return nil }
        return "\(SafeText.sanitised(source, limit: 80)): the style is made for other tiles than these"
            + (isOther ? " (\(its.rawValue), not \(theirs.rawValue))" : "")
    }
}
