/// Decodes the shapes of features one by one, reusing its memory.
public struct GeometryReader: Sendable {
    /// The last shape read.
    public private(set) var geometry = VectorGeometry()
    private var numbers: [UInt32] = []

    /// Maximum magnitude of a coordinate. Shapes with larger ones count as damaged.
    package static let reach: Int32 = 1 << 24

    private enum Command {
        static let moveTo: UInt32 = 1, lineTo: UInt32 = 2, closePath: UInt32 = 7
    }

    /// Creates a reader.
    public init() {}

    /// Reads a feature's shape into `geometry`. Drops parts that are too short to be a line or a ring.
    /// - Returns: False, with an empty shape, if the feature's kind is unknown or its commands are damaged.
    public mutating func read(_ feature: VectorFeature, of layer: VectorLayer) -> Bool {
        geometry.removeAll()
        if case .columns(_, let shapes, let isNear) = layer.content {
            return geometry.append(feature.geometry.range, of: shapes, within: isNear ? nil : Self.reach)
        }
        numbers.removeAll(keepingCapacity: true)
        guard feature.kind != .unknown,
            layer.appendNumbers(VectorFeature.Field.geometry, feature.geometry, of: feature, to: &numbers),
            decode(feature.kind, closesLines: layer.version == 1)
        else {
            geometry.removeAll()
            return false
        }
        return true
    }

    /// - Parameter closesLines: True if ClosePath may end a line, as in version 1 of the format.
    private mutating func decode(_ kind: VectorFeature.Kind, closesLines: Bool) -> Bool {
        var cursor = VectorGeometry.Point.zero
        var at = 0
        while at < numbers.count {
            let command = numbers[at] & 7, count = Int(numbers[at] >> 3)
            at += 1
            if command == Command.closePath {
                guard kind == .polygon || kind == .line && closesLines, count == 1 else { return false }
                if kind == .line {
                    closePart()
                } else {
                    endPart(minimum: 3)
                }
                continue
            }
            guard count > 0, count <= (numbers.count - at) / 2 else { return false }
            switch command {
            case Command.moveTo:
                if kind != .point {
                    guard count == 1 else { return false }
                    kind == .line ? endPart(minimum: 2) : dropPart()
                }
            case Command.lineTo: guard kind != .point, isInPart else { return false }
            default: return false
            }
            guard take(count, from: at, kind, &cursor) else { return false }
            at += 2 * count
        }
        kind == .line ? endPart(minimum: 2) : dropPart()
        return true
    }

    /// True if the current part has points.
    private var isInPart: Bool { geometry.points.count > geometry.ends.last ?? 0 }

    private mutating func take(
        _ count: Int, from start: Int, _ kind: VectorFeature.Kind, _ cursor: inout VectorGeometry.Point
    ) -> Bool {
        for at in stride(from: start, to: start + 2 * count, by: 2) {
            cursor &+= VectorGeometry.Point(unzigzag(numbers[at]), unzigzag(numbers[at + 1]))
            guard abs(cursor.x) <= Self.reach, abs(cursor.y) <= Self.reach else { return false }
            geometry.points.append(cursor)
            if kind == .point { geometry.ends.append(geometry.points.count) }
        }
        return true
    }

    private func unzigzag(_ number: UInt32) -> Int32 {
        let value = Int32(bitPattern: number >> 1) ^ -Int32(bitPattern: number & 1)
        // Clamps steps so that sums can't overflow; a step this long leaves the valid range from anywhere in
        // it.
        return min(max(value, -3 * Self.reach), 3 * Self.reach)
    }

    /// Returns to the first point of the current part.
    private mutating func closePart() {
        guard isInPart else { return }
        geometry.points.append(geometry.points[geometry.ends.last ?? 0])
    }

    private mutating func endPart(minimum: Int) {
        guard isInPart else { return }
        guard geometry.points.count - (geometry.ends.last ?? 0) >= minimum else { return dropPart() }
        geometry.ends.append(geometry.points.count)
    }

    private mutating func dropPart() {
        geometry.points.removeSubrange((geometry.ends.last ?? 0)...)
    }
}
