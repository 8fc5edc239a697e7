internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Returns the zoom up to which the built-in world shows the surroundings of a place, unless streets
    /// continue it: for natural features the last one with relief, for others the last one with fine coasts.
    func closestWorldZoom(for kind: NamedPlace.Kind) -> Double {
        if case .source = streets.choice { return Camera.zoomRange.upperBound }
        guard canShowStreets, deepestMap?.refinesBase != true else { return Camera.zoomRange.upperBound }
        switch kind {
        case .peak, .landscape, .island, .water, .river: return 9
        default: return 10
        }
    }
}
