internal import RhumbCore

/// Which names stand where on the map: the most important first, none over another. Names outside
/// the view take part, so that what is in view doesn't change when something comes into it; and
/// all of it moves with the map by whole cells.
struct LabelLayout {
    struct Label: Equatable {
        let place: NamedPlace
        let row: Int
        /// Of the first letter.
        let column: Int
        let text: String
        /// Where the place itself is marked; nil for areas.
        let mark: Int?
    }

    private(set) var labels: [Label] = []
    /// By row, the columns that are taken.
    private var taken: [Int: [Range<Int>]] = [:]

    /// - Parameter places: the most important first.
    init(_ places: [NamedPlace], in viewport: Viewport) {
        for place in places where LabelLayout.isShown(place, at: viewport.camera.zoom) { add(place, viewport) }
    }

    /// Whether a place has its name on a map of that zoom.
    private static func isShown(_ place: NamedPlace, at zoom: Double) -> Bool {
        switch place.kind {
        case .country: zoom < 6.5
        case .region: false
        case .capital: zoom >= 2
        case .city, .town, .village: zoom >= 3
        }
    }

    private mutating func add(_ place: NamedPlace, _ viewport: Viewport) {
        let at = viewport.cell(of: Mercator.world(place.coordinate))
        guard at.column.magnitude < 100_000, at.row.magnitude < 100_000 else { return }
        let row = Int(at.row.rounded(.down)), column = Int(at.column.rounded(.down))
        let name = SafeText.sanitised(place.name, limit: 40), width = name.width
        if place.kind == .country {
            put(place, name, row: row, column: column - width / 2, width, mark: nil)
        } else if !put(place, name, row: row, column: column + 2, width, mark: column) {
            put(place, name, row: row, column: column - 1 - width, width, mark: column)
        }
    }

    @discardableResult
    private mutating func put(
        _ place: NamedPlace, _ name: String, row: Int, column: Int, _ width: Int, mark: Int?
    ) -> Bool {
        let low = min(column, mark ?? column) - 1, high = max(column + width, (mark ?? column) + 1) + 1
        for near in (row - 1)...(row + 1) {
            // Names right above each other read badly only where they touch.
            let reach = near == row ? low..<high : (low + 1)..<(high - 1)
            if (taken[near] ?? []).contains(where: { $0.overlaps(reach) }) { return false }
        }
        taken[row, default: []].append(low..<high)
        labels.append(Label(place: place, row: row, column: column, text: name, mark: mark))
        return true
    }
}
