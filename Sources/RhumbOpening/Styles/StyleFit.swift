internal import RhumbCore
internal import RhumbDrawing

extension Style {
    /// Returns the reason that the style draws little or nothing of some tiles, as a sentence; nil if it fits
    /// or that is unknown.
    /// - Parameters:
    ///   - source: The style's source that the tiles are drawn for.
    ///   - names: The layers of the tiles.
    func misfit(of source: String, to names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let drawn = Set(layers.filter { $0.source == source }.compactMap(\.sourceLayer)).subtracting([
            Style.anyLayer
        ])
        let theirs = TileSchema(layerNames: names), its = TileSchema(layerNames: Array(drawn))
        let isOther = theirs != its && theirs != .other && its != .other
        guard isOther || drawn.isDisjoint(with: names) else { return nil }
        let schemas = isOther ? " (\(its.rawValue), not \(theirs.rawValue))" : ""
        let lacking = drawn.subtracting(names)
        let reason =
            lacking.isEmpty
            ? "" : ": it needs the layers \(Self.some(lacking)), but the map has \(Self.some(Set(names)))"
        return "the style is made for other tiles\(schemas)\(reason)"
    }

    /// Returns some of the names, such as "boundaries, buildings, earth and 6 more".
    private static func some(_ names: Set<String>) -> String {
        let first = names.sorted().prefix(3).map { SafeText.sanitised($0, limit: 30) }.joined(separator: ", ")
        return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
    }
}
