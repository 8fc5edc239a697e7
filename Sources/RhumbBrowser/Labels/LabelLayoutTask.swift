internal import RhumbCore
internal import RhumbEngine

/// A task of laying out labels, with everything that its outcome depends on.
public struct LabelLayoutTask: Sendable, Equatable {
    /// The latest has the highest.
    public let number: Int
    /// Those of the map's own tiles, the most important first.
    let labels: [MapLabel]
    /// Places of the gazetteer that fit the view's zoom, the most important first.
    let places: [NamedPlace]
    /// Tells whether the map has no label of its own around a place.
    let isUnlabelled: @Sendable (Coordinate) -> Bool
    let grid: LabelGrid
    let box: CellBox
    /// The free room of the view.
    let room: LabelObstacles
    /// The layout for any view, if it is known and valid.
    let known: LabelLayout?
    /// In which language places are named.
    let language: NameLanguage
    /// True if names may have letters beyond ASCII.
    let isUnicode: Bool
    /// The view's zoom; nil if countries and oceans are not named.
    let zoom: Double?
    /// Labels that keep the places they have.
    let kept: [LabelLayout.Placed]
    /// Labels that are drawn, while the view moves: they stay as they are.
    let shown: [LabelLayout.Placed]
    /// True if nothing is missing: labels in view keep their places from now on.
    let isComplete: Bool

    /// Returns true if both have the same number.
    public static func == (a: LabelLayoutTask, b: LabelLayoutTask) -> Bool { a.number == b.number }

    /// A place or a river to be named.
    private typealias Named = (place: NamedPlace, line: [WorldPoint]?, importance: Double)

    /// The gazetteer's places where the map has no labels of its own, without those named as areas.
    private var named: [Named] {
        places.lazy.filter { place in
            isUnlabelled(place.coordinate) && zoom.map { !AreaLabels.contains(place, at: $0) } ?? true
        }.map { ($0, nil, $0.importance) }
    }

    /// Rivers and peaks, where the view is of a region.
    private var nature: [Named] {
        guard let zoom, zoom >= NaturalFeature.farthest else { return [] }
        let ground = grid.ground(of: box)
        return NaturalFeature.embedded.lazy.filter { $0.place.kind != .water }.flatMap { feature in
            let place = isUnicode ? feature.place : feature.place.inASCII
            return feature.parts(in: ground, where: isUnlabelled).map {
                (place, $0.count > 1 ? $0 : nil, place.importance)
            }
        }
    }

    /// Lays the labels out. Takes some milliseconds: not for the thread that draws.
    public func outcome() -> LabelLayoutOutcome {
        let areas = zoom.map { AreaLabels(at: $0, in: language, isUnicode: isUnicode) } ?? .none
        let others = (named + nature).sorted { $0.importance > $1.importance }.enumerated()
            .map {
                MapLabel($0.element.place, along: $0.element.line, order: $0.offset, in: language, zoom: zoom)
            }
        let all = LabelLayout.Labels(
            areas: areas, others: others.isEmpty ? labels : labels + others, isUnlabelled: isUnlabelled)
        let base =
            known
            ?? LabelLayout(all, on: grid, in: box, with: LabelObstacles(density: room.density), keeping: kept)
        return LabelLayoutOutcome(
            number: number, base: base, layout: base.fitted(all, into: room, keeping: shown),
            isComplete: isComplete)
    }
}

/// Which labels stand where.
public struct LabelLayoutOutcome: Sendable {
    let number: Int
    /// Whatever the view is.
    let base: LabelLayout
    /// As the view leaves room.
    let layout: LabelLayout
    let isComplete: Bool
}
