internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Goes to the next result; nil if there are none.
    mutating func walkFound(by step: Int) -> [Effect]? {
        search.marks.walk(by: step).map { perform(going(to: $0)) }
    }

    /// The results of the open search, or of the last one.
    var shownFound: SearchMarkers { panels[SearchPanel.self]?.marks ?? search.marks }

    func drawFound(on screen: inout CellGrid) {
        shownFound.draw(map.viewport, map.settings, on: &screen)
    }

    /// The name of the search result at the described point; nil if it is elsewhere.
    var soughtName: String? {
        guard let found = search.found, !found.name.isEmpty else { return nil }
        let cell = map.viewport.cell(of: Mercator.world(found.place))
        return abs(cell.column - point.column) <= 1 && abs(cell.row - point.row) <= 1 ? found.name : nil
    }

    /// Returns a description of a feature, such as "Farmacia Molteni, pharmacy, 320 m NE".
    func text(of feature: FeatureMatch) -> String {
        let title = feature.title(in: map.settings.language),
            kind = feature.name.isEmpty ? "" : feature.kindWord(in: map.settings.language)
        let way = PlaceFormat.way(to: feature, units: map.settings.units) ?? ""
        let told = [
            title, kind, way, feature.details.joined(separator: " "), feature.whereabouts, feature.provider,
        ]
        return told.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
