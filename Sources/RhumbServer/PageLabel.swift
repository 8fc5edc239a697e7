internal import Glibc
internal import RhumbCore

/// A name that the page writes over the picture of a tile.
struct PageLabel {
    private let label: VectorLabel
    /// The position on the picture, from (0, 0) in the north-west to (1, 1) in the south-east.
    private let position: SIMD2<Double>
    /// The direction of a name along a line, in radians clockwise from the east; nil for other names.
    private let angle: Double?
    /// The length of that line, relative to the picture's side.
    private let length: Double

    /// Creates a label; nil for an icon, and outside the picture.
    /// - Parameters:
    ///   - data: The tile that contains the label.
    ///   - tile: The tile of the picture, which may be a part of it.
    init?(_ label: VectorLabel, of data: TileID, on tile: TileID) {
        guard !label.text.isEmpty, data.contains(tile) else { return nil }
        let scale = Double(1 << (tile.zoom - data.zoom))
        let corner = SIMD2(Double(tile.x), Double(tile.y)) - scale * SIMD2(Double(data.x), Double(data.y))
        switch label.anchor {
        case .point(let point):
            position = point * scale - corner
            angle = nil
            length = 0
        case .line(let points):
            let middle = PageLabel.middle(of: points)
            position = middle.position * scale - corner
            angle = middle.angle
            length = middle.length * scale
        }
        guard (0..<1).contains(position.x), (0..<1).contains(position.y) else { return nil }
        self.label = label
    }

    /// Returns the point halfway along a line, the direction there from left to right, and the line's length.
    private static func middle(
        of points: [SIMD2<Double>]
    ) -> (position: SIMD2<Double>, angle: Double, length: Double) {
        let steps = zip(points, points.dropFirst()).map { $1 - $0 }
        let lengths = steps.map { hypot($0.x, $0.y) }, length = lengths.reduce(0, +)
        var rest = length / 2
        for (at, step) in steps.enumerated() where lengths[at] > 0 {
            guard rest > lengths[at] else {
                let isLeftward = step.x < 0
                let angle = isLeftward ? atan2(-step.y, -step.x) : atan2(step.y, step.x)
                return (points[at] + step * (rest / lengths[at]), angle, length)
            }
            rest -= lengths[at]
        }
        return (points.first ?? .zero, 0, length)
    }

    /// The label as the page reads it.
    var json: JSON {
        var object = JSONObject()
        object["text"] = .string(label.text)
        object["x"] = .number(position.x)
        object["y"] = .number(position.y)
        object["size"] = .number(label.size)
        object["colour"] = .string(PageLabel.css(label.colour))
        if label.halo.alpha > 0 { object["halo"] = .string(PageLabel.css(label.halo)) }
        if let angle {
            object["angle"] = .number(angle)
            object["length"] = .number(length)
        }
        return .object(object)
    }

    private static func css(_ colour: StyleColour) -> String {
        let rgb = colour.rgb
        return "rgba(\(rgb.red),\(rgb.green),\(rgb.blue),\((colour.alpha * 100).rounded() / 100))"
    }
}
