internal import RhumbCore
internal import RhumbEngine

/// A query for the positions of labels, with everything that they depend on.
public struct LabelLayoutTask: Query {
    /// The number of the task; later tasks have higher numbers.
    public let number: Int
    /// The labels of the map's tiles, most important first.
    let labels: [MapLabel]
    /// The places of the gazetteer for the view's zoom, most important first.
    let places: [PlaceLabelState.Named]
    /// The heights of contour lines, which come after all names.
    let heights: [MapLabel]
    /// Returns true if the map has no label of its own around a place.
    let isUnlabelled: @Sendable (Coordinate) -> Bool
    let grid: LabelGrid
    let box: CellBox
    /// The free space of the view.
    let room: LabelObstacles
    /// The layout for any view, if it is known and valid.
    let base: LabelLayout?
    /// The units of heights.
    let units: Settings.Units
    /// The language of names.
    let language: NameLanguage
    /// True if names may contain letters outside ASCII.
    let isUnicode: Bool
    /// The view's zoom; nil if countries and oceans are not named.
    let zoom: Double?
    /// The labels that keep their positions.
    let fixed: [LabelLayout.Placed]
    /// The labels that stay as they are while the view moves.
    let shown: [LabelLayout.Placed]
    /// True if no label is missing. Labels in view then keep their positions.
    let isComplete: Bool

    public static var isDrawnAtOnce: Bool { false }

    public typealias Response = LabelLayoutOutcome

    /// Returns true if both have the same number.
    public static func == (a: LabelLayoutTask, b: LabelLayoutTask) -> Bool { a.number == b.number }

    /// A named place, river or area, or a peak with its height.
    private struct Named {
        let place: NamedPlace
        var line: [WorldPoint]?
        var height: Int?
        var role = MapLabel.Role.place

        /// The order of names; cities come before peaks of the same importance.
        var rank: Double { place.kind == .peak ? place.importance - 1 : place.importance }
    }

    /// The places of the gazetteer where the map has no labels of its own, except those named as areas.
    private var named: [Named] {
        places.lazy.filter { named in
            let place = named.place
            return isUnlabelled(place.coordinate) && zoom.map { !AreaLabels.contains(place, at: $0) } ?? true
        }.map { Named(place: $0.place, role: $0.isSuburb ? .suburb : .place) }
    }

    /// The rivers, lakes, peaks, ranges and other features within the box that the zoom shows.
    private var nature: [Named] {
        guard let zoom else { return [] }
        let ground = grid.ground(of: box)
        return NaturalFeature.named(at: zoom, in: ground).flatMap { feature in
            let parts = feature.parts(in: ground, where: isUnlabelled)
            guard !parts.isEmpty else { return [Named]() }
            let place = isUnicode ? feature.place : feature.place.inASCII
            return parts.map {
                Named(
                    place: place, line: $0.count > 1 ? $0 : nil, height: feature.height,
                    role: feature.isArea ? .area : .place)
            }
        }
    }

    /// Places the labels. It takes some milliseconds, so it must not run on the drawing thread.
    public func outcome() -> LabelLayoutOutcome {
        let base =
            base
            ?? LabelLayout(
                all, on: grid, in: box, with: LabelObstacles(density: room.density), keeping: fixed)
        return LabelLayoutOutcome(
            base: base, layout: base.fitted(into: room, keeping: shown), isComplete: isComplete)
    }

    /// The labels of the map's tiles, together with those of the gazetteer.
    private var all: LabelLayout.Labels {
        let areas =
            zoom.map {
                AreaLabels(at: $0, over: grid.ground(of: box), in: language, isUnicode: isUnicode)
            } ?? .none
        let others = (named + nature).sorted { $0.rank > $1.rank }.enumerated()
            .map {
                MapLabel(
                    $0.element.place, along: $0.element.line,
                    height: $0.element.height.map { PlaceFormat.height($0, units) },
                    role: $0.element.role, order: $0.offset, in: language, zoom: zoom)
            }
        return LabelLayout.Labels(
            areas: areas, others: others.isEmpty && heights.isEmpty ? labels : labels + others + heights,
            isUnlabelled: isUnlabelled)
    }
}

/// The positions of labels.
public struct LabelLayoutOutcome: Sendable {
    /// The layout for any view.
    let base: LabelLayout
    /// The layout for the free space of the view.
    let layout: LabelLayout
    let isComplete: Bool
}
