internal import RhumbCore

/// A bar of a round length on the ground: "├─── 2 km ───┤", or "├──┤ 2 km" if it is short.
struct ScaleBar: Equatable {
    let text: String

    /// Chooses the longest round length whose bar fits into `limit` columns.
    init?(viewport: Viewport, units: Settings.Units, limit: Int, isUnicode: Bool) {
        let camera = viewport.camera
        let metres = Mercator.metresPerPixel(
            latitude: camera.coordinate.latitude, zoom: camera.zoom)
        let metresPerColumn = metres * Viewport.pixelsPerColumn
        guard limit >= 8, metresPerColumn > 0 else { return nil }
        let unit = ScaleBar.unit(for: metresPerColumn * Double(limit), units)
        let most = metresPerColumn * Double(limit) / unit.metres
        guard let length = ScaleBar.roundLength(below: most) else { return nil }
        let columns = Int((length * unit.metres / metresPerColumn).rounded())
        text = ScaleBar.draw("\(PlaceFormat.fixed(length, 0)) \(unit.name)", columns, isUnicode)
    }

    private static func unit(
        for metres: Double, _ units: Settings.Units
    ) -> (name: String, metres: Double) {
        switch units {
        case .metric: metres >= 1000 ? ("km", 1000) : ("m", 1)
        case .imperial: metres >= 1609.344 ? ("mi", 1609.344) : ("ft", 0.3048)
        }
    }

    /// Returns the largest of 1, 2, 5, 10, 20, … that does not exceed a number.
    static func roundLength(below most: Double) -> Double? {
        guard most >= 1, most.isFinite else { return nil }
        var power = 1.0
        while power * 10 <= most { power *= 10 }
        return [5, 2, 1].map { $0 * power }.first { $0 <= most }
    }

    private static func draw(_ label: String, _ columns: Int, _ isUnicode: Bool) -> String {
        let line: Character = isUnicode ? "─" : "-"
        let ends = isUnicode ? ("├", "┤") : ("|", "|")
        let room = columns - 2 - label.count - 2
        guard room >= 0 else {
            // The bar is too short for its label, which follows it.
            return ends.0 + String(repeating: line, count: max(columns - 2, 0)) + ends.1 + " " + label
        }
        let left = String(repeating: line, count: room / 2)
        let right = String(repeating: line, count: room - room / 2)
        return "\(ends.0)\(left) \(label) \(right)\(ends.1)"
    }
}
